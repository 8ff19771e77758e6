#include "data/pipeline/sample.h"

#include <fmt/format.h>

namespace fastnn {

std::string RecordOrigin::text() const {
  return fmt::format("{}, record {}, byte {}", file, record, byte);
}

}  // namespace fastnn

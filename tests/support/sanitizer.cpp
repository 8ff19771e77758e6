#include "tests/support/sanitizer.h"

#include <string_view>

namespace fastnn::tests {

bool sanitized() {
  return !std::string_view(FASTNN_SANITIZERS).empty();
}

}  // namespace fastnn::tests

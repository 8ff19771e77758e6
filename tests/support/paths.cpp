#include "tests/support/paths.h"

namespace fastnn::tests {

std::string source_dir() {
  return FASTNN_SOURCE_DIR;
}

std::string bin_dir() {
  return FASTNN_BIN_DIR;
}

}  // namespace fastnn::tests

#pragma once

#include <string>

namespace fastnn::tests {

/// Root of the source tree.
std::string source_dir();

/// Folder of the built programs.
std::string bin_dir();

}  // namespace fastnn::tests

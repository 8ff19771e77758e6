#include <stdexcept>

#include "tests/support/catch.h"
#include "tests/support/golden.h"

// Apart from golden.cpp: fastnn-bench links that one, and Catch would bring its own main().
namespace fastnn::tests {

bool has_golden(const std::string& relative_path) {
  const auto folder = golden_dir();
  if (!std::filesystem::is_directory(folder) || std::filesystem::is_empty(folder))
    throw std::runtime_error("[golden] " + folder.string() + " is no folder with golden figures");
  if (std::filesystem::exists(folder / relative_path)) return true;
  if (folder == sample_dir())
    throw std::runtime_error("[golden] " + folder.string() + " lacks " + relative_path);
  WARN("skipped: " << relative_path << " is not in " << folder.string());
  return false;
}

}  // namespace fastnn::tests

#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/shape.h"

namespace fastnn::tests {

/// Folder of the golden figures: the environment variable FASTNN_GOLDEN_DIR, else sample_dir().
std::filesystem::path golden_dir();

/// tests/golden of the source tree, whatever FASTNN_GOLDEN_DIR says: files to damage, read or draw from.
std::filesystem::path sample_dir();

/// Whether the golden folder has this file or folder; where not, prints "skipped: " and the reason. Throws
/// std::runtime_error where nothing may be missing: in sample_dir(), and in a folder that is not there or
/// empty.
bool has_golden(const std::string& relative_path);

/// Folder of the real data files: the environment variable FASTNN_DATA_DIR, else shared/data beside the
/// source tree. Empty if there is none; tests that need it then skip with a reason.
std::filesystem::path data_dir();

/// Parses a JSON file of the golden folder. Throws std::runtime_error if it is missing, empty or no JSON.
nlohmann::json golden_json(const std::string& relative_path);

/// u(name, i) of golden/nets/README.md section 1, the hash of the name made once.
class GoldenSequence {
 public:
  explicit GoldenSequence(std::string_view name);

  double operator[](std::uint64_t index) const;

 private:
  std::uint64_t start_;
};

/// The number generator of the golden files (golden/README.md, section 1): a value in [-1, 1), exact in
/// float.
double golden_uniform(std::string_view name, std::uint64_t index);

/// golden_uniform for index 0 .. count - 1.
std::vector<double> golden_values(std::string_view name, std::int64_t count);

/// Values of a variable as golden/nets/README.md section 1 defines them, by the last component of its name.
std::vector<float> golden_variable(const std::string& salt, const std::string& name, const Shape& shape);

}  // namespace fastnn::tests

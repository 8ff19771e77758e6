#include "tests/support/golden.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/base/hash.h"
#include "kernels/philox.h"
#include "tests/support/paths.h"

namespace fastnn::tests {
namespace {

std::filesystem::path folder_from(const char* variable, const std::filesystem::path& otherwise) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? std::filesystem::path(value) : otherwise;
}

double variable_scale(const std::string& component, const Shape& shape) {
  if (component == "biases" || component == "beta" || component == "moving_mean" || component == "gamma")
    return 0.1;
  if (component == "moving_variance") return 0.5;
  if (component == "depthwise_weights") return std::sqrt(6.0 / static_cast<double>(shape[0] * shape[1]));
  return std::sqrt(6.0 / static_cast<double>(shape.elements() / shape[-1]));
}

}  // namespace

std::filesystem::path sample_dir() {
  return std::filesystem::path(source_dir()) / "tests/golden";
}

std::filesystem::path golden_dir() {
  return folder_from("FASTNN_GOLDEN_DIR", sample_dir());
}

std::filesystem::path data_dir() {
  const auto folder =
      folder_from("FASTNN_DATA_DIR", std::filesystem::path(source_dir()).parent_path() / "shared/data");
  return std::filesystem::is_directory(folder) ? folder : std::filesystem::path();
}

nlohmann::json golden_json(const std::string& relative_path) {
  const auto path = golden_dir() / relative_path;
  std::ifstream file(path);
  if (!file) throw std::runtime_error("[golden] cannot open " + path.string());
  return nlohmann::json::parse(file);
}

GoldenSequence::GoldenSequence(std::string_view name) : start_(fnv1a64(name)) {}

double GoldenSequence::operator[](std::uint64_t index) const {
  return static_cast<double>(kernels::mix64(start_ + index) >> 40) / 8388608.0 - 1.0;
}

double golden_uniform(std::string_view name, std::uint64_t index) {
  return GoldenSequence(name)[index];
}

std::vector<double> golden_values(std::string_view name, std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  const GoldenSequence u(name);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = u[i];
  return values;
}

std::vector<float> golden_variable(const std::string& salt, const std::string& name, const Shape& shape) {
  const std::string component = name.substr(name.rfind('/') + 1);
  const double scale = variable_scale(component, shape);
  const double offset = component == "gamma" || component == "moving_variance" ? 1.0 : 0.0;
  std::vector<float> values(static_cast<std::size_t>(shape.elements()));
  const GoldenSequence u(salt + name);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(u[i] * scale + offset);
  return values;
}

}  // namespace fastnn::tests

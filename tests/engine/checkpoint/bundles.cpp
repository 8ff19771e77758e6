#include "tests/engine/checkpoint/bundles.h"

#include <vector>

#include "engine/checkpoint/bundle_writer.h"
#include "tests/support/golden.h"

namespace fastnn::tests {
namespace {

template <class T>
Tensor scaled(const std::string& name, const Shape& shape) {
  std::vector<T> values;
  for (const double value : golden_values(name, shape.elements()))
    values.push_back(static_cast<T>(0.1 * value));
  return Tensor::of<T>(shape, values);
}

}  // namespace

std::map<std::string, Tensor> small_tensors() {
  const std::vector<std::int64_t> step = {100};
  const std::vector<std::int32_t> numbers = {-5, 0, 2147483647};
  std::map<std::string, Tensor> tensors = {
      {"global_step", Tensor::of<std::int64_t>({}, step)},
      {"net/double", scaled<double>("net/double", {2, 2})},
      {"net/int32", Tensor::of<std::int32_t>({3}, numbers)},
  };
  const std::map<std::string, Shape> floats = {
      {"net/conv1/biases", {4}}, {"net/conv1/weights", {3, 3, 3, 4}}, {"net/scalar", {}}};
  for (const auto& [name, shape] : floats) tensors.emplace(name, scaled<float>(name, shape));
  return tensors;
}

void save(const std::filesystem::path& prefix, const std::map<std::string, Tensor>& tensors) {
  BundleWriter writer(prefix);
  for (const auto& [name, tensor] : tensors) writer.add(name, tensor);
  writer.finish();
}

std::map<std::string, Tensor> filled(std::int64_t elements, float value) {
  const std::vector<float> values(static_cast<std::size_t>(elements), value);
  return {{"w", Tensor::of<float>({elements}, values)}};
}

}  // namespace fastnn::tests

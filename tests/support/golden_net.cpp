#include "tests/support/golden_net.h"

#include <cmath>

#include "tests/support/golden.h"

namespace fastnn::tests {

void set_golden_weights(TrainState& state, const std::string& salt) {
  for (const ParameterEntry& entry : state.parameters())
    state.write_weights(entry,
                        Tensor::of<float>(entry.shape, golden_variable(salt, entry.name, entry.shape)));
}

Tensor golden_images(const std::string& salt, std::int64_t batch_size, std::int64_t image_size) {
  Tensor images(Dtype::f32, {batch_size, image_size, image_size, 3});
  const auto pixels = images.values<float>();
  const std::int64_t per_image = image_size * image_size * 3;
  const GoldenSequence image(salt + "images");
  const GoldenSequence tint(salt + "tint");
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const auto n = static_cast<std::int64_t>(i) / per_image;
    const auto c = static_cast<std::int64_t>(i) % 3;
    pixels[i] = static_cast<float>(0.5 * image[i] + 0.5 * tint[static_cast<std::uint64_t>(n * 3 + c)]);
  }
  return images;
}

double l2norm(const Tensor& tensor) {
  const Tensor values = tensor.as(Dtype::f64);
  double sum = 0;
  for (const double value : values.values<double>()) sum += value * value;
  return std::sqrt(sum);
}

double projection(const Tensor& tensor, const std::string& name) {
  const Tensor values = tensor.as(Dtype::f64);
  double sum = 0;
  std::uint64_t i = 0;
  const GoldenSequence u(name);
  for (const double value : values.values<double>()) sum += value * u[i++];
  return sum;
}

}  // namespace fastnn::tests

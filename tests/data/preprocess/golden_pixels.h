#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "data/images/encoded_image.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

namespace fastnn::tests {

/// The cases of deterministic_ops.json whose name starts so; none where the golden folder lacks the file.
inline std::vector<nlohmann::json> golden_operations(const std::string& prefix) {
  if (!has_golden("preprocessing/deterministic_ops.json")) return {};
  const auto golden = golden_json("preprocessing/deterministic_ops.json");
  std::vector<nlohmann::json> cases;
  for (const auto& row : golden["cases"])
    if (row["case"].get<std::string>().starts_with(prefix)) cases.push_back(row);
  return cases;
}

/// "small" of deterministic_ops.json: [6, 5, 3], in [0, 1).
inline std::vector<float> golden_small() {
  const std::string salt = golden_json("preprocessing/deterministic_ops.json")["salt"];
  std::vector<float> values;
  for (const double u : golden_values(salt + "img", 90)) values.push_back(static_cast<float>(0.5 + 0.5 * u));
  return values;
}

/// "small255": floor(256 * small).
inline Image golden_small255() {
  Image image(6, 5, 3);
  const auto values = golden_small();
  for (std::size_t i = 0; i < values.size(); ++i) image.pixels()[i] = std::uint8_t(256 * values[i]);
  return image;
}

/// A file of preprocessing/images in a golden folder, as FastNN decodes it.
inline Image golden_image(const std::string& file, const std::filesystem::path& folder = golden_dir()) {
  const auto bytes = file_bytes(folder / "preprocessing/images" / file);
  Image image;
  EncodedImage(bytes, {.jpeg_dct = JpegDct::fast}).decode(image);
  return image;
}

/// Compares with the full values, or with mean, norm, projection and samples, of a golden row.
inline void check_golden(std::span<const float> values, const nlohmann::json& row, double tolerance) {
  if (row.contains("values")) {
    const auto expected = row["values"].get<std::vector<double>>();
    REQUIRE(values.size() == expected.size());
    double worst = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      worst = std::max(worst, std::abs(values[i] - expected[i]));
    CHECK(worst <= tolerance);
    return;
  }
  double sum = 0, squares = 0, projection = 0, worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    squares += double{values[i]} * values[i];
    projection += values[i] * golden_uniform("p", i);
  }
  const auto count = static_cast<double>(values.size());
  for (std::size_t k = 0; k < 32; ++k)
    worst = std::max(worst, std::abs(values[k * (values.size() - 1) / 31] - row["samples"][k].get<double>()));
  CHECK(worst <= tolerance);
  CHECK(std::abs(sum / count - row["mean"].get<double>()) <= tolerance);
  CHECK(std::abs(std::sqrt(squares) - row["l2norm"].get<double>()) <= tolerance * std::sqrt(count));
  // Errors of independent signs: their projection grows with the root of the count.
  CHECK(std::abs(projection - row["projection"].get<double>()) <= 4 * tolerance * std::sqrt(count));
}

}  // namespace fastnn::tests

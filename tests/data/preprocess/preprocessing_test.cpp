#include "data/preprocess/preprocessing.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "data/images/decode.h"
#include "engine/core/error.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

std::vector<float> preprocess(PreprocessingMode mode, const Image& image, const ImageShape& output) {
  std::vector<float> values(output.elements());
  make_preprocessing("lenet", {.mode = mode, .output = output})->run(image, {}, values);
  return values;
}

void check_statistics(const std::vector<float>& values, const nlohmann::json& expected) {
  double sum = 0, squares = 0, projection = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    squares += double{values[i]} * values[i];
    projection += values[i] * golden_uniform("p", i);
  }
  CHECK(sum / double(values.size()) == Approx(expected["mean"].get<double>()).epsilon(1e-6));
  CHECK(std::sqrt(squares) == Approx(expected["l2norm"].get<double>()).epsilon(1e-6));
  CHECK(projection == Approx(expected["projection"].get<double>()).epsilon(1e-5));
  const std::size_t last = values.size() - 1;
  for (std::size_t k = 0; k < 32; ++k) CHECK(values[k * last / 31] == expected["samples"][k].get<float>());
}

}  // namespace

TEST_CASE("golden: lenet preprocessing of the golden PNG images gives the original's figures") {
  const auto golden = golden_json("preprocessing/decode_and_eval.json");
  int compared = 0;
  for (const auto& row : golden["images"]) {
    const std::string file = row["file"];
    if (!file.ends_with(".png")) continue;
    CAPTURE(file);
    const Image image = decode_image(file_bytes(golden_dir() / "preprocessing" / file));
    for (const int size : {28, 32}) {
      CAPTURE(size);
      check_statistics(preprocess(PreprocessingMode::evaluation, image, {size, size, 3}),
                       row["eval"]["lenet_" + std::to_string(size)]);
      ++compared;
    }
  }
  CHECK(compared == 6);
}

TEST_CASE("lenet: height and width keep their order in images that are not square") {
  const Image image = ramp_image(2, 3, 3);
  const auto values = preprocess(PreprocessingMode::training, image, {2, 3, 3});
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == (image.pixels()[i] - 128.0F) / 128.0F);
  const auto wider = preprocess(PreprocessingMode::training, image, {2, 5, 3});
  CHECK(wider[0] == -1.0F);
  CHECK(wider[3] == values[0]);
  CHECK(wider[15 + 3] == values[9]);
}

TEST_CASE("lenet: training and evaluation give the same values") {
  const Image image = ramp_image(31, 20, 3);
  CHECK(preprocess(PreprocessingMode::training, image, {28, 28, 3}) ==
        preprocess(PreprocessingMode::evaluation, image, {28, 28, 3}));
}

TEST_CASE("preprocessing: an unknown name lists the known ones") {
  CHECK_THROWS_AS(make_preprocessing("lenett", {.output = {28, 28, 3}}), UsageError);
  CHECK_THROWS_WITH(make_preprocessing("lenett", {.output = {28, 28, 3}}),
                    Contains("unknown preprocessing \"lenett\"; known: lenet"));
}

TEST_CASE("preprocessing: every entry refuses an output without pixels and a span of another size") {
  for (const PreprocessingEntry& entry : preprocessings()) {
    CAPTURE(entry.name);
    CHECK_FALSE(entry.summary.empty());
    CHECK_THROWS_WITH(make_preprocessing(entry.name, {.output = {0, 28, 3}}), Contains("got 0 x 28 x 3"));
    const auto preprocessing = make_preprocessing(entry.name, {.output = {28, 30, 3}});
    CHECK(preprocessing->output() == ImageShape{28, 30, 3});
    std::vector<float> values(28 * 30 * 3);
    CHECK_THROWS_AS(preprocessing->run(ramp_image(8, 8, 1), {}, values), UsageError);
    CHECK_THROWS_WITH(preprocessing->run(ramp_image(8, 8, 3), {}, std::span(values).first(10)),
                      Contains("into 2520 floats expected") && Contains("into 10"));
  }
}

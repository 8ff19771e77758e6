#include <map>
#include <nlohmann/json.hpp>

#include "kernels/ranking.h"
#include "kernels/reference/conv2d.h"
#include "kernels/reference/dense.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/pool.h"
#include "kernels/reference/softmax.h"
#include "tests/kernels/compare.h"
#include "tests/support/catch.h"

using namespace fastnn::kernels;
using namespace fastnn::tests;
using nlohmann::json;

namespace {

constexpr double kTolerance = 1e-11;

// One case of layers.json: inputs from the formula, results of our kernels by name.
struct Layer {
  json description;
  std::map<std::string, Doubles> inputs;
  Doubles dy;
  Doubles y;
  std::map<std::string, Doubles> gradients;

  std::int64_t extent(const std::string& input, int dimension) const {
    return description.at("inputs").at(input).at("shape").at(static_cast<std::size_t>(dimension));
  }
  std::int64_t count(const std::string& input) const {
    return static_cast<std::int64_t>(inputs.at(input).size());
  }
  const double* in(const std::string& name) const { return inputs.at(name).data(); }
  double* gradient(const std::string& name) {
    return gradients.try_emplace(name, inputs.at(name).size()).first->second.data();
  }
};

Doubles input_values(const std::string& id, const std::string& name, const json& input) {
  std::int64_t count = 1;
  for (const std::int64_t extent : input.at("shape")) count *= extent;
  Doubles values = golden_values(id + "/" + name, count);
  const auto rule = input.at("values").get<std::string>();
  for (double& u : values) {
    if (rule == "scale*u")
      u *= input.at("scale").get<double>();
    else if (rule.starts_with("floor(4*u)/4"))
      u = std::floor(4 * u) / 4;
    else
      throw std::runtime_error("[golden] unknown rule of values " + rule);
  }
  return values;
}

Layer layer_of(const json& description, const std::string& salt) {
  Layer layer;
  layer.description = description;
  const auto id = salt + description.at("id").get<std::string>();
  for (const auto& [name, input] : description.at("inputs").items())
    layer.inputs[name] = input_values(id, name, input);
  const auto outputs = static_cast<std::int64_t>(description.at("y").size());
  layer.dy = golden_values(id + "/dy", outputs);
  layer.y.resize(static_cast<std::size_t>(outputs));
  return layer;
}

Window2d window_of(const Layer& layer, std::int64_t R, std::int64_t S) {
  const json& attributes = layer.description.at("attrs");
  const json ones = {1, 1};
  const json dilations = attributes.value("dilations", ones);
  Window2d window{.N = layer.extent("x", 0),
                  .H = layer.extent("x", 1),
                  .W = layer.extent("x", 2),
                  .C = layer.extent("x", 3),
                  .R = R,
                  .S = S,
                  .stride_h = attributes.at("strides")[0],
                  .stride_w = attributes.at("strides")[1],
                  .dilation_h = dilations[0],
                  .dilation_w = dilations[1]};
  if (attributes.contains("padding"))
    return with_padding(window, attributes.at("padding") == "SAME" ? Padding::same : Padding::valid);
  window.P = layer.description.at("output_shape")[1];
  window.Q = layer.description.at("output_shape")[2];
  window.pad_top = attributes.at("pad")[0][0];
  window.pad_left = attributes.at("pad")[1][0];
  return window;
}

void run_conv2d(Layer& layer) {
  const Conv2d conv{window_of(layer, layer.extent("w", 0), layer.extent("w", 1)), layer.extent("w", 3)};
  reference::conv2d(conv, layer.in("x"), layer.in("w"), layer.y.data());
  Doubles dz = layer.dy;
  if (layer.inputs.contains("b")) {
    const std::int64_t rows = static_cast<std::int64_t>(dz.size()) / conv.K;
    reference::bias_add(rows, conv.K, layer.y.data(), layer.in("b"), layer.y.data());
    const auto count = static_cast<std::int64_t>(dz.size());
    reference::relu(count, layer.y.data(), layer.y.data());
    reference::relu_gradient(count, layer.y.data(), dz.data(), dz.data());
    reference::bias_gradient(rows, conv.K, dz.data(), layer.gradient("b"));
  }
  reference::conv2d_input_gradient(conv, layer.in("w"), dz.data(), layer.gradient("x"));
  reference::conv2d_weight_gradient(conv, layer.in("x"), dz.data(), layer.gradient("w"));
}

void run_max_pool(Layer& layer) {
  const json& size = layer.description.at("attrs").at("ksize");
  const Window2d window = window_of(layer, size[0], size[1]);
  std::vector<std::uint8_t> index(layer.y.size());
  reference::max_pool(window, layer.in("x"), layer.y.data(), index.data());
  reference::max_pool_gradient(window, index.data(), layer.dy.data(), layer.gradient("x"));
}

void run_dense(Layer& layer) {
  const Dense dense{.N = layer.extent("x", 0), .C = layer.extent("w", 0), .K = layer.extent("w", 1)};
  reference::dense(dense, layer.in("x"), layer.in("w"), layer.y.data());
  reference::dense_input_gradient(dense, layer.in("w"), layer.dy.data(), layer.gradient("x"));
  reference::dense_weight_gradient(dense, layer.in("x"), layer.dy.data(), layer.gradient("w"));
  if (!layer.inputs.contains("b")) return;
  reference::bias_add(dense.N, dense.K, layer.y.data(), layer.in("b"), layer.y.data());
  reference::bias_gradient(dense.N, dense.K, layer.dy.data(), layer.gradient("b"));
}

void run_relu(Layer& layer) {
  reference::relu(layer.count("x"), layer.in("x"), layer.y.data());
  reference::relu_gradient(layer.count("x"), layer.y.data(), layer.dy.data(), layer.gradient("x"));
}

void run_softmax(Layer& layer) {
  const std::int64_t N = layer.extent("x", 0), C = layer.extent("x", 1);
  reference::softmax(N, C, layer.in("x"), layer.y.data());
  reference::softmax_gradient(N, C, layer.y.data(), layer.dy.data(), layer.gradient("x"));
}

const std::map<std::string, void (*)(Layer&)> kRunners = {{"conv2d", run_conv2d},
                                                          {"conv2d_bias_relu", run_conv2d},
                                                          {"conv2d_explicit_pad", run_conv2d},
                                                          {"max_pool", run_max_pool},
                                                          {"dense", run_dense},
                                                          {"flatten_dense", run_dense},
                                                          {"relu", run_relu},
                                                          {"softmax", run_softmax}};

// Numbers of losses.json, where "nan", "inf" and "-inf" are strings.
Doubles numbers(const json& list) {
  Doubles values;
  for (const json& value : list)
    values.push_back(value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>());
  return values;
}

}  // namespace

TEST_CASE("golden: reference kernels give TensorFlow's layers and all their gradients") {
  if (!has_golden("layers.json")) return;
  int compared = 0;
  const json golden = golden_json("layers.json");
  for (const json& description : golden.at("cases")) {
    const auto runner = kRunners.find(description.at("op"));
    if (runner == kRunners.end()) continue;
    ++compared;
    Layer layer = layer_of(description, golden.at("salt"));
    INFO(description.at("id"));
    runner->second(layer);
    CHECK(largest_error(layer.y, description.at("y").get<Doubles>()) < kTolerance);
    for (const auto& [name, expected] : description.at("grads").items())
      CHECK(largest_error(layer.gradients[name], expected.get<Doubles>()) < kTolerance);
  }
  CHECK(compared > 0);
}

TEST_CASE("golden: reference cross-entropy gives TensorFlow's loss and gradient, extreme logits included") {
  if (!has_golden("losses.json")) return;
  const json cases = golden_json("losses.json").at("cross_entropy");
  REQUIRE_FALSE(cases.empty());
  for (const json& c : cases) {
    INFO(c.at("case"));
    const Doubles logits = numbers(c.at("logits"));
    const auto labels = c.at("labels").get<std::vector<std::int32_t>>();
    const std::int64_t N = c.at("shape")[0];
    const CrossEntropy options{.N = N,
                               .C = c.at("shape")[1],
                               .valid_rows = N,
                               .divisor = static_cast<double>(N),
                               .label_smoothing = c.at("label_smoothing")};
    const double weight = c.at("weight");
    Doubles p(logits.size());
    const double loss =
        weight * reference::softmax_cross_entropy(options, logits.data(), labels.data(), p.data());
    CHECK(loss == Approx(c.at("loss").get<double>()).epsilon(1e-12).margin(1e-15));
    reference::softmax_cross_entropy_gradient(options, p.data(), labels.data(), weight, p.data());
    CHECK(largest_error(p, c.at("grad_logits").get<Doubles>()) < 2e-12);
  }
}

TEST_CASE("golden: top-k and first-maximum counts follow TensorFlow on ties, NaN and bad labels") {
  if (!has_golden("losses.json")) return;
  const json cases = golden_json("losses.json").at("top_k");
  REQUIRE_FALSE(cases.empty());
  for (const json& c : cases) {
    INFO(c.at("case"));
    const Doubles logits = numbers(c.at("logits"));
    const auto labels = c.at("targets").get<std::vector<std::int32_t>>();
    const std::int64_t N = c.at("shape")[0], C = c.at("shape")[1];
    const auto expected = [&](const char* name) {
      const auto flags = c.at(name).get<std::vector<bool>>();
      return std::count(flags.begin(), flags.end(), true);
    };
    CHECK(top_k_count(N, C, 1, logits.data(), labels.data()) == expected("in_top_1"));
    CHECK(top_k_count(N, C, 3, logits.data(), labels.data()) == expected("in_top_3"));
    CHECK(top_k_count(N, C, 5, logits.data(), labels.data()) == expected("in_top_5"));
    CHECK(correct_count(N, C, logits.data(), labels.data()) == expected("argmax_equals_target"));
    for (std::int64_t n = 0; n < N; ++n)
      CHECK(first_maximum(logits.data() + n * C, C) == c.at("argmax")[static_cast<std::size_t>(n)]);
  }
}

TEST_CASE("reference cross-entropy: invalid rows count for nothing, a bad label makes the loss NaN") {
  const Doubles logits = {1, 2, 3, 4, 0, -1};
  const std::vector<std::int32_t> labels = {2, 7};
  const CrossEntropy options{.N = 2, .C = 3, .valid_rows = 1, .divisor = 2};
  Doubles p(6), d(6);
  const double loss = reference::softmax_cross_entropy(options, logits.data(), labels.data(), p.data());
  CHECK(loss == Approx(std::log(1 + std::exp(-1) + std::exp(-2)) / 2));
  reference::softmax_cross_entropy_gradient(options, p.data(), labels.data(), 1, d.data());
  CHECK(d[2] == Approx((p[2] - 1) / 2));
  CHECK(Doubles(d.begin() + 3, d.end()) == Doubles(3, 0.0));
  const CrossEntropy both{.N = 2, .C = 3, .valid_rows = 2, .divisor = 2};
  CHECK(std::isnan(reference::softmax_cross_entropy(both, logits.data(), labels.data(), p.data())));
  reference::softmax_cross_entropy_gradient(both, p.data(), labels.data(), 1, d.data());
  CHECK(std::isnan(d[3]));
  CHECK_FALSE(std::isnan(d[0]));
}

#include <fmt/ranges.h>

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/graph/ops/batch_norm.h"
#include "engine/graph/ops/bias_add.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/dense.h"
#include "engine/graph/ops/max_pool.h"
#include "engine/graph/ops/relu.h"
#include "engine/graph/ops/relu6.h"
#include "engine/graph/ops/reshape.h"
#include "engine/graph/ops/scale_add.h"
#include "engine/graph/ops/softmax.h"
#include "tests/support/case_runner.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;
using nlohmann::json;

namespace {

using Operands = std::map<std::string, Value>;
using Builder = Value (*)(Graph&, const Operands&, const json& attributes);

std::array<int, 2> pair_of(const json& values) {
  return {values[0].get<int>(), values[1].get<int>()};
}

WindowAttributes window_of(const json& attributes) {
  return {.stride = pair_of(attributes["strides"]),
          .padding = attributes["padding"] == "SAME" ? Padding::same : Padding::valid,
          .dilation = attributes.contains("dilations") ? pair_of(attributes["dilations"]) : std::array{1, 1}};
}

Value convolution(Graph& graph, const Operands& o, const json& attributes) {
  return conv2d(graph, o.at("x"), o.at("w"), window_of(attributes), "y");
}

Value convolution_bias_relu(Graph& graph, const Operands& o, const json& attributes) {
  const Value sum = conv2d(graph, o.at("x"), o.at("w"), window_of(attributes), "conv");
  return relu(graph, bias_add(graph, sum, o.at("b"), "bias"), "y");
}

Value pool(Graph& graph, const Operands& o, const json& attributes) {
  return max_pool(graph, o.at("x"), pair_of(attributes["ksize"]), window_of(attributes), "y");
}

Value dense_bias(Graph& graph, const Operands& o, const json&) {
  return bias_add(graph, dense(graph, o.at("x"), o.at("w"), "matmul"), o.at("b"), "y");
}

Value flatten_dense(Graph& graph, const Operands& o, const json&) {
  const Shape& x = graph.shape(o.at("x"));
  return dense(graph, reshape(graph, o.at("x"), {x[0], x.elements() / x[0]}, "flat"), o.at("w"), "y");
}

BatchNormVariables batch_norm_variables(const Operands& o) {
  return {.beta = o.at("beta"),
          .gamma = o.contains("gamma") ? o.at("gamma") : Value{},
          .moving_mean = o.at("moving_mean"),
          .moving_variance = o.at("moving_variance")};
}

Value batch_norm_training(Graph& graph, const Operands& o, const json& attributes) {
  return batch_norm(graph, o.at("x"), batch_norm_variables(o),
                    {.epsilon = attributes["epsilon"], .decay = attributes["decay"]}, "y");
}

Value batch_norm_frozen(Graph& graph, const Operands& o, const json& attributes) {
  return batch_norm(graph, o.at("x"), batch_norm_variables(o),
                    {.epsilon = attributes["epsilon"], .mode = BatchNormMode::frozen}, "y");
}

Value scaled_residual(Graph& graph, const Operands& o, const json& attributes) {
  return scale_add(graph, o.at("x"), o.at("r"), attributes["scale"], "y");
}

Value scaled_residual_relu(Graph& graph, const Operands& o, const json& attributes) {
  return relu(graph, scale_add(graph, o.at("x"), o.at("r"), attributes["scale"], "sum"), "y");
}

/// How each operation of golden/layers.json is built; a new operation of the engine gets its row here.
const std::map<std::string, Builder>& builders() {
  static const std::map<std::string, Builder> table = {
      {"batch_norm_inference", batch_norm_frozen},
      {"batch_norm_train", batch_norm_training},
      {"conv2d", convolution},
      {"conv2d_bias_relu", convolution_bias_relu},
      {"dense", dense_bias},
      {"flatten_dense", flatten_dense},
      {"max_pool", pool},
      {"relu", [](Graph& graph, const Operands& o, const json&) { return relu(graph, o.at("x"), "y"); }},
      {"relu6", [](Graph& graph, const Operands& o, const json&) { return relu6(graph, o.at("x"), "y"); }},
      {"scale_add", scaled_residual},
      {"scale_add_relu", scaled_residual_relu},
      {"softmax",
       [](Graph& graph, const Operands& o, const json&) { return softmax(graph, o.at("x"), "y"); }},
  };
  return table;
}

Shape shape_of(const json& extents) {
  return Shape(extents.get<std::vector<std::int64_t>>());
}

CaseOperand::Role role_of(const std::string& operand) {
  if (operand.starts_with("moving_")) return CaseOperand::Role::moving;
  const bool is_variable = operand == "w" || operand == "b" || operand == "beta" || operand == "gamma";
  return is_variable ? CaseOperand::Role::variable : CaseOperand::Role::input;
}

double transformed(const std::string& rule, double scale, double u) {
  if (rule == "scale*u") return scale * u;
  if (rule == "0.5+0.5*|u|") return 0.5 + 0.5 * std::abs(u);
  if (rule.starts_with("floor(4*u)/4")) return std::floor(4 * u) / 4;
  throw std::runtime_error("unknown rule of values in layers.json: " + rule);
}

Tensor tensor_of(const Shape& shape, const json& values) {
  return Tensor::of<double>(shape, values.get<std::vector<double>>());
}

OperationCase case_of(const json& golden) {
  OperationCase result{.name = golden["id"]};
  std::vector<std::string> names;
  for (const auto& [name, input] : golden["inputs"].items()) {
    names.push_back(name);
    result.operands.push_back({name, shape_of(input["shape"]), role_of(name)});
  }
  result.build = [names, golden](Graph& graph, const std::vector<Value>& values) {
    Operands operands;
    for (std::size_t i = 0; i < names.size(); ++i) operands.emplace(names[i], values[i]);
    return builders().at(golden["op"])(graph, operands, golden["attrs"]);
  };
  return result;
}

CaseValues values_of(const json& golden, const std::string& salt) {
  CaseValues values;
  const std::string id = golden["id"];
  const auto fill = [&](const std::string& name, const Shape& shape, const std::string& rule, double scale) {
    auto numbers = golden_values(salt + id + "/" + name, shape.elements());
    for (double& number : numbers) number = transformed(rule, scale, number);
    values.emplace(name, Tensor::of<double>(shape, numbers));
  };
  for (const auto& [name, input] : golden["inputs"].items())
    fill(name, shape_of(input["shape"]), input["values"], input["scale"]);
  fill("dy", shape_of(golden["output_shape"]), "scale*u", 1.0);
  return values;
}

/// Compares all cases whose operation exists; prints how many, and which operations do not exist.
void compare_layers(std::string_view device_name, double tolerance) {
  const json golden = golden_json("layers.json");
  REQUIRE_FALSE(golden["cases"].empty());
  const auto device = make_device(device_name, 0);
  int compared = 0;
  std::map<std::string, int> missing;
  for (const json& layer : golden["cases"]) {
    if (!builders().contains(layer["op"])) {
      ++missing[layer["op"]];
      continue;
    }
    INFO(layer["id"].get<std::string>());
    const CaseResult result = CaseRunner(case_of(layer), *device).run(values_of(layer, golden["salt"]));
    CHECK(relative_difference(result.y, tensor_of(shape_of(layer["output_shape"]), layer["y"])) <= tolerance);
    for (const auto& [operand, gradient] : layer["grads"].items()) {
      INFO("gradient of " << operand);
      if (role_of(operand) == CaseOperand::Role::moving) continue;  // a constant to this engine
      const Tensor& computed = result.gradients.at(operand);
      CHECK(relative_difference(computed, tensor_of(computed.shape(), gradient)) <= tolerance);
    }
    for (const auto& [variable, moving] : result.moving) {
      INFO("new value of " << variable);
      const bool changes = layer["op"] == "batch_norm_train";
      const Tensor expected = changes ? tensor_of(moving.shape(), layer["extra"]["new_" + variable])
                                      : values_of(layer, golden["salt"]).at(variable);
      CHECK(relative_difference(moving, expected) <= tolerance);
    }
    ++compared;
  }
  REQUIRE(compared > 0);
  std::cout << fmt::format(
      "golden layers on {}: {} of {} cases compared; operations that do not exist yet: {}\n", device_name,
      compared, golden["cases"].size(), missing);
}

}  // namespace

TEST_CASE("golden layers: the reference device agrees to 1e-11") {
  compare_layers("reference", 1e-11);
}

TEST_CASE("golden layers: the CPU device agrees to 1e-5 of the largest value") {
  compare_layers("cpu", 1e-5);
}

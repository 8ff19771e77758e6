#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/graph/ops/avg_pool.h"
#include "engine/graph/ops/batch_norm.h"
#include "engine/graph/ops/bias_add.h"
#include "engine/graph/ops/concat.h"
#include "engine/graph/ops/conv2d.h"
#include "engine/graph/ops/dense.h"
#include "engine/graph/ops/depthwise_conv2d.h"
#include "engine/graph/ops/lrn.h"
#include "engine/graph/ops/max_pool.h"
#include "engine/graph/ops/relu.h"
#include "engine/graph/ops/relu6.h"
#include "engine/graph/ops/reshape.h"
#include "engine/graph/ops/scale_add.h"
#include "engine/graph/ops/slice.h"
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

Value batch_norm_of(Graph& graph, const Operands& o, const BatchNormOptions& options) {
  const BatchNormVariables variables{.beta = o.at("beta"),
                                     .gamma = o.contains("gamma") ? o.at("gamma") : Value{},
                                     .moving_mean = o.at("moving_mean"),
                                     .moving_variance = o.at("moving_variance")};
  return batch_norm(graph, o.at("x"), variables, options, "y");
}

Value batch_norm_train(Graph& graph, const Operands& o, const json& attributes) {
  return batch_norm_of(graph, o, {.epsilon = attributes["epsilon"], .decay = attributes["decay"]});
}

Value batch_norm_inference(Graph& graph, const Operands& o, const json& attributes) {
  return batch_norm_of(graph, o, {.epsilon = attributes["epsilon"], .mode = BatchNormMode::frozen});
}

Value scaled_residual(Graph& graph, const Operands& o, const json& attributes) {
  return scale_add(graph, o.at("x"), o.at("r"), attributes["scale"], "y");
}

Value scaled_residual_relu(Graph& graph, const Operands& o, const json& attributes) {
  return relu(graph, scale_add(graph, o.at("x"), o.at("r"), attributes["scale"], "sum"), "y");
}

Value depthwise(Graph& graph, const Operands& o, const json& attributes) {
  return depthwise_conv2d(graph, o.at("x"), o.at("w"), window_of(attributes), "y");
}

Value separable(Graph& graph, const Operands& o, const json& attributes) {
  return separable_conv2d(graph, o.at("x"), {o.at("dw"), o.at("pw")}, window_of(attributes), "y");
}

Pads pads_of(const json& rows, const json& columns) {
  return {rows[0].get<int>(), rows[1].get<int>(), columns[0].get<int>(), columns[1].get<int>()};
}

Value convolution_explicit_pad(Graph& graph, const Operands& o, const json& attributes) {
  const WindowAttributes window{.stride = pair_of(attributes["strides"]),
                                .pads = pads_of(attributes["pad"][0], attributes["pad"][1])};
  return conv2d(graph, o.at("x"), o.at("w"), window, "y");
}

Value average_pool(Graph& graph, const Operands& o, const json& attributes) {
  return avg_pool(graph, o.at("x"), pair_of(attributes["ksize"]), window_of(attributes), "y");
}

Value global_average_pool(Graph& graph, const Operands& o, const json&) {
  return global_avg_pool(graph, o.at("x"), "y");
}

Value local_response(Graph& graph, const Operands& o, const json& attributes) {
  return lrn(graph, o.at("x"),
             {.depth_radius = attributes["depth_radius"],
              .bias = attributes["bias"],
              .alpha = attributes["alpha"],
              .beta = attributes["beta"]},
             "y");
}

Value concat_channels(Graph& graph, const Operands& o, const json&) {
  return concat(graph, {o.at("a"), o.at("b"), o.at("c")}, "y");
}

Value zero_pad(Graph& graph, const Operands& o, const json& attributes) {
  return pad(graph, o.at("x"), pads_of(attributes["paddings"][1], attributes["paddings"][2]), "y");
}

Value every_second(Graph& graph, const Operands& o, const json& attributes) {
  const auto begin = pair_of(attributes["begin"]);
  return strided_slice(graph, o.at("x"), {begin[0], begin[1]}, pair_of(attributes["step"]), "y");
}

Value factorized_reduction_paths(Graph& graph, const Operands& o, const json& attributes) {
  const auto step = pair_of(attributes["strides"]);
  return concat(graph,
                {strided_slice(graph, o.at("x"), {0, 0}, step, "path1"),
                 shifted_slice(graph, o.at("x"), step, "path2")},
                "y");
}

/// How each operation of golden/layers.json is built; a new operation of the engine gets its row here.
const std::map<std::string, Builder>& builders() {
  static const std::map<std::string, Builder> table = {
      {"batch_norm_inference", batch_norm_inference},
      {"batch_norm_train", batch_norm_train},
      {"avg_pool", average_pool},
      {"concat", concat_channels},
      {"conv2d", convolution},
      {"conv2d_bias_relu", convolution_bias_relu},
      {"conv2d_explicit_pad", convolution_explicit_pad},
      {"dense", dense_bias},
      {"depthwise_conv2d", depthwise},
      {"factorized_reduction_paths", factorized_reduction_paths},
      {"flatten_dense", flatten_dense},
      {"global_avg_pool", global_average_pool},
      {"lrn", local_response},
      {"max_pool", pool},
      {"pad", zero_pad},
      {"relu", [](Graph& graph, const Operands& o, const json&) { return relu(graph, o.at("x"), "y"); }},
      {"relu6", [](Graph& graph, const Operands& o, const json&) { return relu6(graph, o.at("x"), "y"); }},
      {"scale_add", scaled_residual},
      {"scale_add_relu", scaled_residual_relu},
      {"separable_conv2d", separable},
      {"softmax",
       [](Graph& graph, const Operands& o, const json&) { return softmax(graph, o.at("x"), "y"); }},
      {"strided_slice", every_second},
  };
  return table;
}

Shape shape_of(const json& extents) {
  return Shape(extents.get<std::vector<std::int64_t>>());
}

CaseOperand::Role role_of(const std::string& operand) {
  static const std::map<std::string, CaseOperand::Role> roles = {
      {"w", CaseOperand::Role::variable},
      {"dw", CaseOperand::Role::variable},
      {"pw", CaseOperand::Role::variable},
      {"b", CaseOperand::Role::variable},
      {"beta", CaseOperand::Role::variable},
      {"gamma", CaseOperand::Role::variable},
      {"moving_mean", CaseOperand::Role::statistic},
      {"moving_variance", CaseOperand::Role::statistic}};
  const auto role = roles.find(operand);
  return role == roles.end() ? CaseOperand::Role::input : role->second;
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

void check_moving_averages(const json& expected, const TrainState& state, double tolerance) {
  for (const std::string name : {"moving_mean", "moving_variance"}) {
    INFO(name);
    const Tensor value = state.read_weights(state.parameter(name)).as(Dtype::f64);
    CHECK(relative_difference(value, tensor_of(value.shape(), expected["new_" + name])) <= tolerance);
  }
}

/// sum(x * gradient of x).
double product_with_gradient(const Tensor& x, const std::vector<double>& gradient) {
  double sum = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) sum += x.values<double>()[i] * gradient[i];
  return sum;
}

/// Whether the file's gradient of an average pool contradicts the file's own loss: the pool is linear, so
/// sum(x * gradient of x) is the loss. One of a window larger than its image does, though its y and loss
/// agree with ours; central differences test such a window in operation_cases().
bool contradicts_itself(const json& layer, const Tensor& x) {
  if (layer["op"] != "avg_pool") return false;
  const double product = product_with_gradient(x, layer["grads"]["x"].get<std::vector<double>>());
  return std::abs(product - layer["loss"].get<double>()) > 1e-9;
}

/// In such a case the identity stands in for the file's gradient.
void check_identity(const json& layer, const Tensor& x, const Tensor& gradient) {
  const auto computed = gradient.values<double>();
  const double product = product_with_gradient(x, {computed.begin(), computed.end()});
  CHECK(std::abs(product - layer["loss"].get<double>()) <= 1e-6);
  WARN("the gradient of " << layer["id"] << " contradicts its file's loss and is not compared");
}

void check_layer(const json& layer, const std::string& salt, Device& device, double tolerance) {
  INFO(layer["id"].get<std::string>());
  const CaseValues values = values_of(layer, salt);
  CaseRunner runner(case_of(layer), device);
  const CaseResult result = runner.run(values);
  CHECK(relative_difference(result.y, tensor_of(shape_of(layer["output_shape"]), layer["y"])) <= tolerance);
  if (layer["op"] == "batch_norm_train") check_moving_averages(layer["extra"], runner.state(), tolerance);
  if (values.contains("x") && contradicts_itself(layer, values.at("x"))) {
    check_identity(layer, values.at("x"), result.gradients.at("x"));
    return;
  }
  for (const auto& [operand, gradient] : layer["grads"].items()) {
    // Moving averages are constants of ours.
    if (role_of(operand) == CaseOperand::Role::statistic) continue;
    INFO("gradient of " << operand);
    const Tensor& computed = result.gradients.at(operand);
    CHECK(relative_difference(computed, tensor_of(computed.shape(), gradient)) <= tolerance);
  }
}

void compare_layers(std::string_view device_name, double tolerance) {
  if (!has_golden("layers.json")) return;
  const json golden = golden_json("layers.json");
  REQUIRE_FALSE(golden["cases"].empty());
  const auto device = make_device(device_name, 0);
  for (const json& layer : golden["cases"]) check_layer(layer, golden["salt"], *device, tolerance);
}

}  // namespace

TEST_CASE("golden layers: the reference device agrees to 1e-11") {
  compare_layers("reference", 1e-11);
}

TEST_CASE("golden layers: the CPU device agrees to 1e-5 of the largest value") {
  compare_layers("cpu", 1e-5);
}

#include "tests/support/case_runner.h"

#include <algorithm>
#include <cmath>

#include "engine/graph/autograd.h"
#include "engine/passes/precision.h"
#include "tests/support/golden.h"

namespace fastnn::tests {
namespace {

using Role = CaseOperand::Role;

bool is_integer(Role role) {
  return role == Role::labels || role == Role::valid_count;
}

bool is_parameter(Role role) {
  return role == Role::variable || role == Role::statistic;
}

Value add_operand(Graph& graph, const CaseOperand& operand) {
  if (is_parameter(operand.role))
    return graph.add_parameter(operand.name, operand.shape, {.trainable = operand.role == Role::variable});
  return graph.add_input(operand.name, operand.shape, is_integer(operand.role) ? Dtype::s32 : Dtype::f32);
}

/// A permutation of equally spaced values, all different by at least 2 * scale / count and none nearer to 0.
std::vector<double> distinct_values(const std::string& name, std::int64_t count, double scale) {
  const auto random = golden_values(name, count);
  std::vector<std::size_t> order(random.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return random[i]; });
  std::vector<double> values(random.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    values[order[rank]] = static_cast<float>(
        scale * ((2.0 * static_cast<double>(rank) + 1.5) / static_cast<double>(count) - 1.0));
  return values;
}

Tensor operand_values(const CaseOperand& operand, const std::string& key) {
  if (operand.role == Role::valid_count)
    return Tensor::of<std::int32_t>(operand.shape, std::vector{static_cast<std::int32_t>(operand.scale)});
  std::vector<double> values = operand.distinct
                                   ? distinct_values(key, operand.shape.elements(), operand.scale)
                                   : golden_values(key, operand.shape.elements());
  if (!operand.distinct)
    for (double& value : values) value = operand.offset + operand.scale * value;
  if (operand.role != Role::labels) return Tensor::of<double>(operand.shape, values);
  std::vector<std::int32_t> labels;
  for (const double value : values) labels.push_back(static_cast<std::int32_t>(std::abs(value)));
  return Tensor::of<std::int32_t>(operand.shape, labels);
}

}  // namespace

CaseValues case_values(const OperationCase& operation_case) {
  CaseValues values;
  for (const CaseOperand& operand : operation_case.operands)
    values.emplace(operand.name, operand_values(operand, operation_case.name + "/" + operand.name));
  return values;
}

CaseValues case_values_in_bf16(const OperationCase& operation_case) {
  CaseValues values = case_values(operation_case);
  for (auto& [name, tensor] : values)
    if (tensor.dtype() == Dtype::f64) tensor = tensor.as(Dtype::bf16).as(Dtype::f64);
  return values;
}

CaseRunner::CaseRunner(const OperationCase& operation_case, Device& device, MemoryReuse reuse)
    : CaseRunner(operation_case, device, Dtype::f32, reuse) {}

CaseRunner::CaseRunner(const OperationCase& operation_case, Device& device, Dtype type, MemoryReuse reuse)
    : operands_(operation_case.operands) {
  Graph graph;
  for (const CaseOperand& operand : operands_) values_.push_back(add_operand(graph, operand));
  y_ = operation_case.build(graph, values_);
  compute_in(graph, type);
  dy_ = graph.add_input("dy", graph.shape(y_), graph.info(y_).spec.dtype);
  std::vector<Value> wanted;
  for (std::size_t i = 0; i < operands_.size(); ++i)
    if (!is_integer(operands_[i].role) && operands_[i].role != Role::statistic) wanted.push_back(values_[i]);
  const OutputGradient seed{y_, dy_};
  gradients_ = add_gradients(graph, {&seed, 1}, wanted);
  PlanOptions options{.keep = {y_}, .gradients = {}, .reuse = reuse};
  for (const auto& [value, gradient] : gradients_)
    if (graph.info(value).source == Source::parameter)
      options.gradients.emplace(value, gradient);
    else
      options.keep.push_back(gradient);
  const auto parameters = graph.parameters();
  state_ = std::make_unique<TrainState>(graph, parameters, device);
  plan_ = std::make_unique<Plan>(std::move(graph), *state_, options);
  plan_->load();
}

CaseResult CaseRunner::run(const CaseValues& values) {
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const Tensor& tensor = values.at(operands_[i].name);
    if (is_parameter(operands_[i].role))
      state_->write_weights(state_->parameter(operands_[i].name), tensor);
    else
      plan_->write(values_[i], tensor);
  }
  const Shape& y_shape = plan_->graph().shape(y_);
  const auto dy = values.find("dy");
  plan_->write(dy_, dy != values.end() ? dy->second
                                       : Tensor::of<double>(y_shape, golden_values("dy", y_shape.elements()))
                                             .as(plan_->graph().info(y_).spec.dtype)
                                             .as(Dtype::f64));
  plan_->random() = {.seed = 7, .step = 3, .first_sample = 5};
  plan_->prepare();
  plan_->run();
  CaseResult result{plan_->read(y_).as(Dtype::f64), {}};
  for (std::size_t i = 0; i < operands_.size(); ++i)
    if (const auto gradient = gradients_.find(values_[i]); gradient != gradients_.end())
      result.gradients.emplace(operands_[i].name, plan_->read(gradient->second).as(Dtype::f64));
  return result;
}

double relative_difference(const Tensor& a, const Tensor& b) {
  double largest = 0;
  double difference = 0;
  if (a.shape() != b.shape()) return INFINITY;
  const auto left = a.values<double>();
  const auto right = b.values<double>();
  for (std::size_t i = 0; i < right.size(); ++i) {
    largest = std::max(largest, std::abs(right[i]));
    const double d = std::abs(left[i] - right[i]);
    difference = std::isfinite(d) ? std::max(difference, d) : INFINITY;
  }
  return largest > 0 ? difference / largest : difference;
}

}  // namespace fastnn::tests

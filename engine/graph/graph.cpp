#include "engine/graph/graph.h"

#include <fmt/ranges.h>

namespace fastnn {

Value Graph::add_input(std::string name, Shape shape, Dtype dtype) {
  return add_value({.name = std::move(name), .spec = {shape, dtype}, .source = Source::input});
}

Value Graph::add_parameter(std::string name, Shape shape, ParameterSpec spec) {
  return add_value({.name = std::move(name),
                    .spec = {shape, Dtype::f32},
                    .source = Source::parameter,
                    .layout = Layout::native,
                    .parameter = std::move(spec)});
}

Value Graph::add_value(ValueInfo info) {
  if (!names_.insert(info.name).second) throw UsageError("[graph] the name {} is taken", info.name);
  values_.push_back(std::move(info));
  return {static_cast<int>(values_.size()) - 1};
}

std::vector<Value> Graph::add(std::string name, std::shared_ptr<const Operation> operation,
                              std::vector<Value> inputs) {
  std::vector<OperandSpec> outputs;
  try {
    outputs = operation->outputs(specs(inputs));
  } catch (const UsageError& error) {
    throw UsageError("{} (operation {})", error.what(), name);
  }
  std::vector<Value> values;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    values.push_back(add_value({.name = i == 0 ? name : fmt::format("{}:{}", name, i),
                                .spec = outputs[i],
                                .source = Source::operation}));
  nodes_.push_back({std::move(name), std::move(operation), std::move(inputs), values});
  return values;
}

Value Graph::add_single(std::string name, std::shared_ptr<const Operation> operation,
                        std::vector<Value> inputs) {
  return add(std::move(name), std::move(operation), std::move(inputs)).front();
}

const ValueInfo& Graph::info(Value value) const {
  if (value.id < 0 || value.id >= value_count()) throw UsageError("[graph] no value {}", value.id);
  return values_[static_cast<std::size_t>(value.id)];
}

std::vector<OperandSpec> Graph::specs(std::span<const Value> values) const {
  std::vector<OperandSpec> result;
  for (const Value value : values) result.push_back(info(value).spec);
  return result;
}

std::vector<Value> Graph::from(Source source) const {
  std::vector<Value> result;
  for (int id = 0; id < value_count(); ++id)
    if (values_[static_cast<std::size_t>(id)].source == source) result.push_back({id});
  return result;
}

void Graph::assign(Value parameter, Value value) {
  const ValueInfo& variable = info(parameter);
  const ValueInfo& next = info(value);
  if (variable.source != Source::parameter || variable.parameter.trainable)
    throw UsageError("[graph] only a variable that is not trainable can be assigned to, got {}",
                     variable.name);
  if (next.source != Source::operation || next.spec != variable.spec)
    throw UsageError("[graph] {} {} needs the result of an operation of its shape, got {} {}", variable.name,
                     variable.spec.shape.text(), next.name, next.spec.shape.text());
  if (!assignments_.emplace(parameter, value).second)
    throw UsageError("[graph] {} is assigned to twice, the second time by {}", variable.name, next.name);
  set_native(value);
}

void Graph::replace_nodes(std::vector<Node> nodes) {
  std::vector<bool> made(values_.size());
  for (std::size_t id = 0; id < values_.size(); ++id) made[id] = values_[id].source != Source::operation;
  for (const Node& node : nodes) {
    for (const Value input : node.inputs)
      if (!made[static_cast<std::size_t>(input.id)])
        throw UsageError("[graph] {} reads {} before it is made", node.name, name(input));
    for (const Value output : node.outputs) made[static_cast<std::size_t>(output.id)] = true;
  }
  nodes_ = std::move(nodes);
}

std::string Graph::text() const {
  std::string text;
  for (const Node& node : nodes_) {
    std::vector<std::string> inputs;
    for (const Value input : node.inputs) inputs.push_back(name(input));
    text += fmt::format("{} = {}{}{}({}) {}\n", node.name, node.operation->kind(),
                        node.operation->attributes().empty() ? "" : " ", node.operation->attributes(),
                        fmt::join(inputs, ", "), shape(node.outputs.front()).text());
  }
  return text;
}

}  // namespace fastnn

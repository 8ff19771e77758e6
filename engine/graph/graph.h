#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "engine/graph/operation.h"
#include "engine/graph/value.h"

namespace fastnn {

/// The program of one step: values and the operations between them, in an order in which they can run. Copies
/// are independent; handles of one are good in the other. No value is empty: adding one with an extent below
/// 1, an empty batch, throws UsageError.
class Graph {
 public:
  /// A value that is written from outside before each run.
  Value add_input(std::string name, Shape shape, Dtype dtype = Dtype::f32);

  /// A variable that lives in the TrainState under this name. Its layout is native.
  Value add_parameter(std::string name, Shape shape, ParameterSpec spec);

  /// Appends an operation and returns its outputs: the first is named like the operation, the others name:1,
  /// name:2. Throws UsageError if the inputs do not fit or the name is taken.
  std::vector<Value> add(std::string name, std::shared_ptr<const Operation> operation,
                         std::vector<Value> inputs);

  /// add() for an operation of which only the first output is of interest.
  Value add_single(std::string name, std::shared_ptr<const Operation> operation, std::vector<Value> inputs);

  const ValueInfo& info(Value value) const;
  const Shape& shape(Value value) const { return info(value).spec.shape; }
  const std::string& name(Value value) const { return info(value).name; }
  int value_count() const { return static_cast<int>(values_.size()); }

  const std::vector<Node>& nodes() const { return nodes_; }
  /// Specs of values, in their order.
  std::vector<OperandSpec> specs(std::span<const Value> values) const;

  /// All inputs and parameters, in the order of their making.
  std::vector<Value> inputs() const { return from(Source::input); }
  std::vector<Value> parameters() const { return from(Source::parameter); }

  /// Gives a value the device's own layout: the gradients of parameters.
  void set_native(Value value) { values_[static_cast<std::size_t>(value.id)].layout = Layout::native; }

  /// Gives the result of an operation another element type: that which its operation now has.
  void retype(Value value, Dtype dtype) { values_[static_cast<std::size_t>(value.id)].spec.dtype = dtype; }

  /// Each run ends with the parameter holding this value, which lives in the variable's own memory: how a
  /// step changes a variable that no optimizer does. Throws UsageError if the parameter is trainable or has a
  /// value already, or if the value is not made by an operation or has another shape.
  void assign(Value parameter, Value value);
  /// Parameter -> its next value. Passes keep the operations that make them.
  const std::map<Value, Value>& assignments() const { return assignments_; }

  /// Replaces all nodes: how a pass rewrites. Each input must be made before it is read; throws UsageError
  /// otherwise.
  void replace_nodes(std::vector<Node> nodes);

  /// One line per operation: name, kind, attributes, shapes.
  std::string text() const;

 private:
  Value add_value(ValueInfo info);
  std::vector<Value> from(Source source) const;

  std::vector<ValueInfo> values_;
  std::vector<Node> nodes_;
  std::map<Value, Value> assignments_;
  std::unordered_set<std::string> names_;
};

}  // namespace fastnn

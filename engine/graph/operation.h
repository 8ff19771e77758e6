#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/value.h"

namespace fastnn {

class Graph;
class Operation;

/// One operation of a graph with its operands. Its name is a TF-Slim scope path, unique and kept by all
/// passes: the key of random numbers, profiles and messages.
struct Node {
  std::string name;
  std::shared_ptr<const Operation> operation;
  std::vector<Value> inputs;
  std::vector<Value> outputs;
};

/// What an operation needs to add its gradient to the graph.
struct GradientRequest {
  Graph& graph;
  const Node& node;
  /// One per output; an empty Value where nothing depends on that output.
  std::span<const Value> output_gradients;
  /// One per input: is its gradient asked for?
  std::span<const bool> wanted;

  /// Name of a gradient operation: "<node>/gradient/<suffix>".
  std::string name(std::string_view suffix) const { return node.name + "/gradient/" + std::string(suffix); }
};

/// What an operation is: its attributes, shape rule, checks and gradient. Immutable and shared between
/// graphs. A device knows how to run it by its kind.
class Operation {
 public:
  virtual ~Operation() = default;

  /// The field's name in snake_case; the key of the devices' lowering tables.
  virtual std::string_view kind() const = 0;

  /// Attributes for reports, "5x5/1 same"; empty if there are none.
  virtual std::string attributes() const { return {}; }

  /// Shapes of the outputs. Throws UsageError if the inputs do not fit.
  virtual std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const = 0;

  /// Adds the operations that compute the gradients of the wanted inputs and returns one Value per input,
  /// empty where not wanted or zero. Throws UsageError if the operation has no gradient.
  virtual std::vector<Value> gradient(const GradientRequest& request) const;

  /// The input whose memory output 0 may take over when nothing reads it later.
  virtual std::optional<int> in_place_input() const { return std::nullopt; }

  /// Output 0 is input 0 under another shape: no launch, no memory.
  virtual bool is_view() const { return false; }

  /// Floating-point operations of one run, a multiply-add counted as two.
  virtual double flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec> outputs) const;

  /// Elements of one input that a run reads.
  virtual std::int64_t elements_read(std::size_t input, std::span<const OperandSpec> inputs,
                                     std::span<const OperandSpec> outputs) const;

 protected:
  /// Throws UsageError unless there are 'count' inputs.
  void require_inputs(std::span<const OperandSpec> inputs, std::size_t count) const;
};

}  // namespace fastnn

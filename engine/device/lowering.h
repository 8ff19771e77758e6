#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/device/parameter_layout.h"
#include "engine/graph/graph.h"
#include "kernels/philox.h"

namespace fastnn {

/// Runs one prepared piece of work; makes no allocation of ours.
using Launch = std::function<void()>;

/// Memory of one node's operands and helpers, fixed for the life of a plan.
struct Bindings {
  std::span<void* const> inputs;
  std::span<void* const> outputs;
  /// Lowering::scratch_bytes bytes, 64-byte aligned; shared by all launches, which run one after another.
  void* scratch = nullptr;
  /// One per Lowering::prepared.
  std::span<void* const> prepared;
  /// Read by each launch that draws random numbers.
  const kernels::RandomState* random = nullptr;
};

/// A copy of a parameter, or of what is computed from parameters alone, in another layout or type, made once
/// per update in the prepare phase instead of in each launch. Nodes that want the same (input, key) share one
/// copy.
struct PreparedCopy {
  /// The node's input that is copied.
  int input = 0;
  std::string key;
  std::size_t bytes = 0;
  std::function<Launch(void* parameter, void* copy)> bind;
};

/// One node made ready for a device: library objects made and needs known, not yet bound to memory.
struct Lowering {
  /// What runs it, for reports: "brgconv:avx512_core", "own".
  std::string implementation;
  std::size_t scratch_bytes = 0;
  std::vector<PreparedCopy> prepared;
  std::function<Launch(const Bindings&)> bind;
};

/// A node to be lowered.
struct LoweringRequest {
  const Graph& graph;
  const Node& node;
  /// One per input: the layout of a native operand, null for a dense one.
  std::span<const ParameterLayout* const> input_layouts;
  /// The same per output.
  std::span<const ParameterLayout* const> output_layouts;

  const Shape& input(int i) const { return graph.shape(node.inputs[static_cast<std::size_t>(i)]); }
  const Shape& output(int i) const { return graph.shape(node.outputs[static_cast<std::size_t>(i)]); }
  /// Elements of output 0 in memory, the padding of a native layout included.
  std::int64_t output_elements() const;
  /// The operation as what its kind says it is.
  template <class T>
  const T& operation() const {
    return static_cast<const T&>(*node.operation);
  }
};

using LowerFunction = std::function<Lowering(const LoweringRequest&)>;

/// Lowering functions by operation kind: the one list of what a device can run.
using LoweringTable = std::unordered_map<std::string_view, LowerFunction>;

}  // namespace fastnn

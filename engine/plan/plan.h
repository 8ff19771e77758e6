#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/device/device.h"
#include "engine/graph/graph.h"
#include "engine/plan/memory_plan.h"
#include "engine/plan/profile.h"
#include "engine/plan/train_state.h"

namespace fastnn {

struct PlanOptions {
  /// Values that can be read after a run.
  std::vector<Value> keep;
  /// Parameter -> its gradient: written straight to TrainState's flat gradients.
  std::map<Value, Value> gradients;
  MemoryReuse reuse = MemoryReuse::on;
};

/// Device memory a plan needs besides its TrainState, in bytes.
struct PlanMemory {
  /// Activations, activation gradients, inputs.
  std::size_t arena = 0;
  /// What the arena would take if no two values shared memory.
  std::size_t arena_without_reuse = 0;
  std::size_t scratch = 0;
  /// Copies of weights in other layouts.
  std::size_t prepared = 0;

  std::size_t total() const { return arena + scratch + prepared; }
};

/// A graph made ready to run on a device, again and again: launches on planned memory. Making one lowers all
/// operations and plans all memory but allocates none, so that memory() can be shown or refused first; load()
/// does. The phases of a step: prepare() after each change of the weights, which also runs what depends on
/// parameters alone, then run(). A run writes the gradients and the assigned variables (Graph::assign) of the
/// state.
class Plan {
 public:
  /// Throws UsageError if the device cannot run an operation, or if one reads a variable that an earlier one
  /// has assigned to.
  Plan(Graph graph, TrainState& state, PlanOptions options);

  const Graph& graph() const { return graph_; }
  const PlanMemory& memory() const { return memory_; }

  /// Allocates and binds all memory. Throws EnvironmentError if the device has too little.
  void load();

  /// Writes an input. 'data' holds all elements in the device's storage type of the input's type.
  void write(Value input, const void* data);
  /// Converts to the device's storage type first, where it is another.
  void write(Value input, const Tensor& tensor);
  /// The same for all elements of an input, without allocation where the types agree.
  template <class T>
  void write(Value input, std::span<const T> elements);
  /// A kept value, dense, in the device's storage type; a parameter's gradient and a value assigned to a
  /// variable are read from the state.
  Tensor read(Value value) const;
  /// The same for a scalar, without allocation.
  double read_scalar(Value value) const;

  /// What random numbers of the next run depend on.
  kernels::RandomState& random() { return *random_; }

  /// Brings what depends on the weights alone up to date: constants (constant_nodes()) and copies.
  void prepare();
  /// Runs all operations. With a profile, the seconds of each launch are added to it.
  void run(Profile* profile = nullptr);

  /// One line per launch of a run: name, kind, implementation.
  std::vector<LaunchInfo> launches() const;

 private:
  struct Lowered {
    std::size_t node;
    Lowering lowering;
    /// Index into prepared_ per Lowering::prepared.
    std::vector<std::size_t> prepared;
  };
  struct Prepared {
    /// A parameter or a constant.
    Value source;
    std::string key;
    std::size_t offset;
    std::function<Launch(void*, void*)> bind;
  };

  void find_externals();
  void check_assignments() const;
  void lower_nodes();
  Lowered lower(std::size_t node_index);
  std::size_t share_prepared(const Node& node, PreparedCopy& copy);
  void find_natives();
  std::size_t bytes_of(Value value) const;
  const ParameterLayout* layout_of(Value value) const;
  void* address(Value value) const;
  Launch bind(const Lowered& lowered) const;

  Graph graph_;
  Device& device_;
  TrainState& state_;
  PlanOptions options_;
  /// The parameter whose gradient a value is.
  std::unordered_map<Value, Value> gradient_of_;
  /// The parameter that a value is assigned to.
  std::unordered_map<Value, Value> assigned_to_;
  /// The parameter whose layout a native value has: itself, its gradient or next value, or a part of the sum
  /// that makes the gradient.
  std::unordered_map<Value, Value> native_like_;
  /// Values that live in the state.
  std::unordered_set<Value> external_;
  std::unique_ptr<MemoryPlan> memory_plan_;
  PlanMemory memory_;
  std::vector<bool> is_constant_;
  std::vector<Lowered> constants_;
  std::vector<Lowered> lowered_;
  std::vector<Prepared> prepared_;
  std::unique_ptr<kernels::RandomState> random_ = std::make_unique<kernels::RandomState>();

  Buffer buffer_;
  std::vector<Launch> prepare_launches_;
  std::vector<Launch> run_launches_;
};

template <class T>
void Plan::write(Value input, std::span<const T> elements) {
  const OperandSpec& spec = graph_.info(input).spec;
  const bool as_stored = device_.storage(spec.dtype) == kDtypeOf<T>;
  if (as_stored && static_cast<std::int64_t>(elements.size()) == spec.shape.elements())
    write(input, elements.data());
  else
    write(input, Tensor::of<T>(spec.shape, elements));
}

}  // namespace fastnn

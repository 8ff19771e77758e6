#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/device/device.h"
#include "engine/graph/graph.h"

namespace fastnn {

/// One variable of a TrainState: a range of its flat buffers; of the weights alone if it is not trainable.
struct ParameterEntry {
  std::string name;
  /// As TensorFlow stores it.
  Shape shape;
  ParameterSpec spec;
  std::shared_ptr<const ParameterLayout> layout;
  /// First element in each flat buffer, and elements with padding.
  std::size_t offset = 0;
  std::size_t elements = 0;
};

/// The optimizer's memory of each weight: "Momentum" starting at 0, say.
struct SlotSpec {
  std::string suffix;
  double initial_value = 0;
};

/// All that training changes and a checkpoint keeps: master weights, gradients and slots in flat buffers of a
/// device, one range per variable, and the step. Plans of several graphs with the same variables bind to one
/// state by name. Variables that are not trainable (moving averages) lie behind the others in the weights and
/// have neither gradient nor slots. Elements are in the device's storage type of f32, in the layout the
/// device chose for each variable.
class TrainState {
 public:
  /// Ranges start on multiples of this many elements.
  static constexpr std::size_t kAlignment = 64;

  /// Takes the parameters of the graph in the given order: that in which backward finishes their gradients;
  /// those that are not trainable behind the others.
  /// Weights are zero until initialize() or write().
  TrainState(const Graph& graph, std::span<const Value> parameters, Device& device,
             std::vector<SlotSpec> slots = {});

  Device& device() const { return device_; }
  /// All variables, the trainable ones first.
  std::span<const ParameterEntry> parameters() const { return parameters_; }
  std::span<const ParameterEntry> trainable() const { return parameters().first(trainable_); }
  /// Throws UsageError if there is no variable of that name.
  const ParameterEntry& parameter(std::string_view name) const;
  std::span<const SlotSpec> slots() const { return slot_specs_; }

  /// Elements of the gradients and of each slot; the weights begin with as many.
  std::size_t elements() const { return elements_; }
  std::size_t bytes() const;
  void* weights() const { return weights_.data(); }
  void* gradients() const { return gradients_.data(); }
  void* slot(std::size_t i) const { return slots_[i].data(); }
  void* weights_of(const ParameterEntry& entry) const { return range(entry, weights_); }
  /// Throws UsageError if the variable is not trainable; so do all functions below that touch gradients or
  /// slots.
  void* gradients_of(const ParameterEntry& entry) const { return range(entry, gradients_); }

  /// First values of all weights by their initializers, and of all slots.
  void initialize(std::uint64_t seed);

  /// Copies in TensorFlow's order, in the device's storage type.
  Tensor read_weights(const ParameterEntry& entry) const { return read(entry, weights_); }
  Tensor read_gradients(const ParameterEntry& entry) const { return read(entry, gradients_); }
  Tensor read_slot(const ParameterEntry& entry, std::size_t slot) const { return read(entry, slots_[slot]); }

  /// Any floating-point type is converted. Throws UsageError if the shape differs.
  void write_weights(const ParameterEntry& entry, const Tensor& tensor) { write(entry, weights_, tensor, 0); }
  void write_slot(const ParameterEntry& entry, std::size_t slot, const Tensor& tensor) {
    write(entry, slots_[slot], tensor, slot_specs_[slot].initial_value);
  }

  /// Updates done so far: TensorFlow's global_step.
  std::int64_t step = 0;

 private:
  void add(const Graph& graph, Value value);
  void* range(const ParameterEntry& entry, const Buffer& buffer) const;
  Tensor read(const ParameterEntry& entry, const Buffer& buffer) const;
  /// Padding of the layout gets the value given: a slot of 0 would make adagrad divide 0 by 0 there.
  void write(const ParameterEntry& entry, const Buffer& buffer, const Tensor& tensor, double padding);

  Device& device_;
  std::size_t element_bytes_;
  std::vector<ParameterEntry> parameters_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<SlotSpec> slot_specs_;
  std::size_t trainable_ = 0;
  std::size_t elements_ = 0;
  std::size_t weight_elements_ = 0;
  Buffer weights_;
  Buffer gradients_;
  std::vector<Buffer> slots_;
};

}  // namespace fastnn

#include "engine/plan/train_state.h"

#include <fmt/ranges.h>

namespace fastnn {

TrainState::TrainState(const Graph& graph, std::span<const Value> parameters, Device& device,
                       std::vector<SlotSpec> slots)
    : device_(device), element_bytes_(size_of(device.storage(Dtype::f32))), slot_specs_(std::move(slots)) {
  parameters_.reserve(parameters.size());
  for (const Value value : parameters)
    if (graph.info(value).parameter.trainable) add(graph, value);
  trainable_ = parameters_.size();
  elements_ = weight_elements_;
  for (const Value value : parameters)
    if (!graph.info(value).parameter.trainable) add(graph, value);
  const std::size_t bytes = elements_ * element_bytes_;
  weights_ = device.allocate(weight_elements_ * element_bytes_);
  gradients_ = device.allocate(bytes);
  for (std::size_t i = 0; i < slot_specs_.size(); ++i) slots_.push_back(device.allocate(bytes));
}

void TrainState::add(const Graph& graph, Value value) {
  const ValueInfo& info = graph.info(value);
  auto layout = device_.parameter_layout(graph, value);
  const std::size_t elements = layout->elements();
  parameters_.push_back(
      {info.name, info.spec.shape, info.parameter, std::move(layout), weight_elements_, elements});
  index_.emplace(parameters_.back().name, parameters_.size() - 1);
  weight_elements_ += (elements + kAlignment - 1) / kAlignment * kAlignment;
}

const ParameterEntry& TrainState::parameter(std::string_view name) const {
  const auto known = index_.find(name);
  if (known == index_.end())
    throw UsageError("[state] no variable {} among the {} of this net", name, parameters_.size());
  return parameters_[known->second];
}

std::size_t TrainState::bytes() const {
  return (weight_elements_ + elements_ * (1 + slots_.size())) * element_bytes_;
}

void TrainState::initialize(std::uint64_t seed) {
  for (const ParameterEntry& entry : parameters_)
    write_weights(entry, initial_values(entry.spec.initializer, entry.shape, entry.name, seed));
  for (const ParameterEntry& entry : trainable())
    for (std::size_t i = 0; i < slots_.size(); ++i)
      write_slot(
          entry, i,
          initial_values(ConstantInitializer{slot_specs_[i].initial_value}, entry.shape, entry.name, seed));
  step = 0;
}

void* TrainState::range(const ParameterEntry& entry, const Buffer& buffer) const {
  if (&buffer != &weights_ && !entry.spec.trainable)
    throw UsageError("[state] {} is not trainable: it has neither gradient nor slots", entry.name);
  return buffer.at(entry.offset * element_bytes_);
}

Tensor TrainState::read(const ParameterEntry& entry, const Buffer& buffer) const {
  std::vector<std::byte> packed(entry.elements * element_bytes_);
  device_.download(packed.data(), range(entry, buffer), packed.size());
  Tensor tensor(device_.storage(Dtype::f32), entry.shape);
  entry.layout->unpack(packed.data(), tensor.bytes().data());
  return tensor;
}

namespace {

/// Sets the elements of a packed tensor that belong to no element of the plain one.
template <class T>
void fill_padding(const ParameterEntry& entry, std::span<std::byte> packed, double value) {
  const std::vector<T> ones(static_cast<std::size_t>(entry.shape.elements()), T{1});
  std::vector<T> is_element(entry.elements);
  entry.layout->pack(ones.data(), is_element.data());
  auto* elements = reinterpret_cast<T*>(packed.data());
  for (std::size_t i = 0; i < entry.elements; ++i)
    if (is_element[i] == T{0}) elements[i] = static_cast<T>(value);
}

}  // namespace

void TrainState::write(const ParameterEntry& entry, const Buffer& buffer, const Tensor& tensor,
                       double padding) {
  if (tensor.shape() != entry.shape)
    throw UsageError("[state] {} has shape {}, got values of shape {}", entry.name, entry.shape.text(),
                     tensor.shape().text());
  const Tensor plain = tensor.as(device_.storage(Dtype::f32));
  std::vector<std::byte> packed(entry.elements * element_bytes_);
  entry.layout->pack(plain.bytes().data(), packed.data());
  if (padding != 0 && entry.elements != static_cast<std::size_t>(entry.shape.elements())) {
    if (element_bytes_ == sizeof(float))
      fill_padding<float>(entry, packed, padding);
    else
      fill_padding<double>(entry, packed, padding);
  }
  device_.upload(range(entry, buffer), packed.data(), packed.size());
}

}  // namespace fastnn

#include "engine/checkpoint/state_checkpoint.h"

#include <algorithm>
#include <array>

#include "engine/checkpoint/bundle_writer.h"

namespace fastnn {
namespace {

constexpr const char* kStep = "global_step";

std::string slot_name(const ParameterEntry& entry, const SlotSpec& slot) {
  return entry.name + "/" + slot.suffix;
}

/// One line per tensor that is missing or has another shape.
std::string misfits(const TrainState& state, const BundleReader& bundle, RestorePart part) {
  std::string lines;
  const auto check = [&](const std::string& name, const Shape& shape) {
    const auto found = bundle.entries().find(name);
    if (found == bundle.entries().end())
      lines += fmt::format("\n  {} {} is missing", name, shape.text());
    else if (!std::ranges::equal(found->second.extents, shape.extents()))
      lines += fmt::format("\n  {} must be {}, is {}", name, shape.text(), found->second.shape_text());
  };
  for (const ParameterEntry& entry : state.parameters()) {
    check(entry.name, entry.shape);
    if (part == RestorePart::weights_and_slots && entry.spec.trainable)
      for (const SlotSpec& slot : state.slots()) check(slot_name(entry, slot), entry.shape);
  }
  if (part == RestorePart::weights_and_slots) check(kStep, {});
  return lines;
}

}  // namespace

void save_state(const TrainState& state, const std::filesystem::path& prefix, const ExtraTensors& extras) {
  BundleWriter writer(prefix);
  for (const ParameterEntry& entry : state.parameters()) writer.add(entry.name, state.read_weights(entry));
  for (const ParameterEntry& entry : state.trainable())
    for (std::size_t i = 0; i < state.slots().size(); ++i)
      writer.add(slot_name(entry, state.slots()[i]), state.read_slot(entry, i));
  writer.add(kStep, Tensor::of<std::int64_t>(Shape{}, std::array{state.step}));
  for (const auto& [name, tensor] : extras) writer.add(name, tensor);
  writer.finish();
}

void restore_state(TrainState& state, const BundleReader& bundle, RestorePart part) {
  const std::string lines = misfits(state, bundle, part);
  if (!lines.empty())
    throw InputError(
        "[checkpoint] {} does not hold this net{}:{}\nuse the model_name, num_classes, image size and optimizer it was trained with",
        bundle.prefix().string(), part == RestorePart::weights_and_slots ? " and optimizer" : "", lines);
  for (const ParameterEntry& entry : state.parameters()) state.write_weights(entry, bundle.read(entry.name));
  if (part == RestorePart::weights_and_slots)
    for (const ParameterEntry& entry : state.trainable())
      for (std::size_t i = 0; i < state.slots().size(); ++i)
        state.write_slot(entry, i, bundle.read(slot_name(entry, state.slots()[i])));
  if (bundle.contains(kStep)) state.step = bundle.read(kStep).as(Dtype::s64).values<std::int64_t>()[0];
}

}  // namespace fastnn

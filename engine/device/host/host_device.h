#pragma once

#include <cstring>

#include "engine/device/device.h"

namespace fastnn::host {

/// Zeroed memory of this process, on huge pages where the system has them, every page faulted in: a step
/// later takes no page fault. Throws EnvironmentError naming the bytes wanted.
Buffer allocate(std::size_t bytes);

/// A device whose memory is this process's own.
class HostDevice : public Device {
 public:
  Buffer allocate(std::size_t bytes) override { return host::allocate(bytes); }
  void upload(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
};

/// Launches of the update phase with one device's kernels.
/// @tparam K as in host_lowering.h, with gradient_statistics, update, add and scale.
template <class K>
ParameterUpdateLaunches bind_update(ParameterUpdate& update) {
  using Element = typename K::Element;
  kernels::OptimizerBuffers<Element> buffers{
      .weights = static_cast<Element*>(update.weights),
      .gradients = static_cast<const Element*>(update.sum != nullptr ? update.sum : update.gradients),
      .slots = {},
      .segments = update.segments};
  for (std::size_t i = 0; i < update.slots.size(); ++i)
    buffers.slots[i] = static_cast<Element*>(update.slots[i]);
  const auto* gradients = static_cast<const Element*>(update.gradients);
  auto* sum = static_cast<Element*>(update.sum);
  const std::int64_t count = update.segments.empty() ? 0 : update.segments.back().end;
  return {
      [=] { K::scale(count, 1, gradients, sum); }, [=] { K::add(count, sum, gradients, sum); },
      [buffers, &update] { update.statistics = K::gradient_statistics(buffers, update.step.gradient_scale); },
      [buffers, &update] { K::update(buffers, update.parameters, update.step, update.statistics); }};
}

}  // namespace fastnn::host

#pragma once

#include "engine/device/cpu/onednn.h"
#include "engine/device/lowering.h"

namespace fastnn::cpu {

/// A parameter in a layout of oneDNN's choice: that of its weight gradient, so that no gradient is ever
/// reordered.
class OneDnnLayout final : public ParameterLayout {
 public:
  OneDnnLayout(const OneDnn& onednn, WeightLayout plain, WeightLayout layout)
      : onednn_(onednn), plain_(std::move(plain)), layout_(std::move(layout)) {}

  const WeightLayout& layout() const { return layout_; }

  std::size_t elements() const override { return layout_.bytes() / sizeof(float); }
  void pack(const void* plain, void* packed) const override;
  void unpack(const void* packed, void* plain) const override;
  std::string text() const override { return layout_.describe(); }

 private:
  const OneDnn& onednn_;
  WeightLayout plain_;
  WeightLayout layout_;
};

/// What the CPU device can run. The table refers to 'onednn'.
LoweringTable lowering_table(const OneDnn& onednn);

/// The layout of a parameter that a graph uses as weights of a convolution or dense layer, else dense.
std::shared_ptr<const ParameterLayout> parameter_layout(const OneDnn& onednn, const Graph& graph,
                                                        Value parameter);

}  // namespace fastnn::cpu

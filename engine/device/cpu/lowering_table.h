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
  /// TensorFlow's.
  const WeightLayout& plain() const { return plain_; }

  std::size_t elements() const override { return layout_.bytes() / sizeof(float); }
  void pack(const void* plain, void* packed) const override;
  void unpack(const void* packed, void* plain) const override;
  std::string text() const override { return layout_.describe(); }

 private:
  const OneDnn& onednn_;
  WeightLayout plain_;
  WeightLayout layout_;
};

/// A table's rows whose functions want the oneDNN context; they refer to it.
struct OneDnnRow {
  std::string_view kind;
  Lowering (*lower)(const OneDnn&, const LoweringRequest&);
};
LoweringTable bound_to(const OneDnn& onednn, std::initializer_list<OneDnnRow> rows);

Lowering lower_conv2d(const OneDnn& onednn, const LoweringRequest& request);
Lowering lower_dense(const OneDnn& onednn, const LoweringRequest& request);

/// What the CPU device can run. The table refers to 'onednn'.
LoweringTable lowering_table(const OneDnn& onednn);

/// The layout of a parameter that a graph uses as weights of a convolution or dense layer, else dense.
std::shared_ptr<const ParameterLayout> parameter_layout(const OneDnn& onednn, const Graph& graph,
                                                        Value parameter);

}  // namespace fastnn::cpu

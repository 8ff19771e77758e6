#pragma once

#include <array>

#include "engine/graph/graph.h"
#include "engine/graph/ops/window.h"
#include "kernels/slice.h"

namespace fastnn {

/// Which pixels and channels; triples are {height, width, channels}.
struct SliceAttributes {
  /// May be negative: outside the image there are zeros.
  std::array<std::int64_t, 3> begin = {0, 0, 0};
  std::array<std::int64_t, 3> extent = {1, 1, 1};
  std::array<int, 2> step = {1, 1};
};

/// y[n,p,q,k] = x[n, begin + p * step, begin + q * step, begin + k], 0 where that lies outside x. x:
/// [N,H,W,C] dense, y: [N, extent] dense; other ranks [..., C] count as [rows,1,1,C]. One operation is zero
/// padding, strided and channel slices, and NASNet's shift; see the functions below.
class Slice final : public Operation {
 public:
  explicit Slice(SliceAttributes slice) : slice_(slice) {}

  const SliceAttributes& slice() const { return slice_; }

  std::string_view kind() const override { return "slice"; }
  std::string attributes() const override;
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  std::vector<Value> gradient(const GradientRequest& request) const override;
  double flops(std::span<const OperandSpec>, std::span<const OperandSpec>) const override { return 0; }
  std::int64_t elements_read(std::size_t input, std::span<const OperandSpec> inputs,
                             std::span<const OperandSpec> outputs) const override;

 private:
  SliceAttributes slice_;
};

/// dx of Slice: dy where the slice reads x, else 0. Input: dy; output: dx.
class SliceGradient final : public Operation {
 public:
  SliceGradient(SliceAttributes slice, Shape x) : slice_(slice), x_(x) {}

  const SliceAttributes& slice() const { return slice_; }

  std::string_view kind() const override { return "slice_gradient"; }
  std::vector<OperandSpec> outputs(std::span<const OperandSpec> inputs) const override;
  double flops(std::span<const OperandSpec>, std::span<const OperandSpec>) const override { return 0; }

 private:
  SliceAttributes slice_;
  Shape x_;
};

/// A slice placed on an x of this shape.
kernels::Slice place_slice(const Shape& x, const SliceAttributes& attributes);

/// Zeros around an image. A convolution takes WindowAttributes::pads instead, at no cost. Throws UsageError
/// for a negative pad.
Value pad(Graph& graph, Value x, const Pads& pads, std::string name);

/// Every step-th pixel {height, width}, the first at 'begin': TensorFlow's x[:, begin::step, begin::step, :].
/// Throws UsageError if begin lies outside the image.
Value strided_slice(Graph& graph, Value x, std::array<std::int64_t, 2> begin, std::array<int, 2> step,
                    std::string name);

/// The second path of NASNet's factorised reduction: the image moved up and left by one pixel, zeros
/// following, then every step-th pixel. y: [N, ceil(H/step), ceil(W/step), C].
Value shifted_slice(Graph& graph, Value x, std::array<int, 2> step, std::string name);

struct ChannelRange {
  std::int64_t begin = 0;
  std::int64_t count = 1;
};

/// y = some channels of x [..., C]. Throws UsageError if x has not all of them.
Value channel_slice(Graph& graph, Value x, ChannelRange channels, std::string name);

}  // namespace fastnn

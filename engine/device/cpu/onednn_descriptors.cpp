#include "engine/device/cpu/onednn_descriptors.h"

#include <algorithm>

#include "engine/base/error.h"

namespace fastnn::cpu {

using dnnl::memory;
using kernels::Conv2d;
using kernels::Window2d;
using DataType = memory::data_type;
using Tag = memory::format_tag;

namespace {

DataType data_type(Dtype dtype) {
  return dtype == Dtype::bf16 ? DataType::bf16 : DataType::f32;
}

// Padding after the input in one dimension; throws if the output does not fit the input.
std::int64_t pad_end(std::string_view what, std::int64_t input, std::int64_t output, std::int64_t kernel,
                     std::int64_t stride, std::int64_t pad, std::int64_t dilation) {
  const std::int64_t reach = (kernel - 1) * dilation + 1;
  const std::int64_t needed = (output - 1) * stride + reach - input - pad;
  if (needed <= -stride || needed >= reach || pad >= reach)
    throw UsageError(
        "[onednn] {}: a window of {} pixels at stride {} over {} pixels with {} before does not give {} outputs; take the extents from window_extent()",
        what, reach, stride, input, pad, output);
  return std::max<std::int64_t>(needed, 0);
}

}  // namespace

std::string text_of(std::string_view name, const Conv2d& conv) {
  const Window2d& a = conv.window;
  return fmt::format(
      "{} x [{},{},{},{}] weights [{},{},{},{}] y [{},{},{},{}] stride {}x{} pad {},{} dilation {}x{}", name,
      a.N, a.H, a.W, a.C, a.R, a.S, a.C, conv.K, a.N, a.P, a.Q, conv.K, a.stride_h, a.stride_w, a.pad_top,
      a.pad_left, a.dilation_h, a.dilation_w);
}

ConvDescs describe(std::string_view what, const Conv2d& conv, OperandTypes types) {
  const Window2d& a = conv.window;
  const auto least = std::min({a.N, a.H, a.W, a.C, a.P, a.Q, a.R, a.S, conv.K, a.stride_h, a.stride_w,
                               a.dilation_h, a.dilation_w, a.pad_top + 1, a.pad_left + 1});
  if (least < 1)
    throw UsageError("[onednn] {}: extents, strides and dilations must be at least 1, padding at least 0",
                     what);
  const std::int64_t bottom = pad_end(what, a.H, a.P, a.R, a.stride_h, a.pad_top, a.dilation_h);
  const std::int64_t right = pad_end(what, a.W, a.Q, a.S, a.stride_w, a.pad_left, a.dilation_w);
  return {memory::desc({a.N, a.C, a.H, a.W}, data_type(types.activations), Tag::nhwc),
          memory::desc({conv.K, a.C, a.R, a.S}, data_type(types.weights), Tag::any),
          types.bias == Bias::add ? memory::desc({conv.K}, DataType::f32, Tag::x) : memory::desc(),
          memory::desc({a.N, conv.K, a.P, a.Q}, data_type(types.activations), Tag::nhwc),
          {a.stride_h, a.stride_w},
          {a.dilation_h - 1, a.dilation_w - 1},
          {a.pad_top, a.pad_left},
          {bottom, right}};
}

std::string text_of(std::string_view name, const kernels::DepthwiseConv2d& conv) {
  return text_of(fmt::format("depthwise {} multiplier {}", name, conv.M),
                 Conv2d{conv.window, conv.window.C * conv.M});
}

ConvDescs describe(std::string_view what, const kernels::DepthwiseConv2d& conv, OperandTypes types) {
  const Window2d& a = conv.window;
  ConvDescs descs = describe(what, Conv2d{a, a.C * conv.M}, types);
  descs.weights = memory::desc({a.C, conv.M, 1, a.R, a.S}, data_type(types.weights), Tag::any);
  return descs;
}

std::string text_of(std::string_view name, const kernels::Dense& dense) {
  return fmt::format("{} x [{},{}] weights [{},{}] y [{},{}]", name, dense.N, dense.C, dense.C, dense.K,
                     dense.N, dense.K);
}

DenseDescs describe(std::string_view what, const kernels::Dense& dense, OperandTypes types) {
  if (std::min({dense.N, dense.C, dense.K}) < 1)
    throw UsageError("[onednn] {}: extents must be at least 1", what);
  return {memory::desc({dense.N, dense.C}, data_type(types.activations), Tag::nc),
          memory::desc({dense.K, dense.C}, data_type(types.weights), Tag::any),
          types.bias == Bias::add ? memory::desc({dense.K}, DataType::f32, Tag::x) : memory::desc(),
          memory::desc({dense.N, dense.K}, data_type(types.activations), Tag::nc)};
}

}  // namespace fastnn::cpu

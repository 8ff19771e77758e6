#pragma once

#include "engine/device/host/host_kernels.h"
#include "kernels/bfloat16.h"
#include "kernels/cpu/avg_pool.h"
#include "kernels/cpu/batch_norm.h"
#include "kernels/cpu/drop_path.h"
#include "kernels/cpu/dropout.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/lrn.h"
#include "kernels/cpu/pool.h"
#include "kernels/cpu/slice.h"
#include "kernels/cpu/softmax.h"

namespace fastnn::cpu {

/// Our own kernels with activations of type A, float or Bfloat16.
template <class A>
struct PlainKernels {
  using Element = A;
  using Figure = float;
  static constexpr const char* kName = "own";

  static constexpr auto add = kernels::cpu::add<A>;
  static constexpr auto bias_add = kernels::cpu::bias_add<A>;
  static constexpr auto bias_gradient_scratch_bytes = kernels::cpu::bias_gradient_scratch_bytes;
  static constexpr auto bias_gradient = kernels::cpu::bias_gradient<A>;
  static constexpr auto bias_relu = kernels::cpu::bias_relu<A>;
  static constexpr auto bias_relu_gradient = kernels::cpu::bias_relu_gradient<A>;
  static constexpr auto relu = kernels::cpu::relu<A>;
  static constexpr auto relu_gradient = kernels::cpu::relu_gradient<A>;
  static constexpr auto relu6 = kernels::cpu::relu6<A>;
  static constexpr auto relu6_gradient = kernels::cpu::relu6_gradient<A>;
  static constexpr auto scale = kernels::cpu::scale<A>;
  static constexpr auto scale_add = kernels::cpu::scale_add<A>;
  static constexpr auto scale_add_relu = kernels::cpu::scale_add_relu<A>;
  static constexpr auto scale_add_relu_gradient = kernels::cpu::scale_add_relu_gradient<A>;

  static constexpr auto batch_norm_scratch_bytes = kernels::cpu::batch_norm_scratch_bytes;
  static constexpr auto batch_norm_statistics = kernels::cpu::batch_norm_statistics<A>;
  static constexpr auto batch_norm_apply = kernels::cpu::batch_norm_apply<A>;
  static constexpr auto batch_norm_gradient_reduce = kernels::cpu::batch_norm_gradient_reduce<A>;
  static constexpr auto batch_norm_gradient_apply = kernels::cpu::batch_norm_gradient_apply<A>;
  static constexpr auto batch_norm_fixed_gradient = kernels::cpu::batch_norm_fixed_gradient<A>;

  static constexpr auto avg_pool = kernels::cpu::avg_pool<A>;
  static constexpr auto avg_pool_gradient = kernels::cpu::avg_pool_gradient<A>;
  static constexpr auto max_pool = kernels::cpu::max_pool<A>;
  static constexpr auto max_pool_gradient = kernels::cpu::max_pool_gradient<A>;
  static constexpr auto lrn = kernels::cpu::lrn<A>;
  static constexpr auto lrn_gradient = kernels::cpu::lrn_gradient<A>;
  static constexpr auto concat = kernels::cpu::concat<A>;
  static constexpr auto slice = kernels::cpu::slice<A>;
  static constexpr auto slice_gradient = kernels::cpu::slice_gradient<A>;
  static constexpr auto drop_path = kernels::cpu::drop_path<A>;
  static constexpr auto dropout = kernels::cpu::dropout<A>;
};

/// Those of what follows the logits, which is float.
struct PlainLossKernels {
  using Element = float;
  using Figure = float;
  static constexpr const char* kName = "own";

  static constexpr auto softmax = kernels::cpu::softmax;
  static constexpr auto softmax_gradient = kernels::cpu::softmax_gradient;
  static constexpr auto softmax_cross_entropy = kernels::cpu::softmax_cross_entropy;
  static constexpr auto softmax_cross_entropy_gradient = kernels::cpu::softmax_cross_entropy_gradient;
  static constexpr auto mixed_cross_entropy = kernels::cpu::mixed_cross_entropy;
  static constexpr auto mixed_cross_entropy_gradient = kernels::cpu::mixed_cross_entropy_gradient;
};

/// The same as device/lowerings/ wants them.
template <class A>
using OwnKernels = host::HostKernels<PlainKernels<A>>;
using OwnLossKernels = host::HostKernels<PlainLossKernels>;

}  // namespace fastnn::cpu

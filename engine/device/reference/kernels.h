#pragma once

#include "engine/device/host/host_kernels.h"
#include "kernels/reference/avg_pool.h"
#include "kernels/reference/batch_norm.h"
#include "kernels/reference/drop_path.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/lrn.h"
#include "kernels/reference/pool.h"
#include "kernels/reference/slice.h"
#include "kernels/reference/softmax.h"

namespace fastnn::reference {

/// The kernels in double; those without need of scratch take none.
struct PlainKernels {
  using Element = double;
  using Figure = double;
  static constexpr const char* kName = "reference";

  static constexpr auto add = kernels::reference::add;
  static constexpr auto bias_add = kernels::reference::bias_add;
  static std::size_t bias_gradient_scratch_bytes(std::int64_t, std::int64_t) { return 0; }
  static void bias_gradient(std::int64_t rows, std::int64_t channels, const double* dy, double* db, void*) {
    kernels::reference::bias_gradient(rows, channels, dy, db);
  }
  static constexpr auto bias_relu = kernels::reference::bias_relu;
  static void bias_relu_gradient(std::int64_t rows, std::int64_t channels, const double* y, const double* dy,
                                 double* dz, double* db, void*) {
    kernels::reference::bias_relu_gradient(rows, channels, y, dy, dz, db);
  }
  static constexpr auto relu = kernels::reference::relu;
  static constexpr auto relu_gradient = kernels::reference::relu_gradient;
  static constexpr auto relu6 = kernels::reference::relu6;
  static constexpr auto relu6_gradient = kernels::reference::relu6_gradient;
  static constexpr auto scale = kernels::reference::scale;
  static constexpr auto scale_add = kernels::reference::scale_add;
  static constexpr auto scale_add_relu = kernels::reference::scale_add_relu;
  static constexpr auto scale_add_relu_gradient = kernels::reference::scale_add_relu_gradient;
  static constexpr auto max_pool = kernels::reference::max_pool;
  static constexpr auto max_pool_gradient = kernels::reference::max_pool_gradient;
  static constexpr auto drop_path = kernels::reference::drop_path;
  static constexpr auto dropout = kernels::reference::dropout;
  static constexpr auto softmax = kernels::reference::softmax;
  static constexpr auto softmax_gradient = kernels::reference::softmax_gradient;
  static double softmax_cross_entropy(const kernels::CrossEntropy& options, const double* logits,
                                      const std::int32_t* labels, double* probabilities, double*) {
    return kernels::reference::softmax_cross_entropy(options, logits, labels, probabilities);
  }
  static constexpr auto softmax_cross_entropy_gradient = kernels::reference::softmax_cross_entropy_gradient;

  static std::size_t batch_norm_scratch_bytes(std::int64_t, std::int64_t) { return 0; }
  static void batch_norm_statistics(const kernels::BatchNormStatistics<double>& operands, void*) {
    kernels::reference::batch_norm_statistics(operands);
  }
  static constexpr auto batch_norm_apply = kernels::reference::batch_norm_apply;
  static void batch_norm_gradient_reduce(const kernels::BatchNormGradientReduce<double>& operands, void*) {
    kernels::reference::batch_norm_gradient_reduce(operands);
  }
  static constexpr auto batch_norm_gradient_apply = kernels::reference::batch_norm_gradient_apply;
  static constexpr auto batch_norm_fixed_gradient = kernels::reference::batch_norm_fixed_gradient;

  static constexpr auto avg_pool = kernels::reference::avg_pool;
  static constexpr auto avg_pool_gradient = kernels::reference::avg_pool_gradient;
  static constexpr auto concat = kernels::reference::concat;
  static constexpr auto lrn = kernels::reference::lrn;
  static constexpr auto lrn_gradient = kernels::reference::lrn_gradient;
  static double mixed_cross_entropy(const kernels::CrossEntropy& options, const double* logits,
                                    const kernels::MixedLabels<double>& labels, double* probabilities,
                                    double*) {
    return kernels::reference::mixed_cross_entropy(options, logits, labels, probabilities);
  }
  static constexpr auto mixed_cross_entropy_gradient = kernels::reference::mixed_cross_entropy_gradient;
  static constexpr auto slice = kernels::reference::slice;
  static constexpr auto slice_gradient = kernels::reference::slice_gradient;
};

/// The same as device/lowerings/ wants them.
using Kernels = host::HostKernels<PlainKernels>;

}  // namespace fastnn::reference

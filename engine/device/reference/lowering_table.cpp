#include "engine/device/reference/lowering_table.h"

#include <algorithm>

#include "engine/device/host/batch_norm_lowering.h"
#include "engine/device/host/fused_layer_lowering.h"
#include "engine/device/host/host_lowering.h"
#include "engine/device/host/residual_lowering.h"
#include "engine/device/reference/window_lowering.h"
#include "engine/graph/ops/conv2d.h"
#include "kernels/reference/batch_norm.h"
#include "kernels/reference/conv2d.h"
#include "kernels/reference/dense.h"
#include "kernels/reference/drop_path.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/pool.h"
#include "kernels/reference/softmax.h"

namespace fastnn::reference {
namespace {

namespace k = kernels::reference;

using host::in;
using host::out;
using host::plain;

struct Kernels {
  using Element = double;
  using Figure = double;
  static constexpr const char* kName = "reference";
  static constexpr auto add = k::add;
  static constexpr auto bias_add = k::bias_add;
  static std::size_t bias_gradient_scratch_bytes(std::int64_t, std::int64_t) { return 0; }
  static void bias_gradient(std::int64_t rows, std::int64_t channels, const double* dy, double* db, void*) {
    k::bias_gradient(rows, channels, dy, db);
  }
  static constexpr auto bias_relu = k::bias_relu;
  static void bias_relu_gradient(std::int64_t rows, std::int64_t channels, const double* y, const double* dy,
                                 double* dz, double* db, void*) {
    k::bias_relu_gradient(rows, channels, y, dy, dz, db);
  }
  static constexpr auto relu = k::relu;
  static constexpr auto relu_gradient = k::relu_gradient;
  static constexpr auto max_pool = k::max_pool;
  static constexpr auto max_pool_gradient = k::max_pool_gradient;
  static constexpr auto drop_path = k::drop_path;
  static constexpr auto dropout = k::dropout;
  static constexpr auto softmax = k::softmax;
  static constexpr auto softmax_gradient = k::softmax_gradient;
  static double softmax_cross_entropy(const kernels::CrossEntropy& options, const double* logits,
                                      const std::int32_t* labels, double* probabilities, double*) {
    return k::softmax_cross_entropy(options, logits, labels, probabilities);
  }
  static constexpr auto softmax_cross_entropy_gradient = k::softmax_cross_entropy_gradient;
};

struct BatchNormKernels {
  using Element = double;
  using Figure = double;
  static constexpr const char* kName = "reference";
  static std::size_t batch_norm_scratch_bytes(std::int64_t, std::int64_t) { return 0; }
  static void batch_norm_statistics(const kernels::BatchNormStatistics<double>& operands, void*) {
    k::batch_norm_statistics(operands);
  }
  static constexpr auto batch_norm_apply = k::batch_norm_apply;
  static void batch_norm_gradient_reduce(const kernels::BatchNormGradientReduce<double>& operands, void*) {
    k::batch_norm_gradient_reduce(operands);
  }
  static constexpr auto batch_norm_gradient_apply = k::batch_norm_gradient_apply;
  static constexpr auto batch_norm_fixed_gradient = k::batch_norm_fixed_gradient;
};

struct LayerKernels {
  using Element = double;
  using Figure = double;
  static constexpr const char* kName = "reference";
  static constexpr auto add = k::add;
  static constexpr auto bias_add = k::bias_add;
  static constexpr auto relu = k::relu;
  static constexpr auto relu6 = k::relu6;
  static constexpr auto scale = k::scale;
};

struct ResidualKernels {
  using Element = double;
  using Figure = double;
  static constexpr const char* kName = "reference";
  static constexpr auto relu6 = k::relu6;
  static constexpr auto relu6_gradient = k::relu6_gradient;
  static constexpr auto scale = k::scale;
  static constexpr auto scale_add = k::scale_add;
  static constexpr auto scale_add_relu = k::scale_add_relu;
  static constexpr auto scale_add_relu_gradient = k::scale_add_relu_gradient;
};

Lowering lower_conv2d(const LoweringRequest& request) {
  const auto conv =
      place_convolution(request.input(0), request.input(1), request.operation<Conv2d>().window());
  return plain(Kernels::kName, [conv](const Bindings& b) -> Launch {
    return
        [conv, x = in<double>(b, 0), w = in<double>(b, 1), y = out<double>(b)] { k::conv2d(conv, x, w, y); };
  });
}

Lowering lower_conv2d_input_gradient(const LoweringRequest& request) {
  const auto conv = place_convolution(request.output(0), request.input(1),
                                      request.operation<Conv2dInputGradient>().window());
  return plain(Kernels::kName, [conv](const Bindings& b) -> Launch {
    return [conv, dy = in<double>(b, 0), w = in<double>(b, 1), dx = out<double>(b)] {
      k::conv2d_input_gradient(conv, w, dy, dx);
    };
  });
}

Lowering lower_conv2d_weight_gradient(const LoweringRequest& request) {
  const auto conv = place_convolution(request.input(0), request.output(0),
                                      request.operation<Conv2dWeightGradient>().window());
  return plain(Kernels::kName, [conv](const Bindings& b) -> Launch {
    return [conv, x = in<double>(b, 0), dy = in<double>(b, 1), dw = out<double>(b)] {
      k::conv2d_weight_gradient(conv, x, dy, dw);
    };
  });
}

Lowering lower_dense(const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(0)[1], request.input(1)[1]};
  return plain(Kernels::kName, [dense](const Bindings& b) -> Launch {
    return
        [dense, x = in<double>(b, 0), w = in<double>(b, 1), y = out<double>(b)] { k::dense(dense, x, w, y); };
  });
}

Lowering lower_dense_input_gradient(const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(1)[0], request.input(1)[1]};
  return plain(Kernels::kName, [dense](const Bindings& b) -> Launch {
    return [dense, dy = in<double>(b, 0), w = in<double>(b, 1), dx = out<double>(b)] {
      k::dense_input_gradient(dense, w, dy, dx);
    };
  });
}

Lowering lower_dense_weight_gradient(const LoweringRequest& request) {
  const kernels::Dense dense{request.input(0)[0], request.input(0)[1], request.input(1)[1]};
  return plain(Kernels::kName, [dense](const Bindings& b) -> Launch {
    return [dense, x = in<double>(b, 0), dy = in<double>(b, 1), dw = out<double>(b)] {
      k::dense_weight_gradient(dense, x, dy, dw);
    };
  });
}

/// Every floating-point type is stored in double here.
Lowering lower_cast(const LoweringRequest& request) {
  return plain(Kernels::kName, [count = request.output_elements()](const Bindings& b) -> Launch {
    return [count, x = in<double>(b, 0), y = out<double>(b)] { std::copy_n(x, count, y); };
  });
}

}  // namespace

const LoweringTable& lowering_table() {
  static const LoweringTable table = [] {
    LoweringTable rows = {
        {"cast", lower_cast},
        {"conv2d", lower_conv2d},
        {"conv2d_input_gradient", lower_conv2d_input_gradient},
        {"conv2d_weight_gradient", lower_conv2d_weight_gradient},
        {"dense", lower_dense},
        {"dense_input_gradient", lower_dense_input_gradient},
        {"dense_weight_gradient", lower_dense_weight_gradient},
    };
    rows.merge(host::activation_lowerings<Kernels>());
    rows.merge(host::loss_lowerings<Kernels>());
    rows.merge(host::batch_norm_lowerings<BatchNormKernels>());
    rows.merge(host::residual_lowerings<ResidualKernels>());
    rows.merge(window_lowerings());
    for (const LayerKind& kind : layer_kinds())
      rows.emplace(kind.fused, [lower = rows.at(kind.layer)](const LoweringRequest& request) {
        return host::lower_composed_layer<LayerKernels>(lower, request);
      });
    rows.emplace("batch_norm_fold", host::lower_batch_norm_fold<LayerKernels>);
    return rows;
  }();
  return table;
}

}  // namespace fastnn::reference

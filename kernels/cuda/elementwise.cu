#include "kernels/cuda/elementwise.h"

#include "kernels/activation.h"
#include "kernels/cuda/sum_rows.cuh"

namespace fastnn::kernels::cuda {
namespace {

struct NoFigures {};

struct BiasAdd {
  using Channel = float;

  __device__ float at(std::uint32_t c) const { return bias[c]; }
  __device__ void operator()(float b, const float (&in)[1], float (&out)[1]) const {
    out[0] = activated(activation, in[0] + b);
  }

  const float* bias;
  Activation activation;
};

/// dz = mask by y * dy, in { dy, y }.
struct MaskedGradient {
  using Channel = NoFigures;

  __device__ NoFigures at(std::uint32_t) const { return {}; }
  __device__ void operator()(const float (&in)[2], float (&out)[1]) const {
    out[0] = masked(activation, in[1], in[0]);
  }
  __device__ void operator()(NoFigures, const float (&in)[2], float (&out)[1], float& sum, float&) const {
    (*this)(in, out);
    sum += out[0];
  }

  Activation activation;
};

struct StoreFirst {
  __device__ void operator()(std::uint32_t c, double first, double) const {
    d_bias[c] = static_cast<float>(first);
  }

  float* d_bias;
};

struct Activate {
  __device__ void operator()(const float (&in)[1], float (&out)[1]) const {
    out[0] = activated(activation, in[0]);
  }

  Activation activation;
};

struct Sum {
  __device__ void operator()(const float (&in)[2], float (&out)[1]) const { out[0] = in[0] + in[1]; }
};

struct Scaled {
  __device__ void operator()(const float (&in)[1], float (&out)[1]) const { out[0] = factor * in[0]; }

  float factor;
};

struct ScaledSum {
  __device__ void operator()(const float (&in)[2], float (&out)[1]) const {
    out[0] = activated(activation, in[0] + factor * in[1]);
  }

  float factor;
  Activation activation;
};

/// in { dy, dy2, y }, out { dx, dr }.
struct ScaledSumGradient {
  __device__ void operator()(const float (&in)[3], float (&out)[2]) const {
    out[0] = masked(Activation::relu, in[2], in[0] + in[1]);
    out[1] = factor * out[0];
  }

  float factor;
};

template <class From, class To>
__global__ void __launch_bounds__(kBlockThreads) cast_kernel(std::int64_t count, const From* x, To* y) {
  const std::int64_t at = (std::int64_t{blockIdx.x} * kBlockThreads + threadIdx.x) * kWidth;
  if (at + kWidth <= count)
    store(y + at, load<kWidth>(x + at));
  else
    for (std::int64_t i = at; i < count; ++i) store(y + i, load<1>(x + i));
}

}  // namespace

template <class A>
void bias_add(std::int64_t rows, std::int64_t channels, const A* x, const float* bias, A* y, Stream stream) {
  map_rows(rows, channels, Tensors<A, 1, 1>{{x}, {y}}, BiasAdd{bias, Activation::none}, stream);
}

template <class A>
void bias_relu(std::int64_t rows, std::int64_t channels, const A* x, const float* bias, A* y, Stream stream) {
  map_rows(rows, channels, Tensors<A, 1, 1>{{x}, {y}}, BiasAdd{bias, Activation::relu}, stream);
}

std::size_t bias_gradient_scratch_bytes(std::int64_t rows, std::int64_t channels) {
  return sum_rows_scratch_bytes(rows, channels);
}

template <class A>
void bias_gradient(std::int64_t rows, std::int64_t channels, const A* dy, float* d_bias, void* scratch,
                   Stream stream) {
  sum_rows(rows, channels, Tensors<A, 2, 1>{{dy, nullptr}, {nullptr}}, MaskedGradient{Activation::none},
           StoreFirst{d_bias}, scratch, stream);
}

template <class A>
void bias_relu_gradient(std::int64_t rows, std::int64_t channels, const A* y, const A* dy, A* dz,
                        float* d_bias, void* scratch, Stream stream) {
  sum_rows(rows, channels, Tensors<A, 2, 1>{{dy, y}, {dz}}, MaskedGradient{Activation::relu},
           StoreFirst{d_bias}, scratch, stream);
}

template <class A>
void relu(std::int64_t count, const A* x, A* y, Stream stream) {
  map(count, Tensors<A, 1, 1>{{x}, {y}}, Activate{Activation::relu}, stream);
}

template <class A>
void relu_gradient(std::int64_t count, const A* y, const A* dy, A* dx, Stream stream) {
  map(count, Tensors<A, 2, 1>{{dy, y}, {dx}}, MaskedGradient{Activation::relu}, stream);
}

template <class A>
void relu6(std::int64_t count, const A* x, A* y, Stream stream) {
  map(count, Tensors<A, 1, 1>{{x}, {y}}, Activate{Activation::relu6}, stream);
}

template <class A>
void relu6_gradient(std::int64_t count, const A* y, const A* dy, A* dx, Stream stream) {
  map(count, Tensors<A, 2, 1>{{dy, y}, {dx}}, MaskedGradient{Activation::relu6}, stream);
}

template <class A>
void add(std::int64_t count, const A* a, const A* b, A* y, Stream stream) {
  map(count, Tensors<A, 2, 1>{{a, b}, {y}}, Sum{}, stream);
}

template <class A>
void scale(std::int64_t count, float factor, const A* x, A* y, Stream stream) {
  map(count, Tensors<A, 1, 1>{{x}, {y}}, Scaled{factor}, stream);
}

template <class A>
void scale_add(std::int64_t count, float factor, const A* x, const A* r, A* y, Stream stream) {
  map(count, Tensors<A, 2, 1>{{x, r}, {y}}, ScaledSum{factor, Activation::none}, stream);
}

template <class A>
void scale_add_relu(std::int64_t count, float factor, const A* x, const A* r, A* y, Stream stream) {
  map(count, Tensors<A, 2, 1>{{x, r}, {y}}, ScaledSum{factor, Activation::relu}, stream);
}

template <class A>
void scale_add_relu_gradient(std::int64_t count, float factor, const A* y, const A* dy,
                             const std::type_identity_t<A>* dy2, A* dx, A* dr, Stream stream) {
  map(count, Tensors<A, 3, 2>{{dy, dy2, y}, {dx, dr}}, ScaledSumGradient{factor}, stream);
}

template <class From, class To>
void cast(std::int64_t count, const From* x, To* y, Stream stream) {
  if (count == 0) return;
  require_alignment(x);
  require_alignment(y);
  const std::int64_t blocks = blocks_of(count, kBlockThreads * kWidth);
  launch(cast_kernel<From, To>, dim3{static_cast<unsigned>(blocks)}, dim3{kBlockThreads}, 0, stream, count, x,
         y);
}

#define FASTNN_INSTANTIATE(A)                                                                         \
  template void bias_add(std::int64_t, std::int64_t, const A*, const float*, A*, Stream);             \
  template void bias_gradient(std::int64_t, std::int64_t, const A*, float*, void*, Stream);           \
  template void bias_relu(std::int64_t, std::int64_t, const A*, const float*, A*, Stream);            \
  template void bias_relu_gradient(std::int64_t, std::int64_t, const A*, const A*, A*, float*, void*, \
                                   Stream);                                                           \
  template void relu(std::int64_t, const A*, A*, Stream);                                             \
  template void relu_gradient(std::int64_t, const A*, const A*, A*, Stream);                          \
  template void relu6(std::int64_t, const A*, A*, Stream);                                            \
  template void relu6_gradient(std::int64_t, const A*, const A*, A*, Stream);                         \
  template void add(std::int64_t, const A*, const A*, A*, Stream);                                    \
  template void scale(std::int64_t, float, const A*, A*, Stream);                                     \
  template void scale_add(std::int64_t, float, const A*, const A*, A*, Stream);                       \
  template void scale_add_relu(std::int64_t, float, const A*, const A*, A*, Stream);                  \
  template void scale_add_relu_gradient(std::int64_t, float, const A*, const A*,                      \
                                        const std::type_identity_t<A>*, A*, A*, Stream);              \
  template void cast(std::int64_t, const A*, float*, Stream);                                         \
  template void cast(std::int64_t, const A*, Float16*, Stream);                                       \
  template void cast(std::int64_t, const A*, Bfloat16*, Stream)

FASTNN_INSTANTIATE(float);
FASTNN_INSTANTIATE(Float16);
FASTNN_INSTANTIATE(Bfloat16);
#undef FASTNN_INSTANTIATE

}  // namespace fastnn::kernels::cuda

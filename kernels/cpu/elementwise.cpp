#include "kernels/cpu/elementwise.h"

#include <algorithm>

#include "kernels/activation.h"
#include "kernels/bfloat16.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/vector.h"

// Operations may run in place, which the compiler cannot prove harmless: hence omp simd on the inner loops.

namespace fastnn::kernels::cpu {
namespace {

// Column sums are taken over a fixed number of chunks of rows, whatever the number of threads, and within a
// chunk over short blocks of rows: the result is the same on every machine, and the rounding error small.
constexpr std::int64_t kMaxChunks = 64;
constexpr std::int64_t kMinChunkRows = 64;
constexpr std::int64_t kBlockRows = 128;

std::int64_t chunk_count(std::int64_t rows) {
  return std::clamp<std::int64_t>(rows / kMinChunkRows, 1, kMaxChunks);
}

// Calls row(r, sums) for each row of each chunk; it adds row r to sums [channels]. Then d_bias = sum of all.
template <class Row>
void sum_columns(std::int64_t rows, std::int64_t channels, std::int64_t bytes, float* d_bias, void* scratch,
                 Row&& row) {
  const std::int64_t chunks = chunk_count(rows);
  float* const partial = static_cast<float*>(scratch);
  parallel_ranges(chunks, bytes, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t chunk = first; chunk < last; ++chunk) {
      float* total = partial + chunk * 2 * channels;
      float* block = total + channels;
      std::fill_n(total, channels, 0.0F);
      const std::int64_t end = rows * (chunk + 1) / chunks;
      for (std::int64_t r = rows * chunk / chunks; r < end;) {
        std::fill_n(block, channels, 0.0F);
        for (const std::int64_t stop = std::min(end, r + kBlockRows); r < stop; ++r) row(r, block);
        for (std::int64_t c = 0; c < channels; ++c) total[c] += block[c];
      }
    }
  });
  for (std::int64_t c = 0; c < channels; ++c) {
    double sum = 0;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += partial[chunk * 2 * channels + c];
    d_bias[c] = static_cast<float>(sum);
  }
}

}  // namespace

template <class A>
void bias_add(std::int64_t rows, std::int64_t channels, const A* x, const float* bias, A* y) {
  parallel_ranges(rows, 2 * rows * channels * kElementBytes<A>, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const A* in = x + r * channels;
      A* out = y + r * channels;
#pragma omp simd
      for (std::int64_t c = 0; c < channels; ++c) store(out[c], float(in[c]) + bias[c]);
    }
  });
}

std::size_t bias_gradient_scratch_bytes(std::int64_t rows, std::int64_t channels) {
  return static_cast<std::size_t>(chunk_count(rows) * 2 * channels * kElementBytes<float>);
}

template <class A>
void bias_gradient(std::int64_t rows, std::int64_t channels, const A* dy, float* d_bias, void* scratch) {
  const auto add_row = [=](std::int64_t r, float* sums) {
    const A* in = dy + r * channels;
#pragma omp simd
    for (std::int64_t c = 0; c < channels; ++c) sums[c] += float(in[c]);
  };
  sum_columns(rows, channels, rows * channels * kElementBytes<A>, d_bias, scratch, add_row);
}

template <class A>
void relu(std::int64_t count, const A* x, A* y) {
  parallel_ranges(count, 2 * count * kElementBytes<A>, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) store(y[i], activated(Activation::relu, float(x[i])));
  });
}

template <class A>
void relu_gradient(std::int64_t count, const A* y, const A* dy, A* dx) {
  parallel_ranges(count, 3 * count * kElementBytes<A>, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i)
      store(dx[i], masked(Activation::relu, float(y[i]), float(dy[i])));
  });
}

template <class A>
void bias_relu(std::int64_t rows, std::int64_t channels, const A* x, const float* bias, A* y) {
  parallel_ranges(rows, 2 * rows * channels * kElementBytes<A>, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const A* in = x + r * channels;
      A* out = y + r * channels;
#pragma omp simd
      for (std::int64_t c = 0; c < channels; ++c)
        store(out[c], activated(Activation::relu, float(in[c]) + bias[c]));
    }
  });
}

template <class A>
void bias_relu_gradient(std::int64_t rows, std::int64_t channels, const A* y, const A* dy, A* dz,
                        float* d_bias, void* scratch) {
  const auto add_row = [=](std::int64_t r, float* sums) {
    const A* value = y + r * channels;
    const A* in = dy + r * channels;
    A* out = dz + r * channels;
#pragma omp simd
    for (std::int64_t c = 0; c < channels; ++c) {
      const float gradient = masked(Activation::relu, float(value[c]), float(in[c]));
      store(out[c], gradient);
      sums[c] += gradient;
    }
  };
  sum_columns(rows, channels, 3 * rows * channels * kElementBytes<A>, d_bias, scratch, add_row);
}

template <class A>
void add(std::int64_t count, const A* a, const A* b, A* y) {
  parallel_ranges(count, 3 * count * kElementBytes<A>, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) store(y[i], float(a[i]) + float(b[i]));
  });
}

template <class A>
void relu6(std::int64_t count, const A* x, A* y) {
  parallel_ranges(count, 2 * count * kElementBytes<A>, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) store(y[i], activated(Activation::relu6, float(x[i])));
  });
}

template <class A>
void relu6_gradient(std::int64_t count, const A* y, const A* dy, A* dx) {
  parallel_ranges(count, 3 * count * kElementBytes<A>, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i)
      store(dx[i], masked(Activation::relu6, float(y[i]), float(dy[i])));
  });
}

template <class A>
void scale(std::int64_t count, float factor, const A* x, A* y) {
  parallel_ranges(count, 2 * count * kElementBytes<A>, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) store(y[i], factor * float(x[i]));
  });
}

template <class A>
void scale_add(std::int64_t count, float factor, const A* x, const A* r, A* y) {
  parallel_ranges(count, 3 * count * kElementBytes<A>, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) store(y[i], float(x[i]) + factor * float(r[i]));
  });
}

template <class A>
void scale_add_relu(std::int64_t count, float factor, const A* x, const A* r, A* y) {
  parallel_ranges(count, 3 * count * kElementBytes<A>, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i)
      store(y[i], activated(Activation::relu, float(x[i]) + factor * float(r[i])));
  });
}

template <class A>
void scale_add_relu_gradient(std::int64_t count, float factor, const A* y, const A* dy,
                             const std::type_identity_t<A>* dy2, A* dx, A* dr) {
  const auto write = [=](std::int64_t i, float gradient) {
    const float passed = masked(Activation::relu, float(y[i]), gradient);
    store(dx[i], passed);
    store(dr[i], factor * passed);
  };
  const std::int64_t bytes = (dy2 != nullptr ? 5 : 4) * count * kElementBytes<A>;
  parallel_ranges(count, bytes, [=](std::int64_t begin, std::int64_t end) {
    // NOLINTNEXTLINE(bugprone-branch-clone): clang-tidy 14 takes any two loops below a pragma for the same.
    if (dy2 != nullptr) {
#pragma omp simd
      for (std::int64_t i = begin; i < end; ++i) write(i, float(dy[i]) + float(dy2[i]));
    } else {
#pragma omp simd
      for (std::int64_t i = begin; i < end; ++i) write(i, float(dy[i]));
    }
  });
}

template <class From, class To>
void cast(std::int64_t count, const From* x, To* y) {
  const std::int64_t bytes = count * (kElementBytes<From> + kElementBytes<To>);
  parallel_ranges(count, bytes, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) store(y[i], float(x[i]));
  });
}

template void cast(std::int64_t, const float*, float*);
template void cast(std::int64_t, const float*, Bfloat16*);
template void cast(std::int64_t, const Bfloat16*, float*);
template void cast(std::int64_t, const Bfloat16*, Bfloat16*);

#define FASTNN_INSTANTIATE(A)                                                                          \
  template void bias_add(std::int64_t, std::int64_t, const A*, const float*, A*);                      \
  template void bias_gradient(std::int64_t, std::int64_t, const A*, float*, void*);                    \
  template void bias_relu(std::int64_t, std::int64_t, const A*, const float*, A*);                     \
  template void bias_relu_gradient(std::int64_t, std::int64_t, const A*, const A*, A*, float*, void*); \
  template void relu(std::int64_t, const A*, A*);                                                      \
  template void relu_gradient(std::int64_t, const A*, const A*, A*);                                   \
  template void relu6(std::int64_t, const A*, A*);                                                     \
  template void relu6_gradient(std::int64_t, const A*, const A*, A*);                                  \
  template void add(std::int64_t, const A*, const A*, A*);                                             \
  template void scale(std::int64_t, float, const A*, A*);                                              \
  template void scale_add(std::int64_t, float, const A*, const A*, A*);                                \
  template void scale_add_relu(std::int64_t, float, const A*, const A*, A*);                           \
  template void scale_add_relu_gradient(std::int64_t, float, const A*, const A*,                       \
                                        const std::type_identity_t<A>*, A*, A*)

FASTNN_INSTANTIATE(float);
FASTNN_INSTANTIATE(Bfloat16);
#undef FASTNN_INSTANTIATE

}  // namespace fastnn::kernels::cpu

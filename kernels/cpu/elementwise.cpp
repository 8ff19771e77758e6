#include "kernels/cpu/elementwise.h"

#include <algorithm>

#include "kernels/activation.h"
#include "kernels/cpu/parallel.h"

// Operations may run in place, which the compiler cannot prove harmless: hence omp simd on the inner loops.

namespace fastnn::kernels::cpu {
namespace {

constexpr std::int64_t kFloat = sizeof(float);

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

void bias_add(std::int64_t rows, std::int64_t channels, const float* x, const float* bias, float* y) {
  parallel_ranges(rows, 2 * rows * channels * kFloat, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const float* in = x + r * channels;
      float* out = y + r * channels;
#pragma omp simd
      for (std::int64_t c = 0; c < channels; ++c) out[c] = in[c] + bias[c];
    }
  });
}

std::size_t bias_gradient_scratch_bytes(std::int64_t rows, std::int64_t channels) {
  return static_cast<std::size_t>(chunk_count(rows) * 2 * channels * kFloat);
}

void bias_gradient(std::int64_t rows, std::int64_t channels, const float* dy, float* d_bias, void* scratch) {
  const auto add_row = [=](std::int64_t r, float* sums) {
    const float* in = dy + r * channels;
#pragma omp simd
    for (std::int64_t c = 0; c < channels; ++c) sums[c] += in[c];
  };
  sum_columns(rows, channels, rows * channels * kFloat, d_bias, scratch, add_row);
}

void relu(std::int64_t count, const float* x, float* y) {
  parallel_ranges(count, 2 * count * kFloat, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) y[i] = activated(Activation::relu, x[i]);
  });
}

void relu_gradient(std::int64_t count, const float* y, const float* dy, float* dx) {
  parallel_ranges(count, 3 * count * kFloat, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) dx[i] = masked(Activation::relu, y[i], dy[i]);
  });
}

void bias_relu(std::int64_t rows, std::int64_t channels, const float* x, const float* bias, float* y) {
  parallel_ranges(rows, 2 * rows * channels * kFloat, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const float* in = x + r * channels;
      float* out = y + r * channels;
#pragma omp simd
      for (std::int64_t c = 0; c < channels; ++c) out[c] = activated(Activation::relu, in[c] + bias[c]);
    }
  });
}

void bias_relu_gradient(std::int64_t rows, std::int64_t channels, const float* y, const float* dy, float* dz,
                        float* d_bias, void* scratch) {
  const auto add_row = [=](std::int64_t r, float* sums) {
    const float* value = y + r * channels;
    const float* in = dy + r * channels;
    float* out = dz + r * channels;
#pragma omp simd
    for (std::int64_t c = 0; c < channels; ++c) {
      const float gradient = masked(Activation::relu, value[c], in[c]);
      out[c] = gradient;
      sums[c] += gradient;
    }
  };
  sum_columns(rows, channels, 3 * rows * channels * kFloat, d_bias, scratch, add_row);
}

void add(std::int64_t count, const float* a, const float* b, float* y) {
  parallel_ranges(count, 3 * count * kFloat, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) y[i] = a[i] + b[i];
  });
}

void relu6(std::int64_t count, const float* x, float* y) {
  parallel_ranges(count, 2 * count * kFloat, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) y[i] = activated(Activation::relu6, x[i]);
  });
}

void relu6_gradient(std::int64_t count, const float* y, const float* dy, float* dx) {
  parallel_ranges(count, 3 * count * kFloat, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) dx[i] = masked(Activation::relu6, y[i], dy[i]);
  });
}

void scale(std::int64_t count, float factor, const float* x, float* y) {
  parallel_ranges(count, 2 * count * kFloat, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) y[i] = factor * x[i];
  });
}

void scale_add(std::int64_t count, float factor, const float* x, const float* r, float* y) {
  parallel_ranges(count, 3 * count * kFloat, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) y[i] = x[i] + factor * r[i];
  });
}

void scale_add_relu(std::int64_t count, float factor, const float* x, const float* r, float* y) {
  parallel_ranges(count, 3 * count * kFloat, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) y[i] = activated(Activation::relu, x[i] + factor * r[i]);
  });
}

void scale_add_relu_gradient(std::int64_t count, float factor, const float* y, const float* dy,
                             const float* dy2, float* dx, float* dr) {
  const auto write = [=](std::int64_t i, float gradient) {
    const float passed = masked(Activation::relu, y[i], gradient);
    dx[i] = passed;
    dr[i] = factor * passed;
  };
  const std::int64_t bytes = (dy2 != nullptr ? 5 : 4) * count * kFloat;
  parallel_ranges(count, bytes, [=](std::int64_t begin, std::int64_t end) {
    if (dy2 != nullptr) {
#pragma omp simd
      for (std::int64_t i = begin; i < end; ++i) write(i, dy[i] + dy2[i]);
    } else {
#pragma omp simd
      for (std::int64_t i = begin; i < end; ++i) write(i, dy[i]);
    }
  });
}

}  // namespace fastnn::kernels::cpu

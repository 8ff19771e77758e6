#include "kernels/cpu/avg_pool.h"

#include <immintrin.h>

#include <algorithm>

#include "kernels/cpu/parallel.h"

namespace fastnn::kernels::cpu {
namespace {

// Positions of one dimension: [begin, end).
struct Range {
  std::int64_t begin, end;

  std::int64_t size() const { return end - begin; }
};

// Input positions of a window.
Range inputs_of(std::int64_t output, std::int64_t stride, std::int64_t pad, std::int64_t kernel,
                std::int64_t extent) {
  const std::int64_t start = output * stride - pad;
  return {std::max<std::int64_t>(start, 0), std::min(start + kernel, extent)};
}

// Outputs whose windows hold an input position.
Range outputs_of(std::int64_t input, std::int64_t stride, std::int64_t pad, std::int64_t kernel,
                 std::int64_t outputs) {
  const std::int64_t first = input + pad - kernel + 1;
  const std::int64_t begin = first <= 0 ? 0 : (first + stride - 1) / stride;
  return {begin, std::min((input + pad) / stride + 1, outputs)};
}

// y[c] = scale * sum over the pixels of x[pixel, c] * weight(pixel), for 8 * Vectors channels. Pixels: rows x
// columns of an image of 'width' pixels of C channels.
template <int Vectors, class Weight>
inline void sum_vectors(Range rows, Range columns, std::int64_t width, std::int64_t C, const float* x,
                        Weight&& weight, float scale, float* y) {
  __m256 sums[Vectors];
  for (__m256& sum : sums) sum = _mm256_setzero_ps();
  for (std::int64_t h = rows.begin; h < rows.end; ++h) {
    const float* pixel = x + (h * width + columns.begin) * C;
    for (std::int64_t w = columns.begin; w < columns.end; ++w, pixel += C)
      for (int v = 0; v < Vectors; ++v)
        sums[v] = _mm256_add_ps(sums[v], weight.vector(h, w, _mm256_loadu_ps(pixel + 8 * v)));
  }
  for (int v = 0; v < Vectors; ++v)
    _mm256_storeu_ps(y + 8 * v, _mm256_mul_ps(sums[v], _mm256_set1_ps(scale)));
}

template <class Weight>
inline void sum_pixels(Range rows, Range columns, std::int64_t width, std::int64_t C, const float* x,
                       Weight&& weight, float scale, float* y) {
  std::int64_t c = 0;
  for (; c + 32 <= C; c += 32) sum_vectors<4>(rows, columns, width, C, x + c, weight, scale, y + c);
  for (; c + 8 <= C; c += 8) sum_vectors<1>(rows, columns, width, C, x + c, weight, scale, y + c);
  for (; c < C; ++c) {
    float sum = 0;
    for (std::int64_t h = rows.begin; h < rows.end; ++h)
      for (std::int64_t w = columns.begin; w < columns.end; ++w)
        sum += weight.scalar(h, w, x[(h * width + w) * C + c]);
    y[c] = sum * scale;
  }
}

// All pixels count the same.
struct Equal {
  __m256 vector(std::int64_t, std::int64_t, __m256 value) const { return value; }
  float scalar(std::int64_t, std::int64_t, float value) const { return value; }
};

// Each output counts by one over the pixels of its window.
struct ByWindow {
  const Window2d& a;

  float share(std::int64_t p, std::int64_t q) const {
    return 1 / static_cast<float>(inputs_of(p, a.stride_h, a.pad_top, a.R, a.H).size() *
                                  inputs_of(q, a.stride_w, a.pad_left, a.S, a.W).size());
  }
  __m256 vector(std::int64_t p, std::int64_t q, __m256 value) const {
    return _mm256_mul_ps(value, _mm256_set1_ps(share(p, q)));
  }
  float scalar(std::int64_t p, std::int64_t q, float value) const { return value * share(p, q); }
};

bool is_whole(const Window2d& a, Range rows, Range columns) {
  const auto whole = [](Range range, std::int64_t stride, std::int64_t pad, std::int64_t kernel,
                        std::int64_t extent) {
    return range.begin * stride >= pad && (range.end - 1) * stride - pad + kernel <= extent;
  };
  return whole(rows, a.stride_h, a.pad_top, a.R, a.H) && whole(columns, a.stride_w, a.pad_left, a.S, a.W);
}

std::int64_t traffic(const Window2d& a) {
  return a.N * a.C * (a.H * a.W + a.P * a.Q) * 4;
}

}  // namespace

void avg_pool(const Window2d& a, const float* x, float* y) {
  parallel_ranges(a.N * a.P, traffic(a), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const Range rows = inputs_of(row % a.P, a.stride_h, a.pad_top, a.R, a.H);
      const float* image = x + row / a.P * a.H * a.W * a.C;
      for (std::int64_t q = 0; q < a.Q; ++q) {
        const Range columns = inputs_of(q, a.stride_w, a.pad_left, a.S, a.W);
        sum_pixels(rows, columns, a.W, a.C, image, Equal(),
                   1 / static_cast<float>(rows.size() * columns.size()), y + (row * a.Q + q) * a.C);
      }
    }
  });
}

void avg_pool_gradient(const Window2d& a, const float* dy, float* dx) {
  parallel_ranges(a.N * a.H, traffic(a), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const Range rows = outputs_of(row % a.H, a.stride_h, a.pad_top, a.R, a.P);
      const float* image = dy + row / a.H * a.P * a.Q * a.C;
      for (std::int64_t w = 0; w < a.W; ++w) {
        const Range columns = outputs_of(w, a.stride_w, a.pad_left, a.S, a.Q);
        float* pixel = dx + (row * a.W + w) * a.C;
        // Away from the border every window is whole, and one factor serves all.
        if (is_whole(a, rows, columns))
          sum_pixels(rows, columns, a.Q, a.C, image, Equal(), 1 / static_cast<float>(a.R * a.S), pixel);
        else
          sum_pixels(rows, columns, a.Q, a.C, image, ByWindow{a}, 1, pixel);
      }
    }
  });
}

}  // namespace fastnn::kernels::cpu

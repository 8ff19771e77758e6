#include "kernels/cpu/avg_pool.h"

#include <algorithm>

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/vector.h"

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
template <int Vectors, class A, class Weight>
inline void sum_vectors(Range rows, Range columns, std::int64_t width, std::int64_t C, const A* x,
                        Weight&& weight, float scale, A* y) {
  __m256 sums[Vectors];
  for (__m256& sum : sums) sum = _mm256_setzero_ps();
  for (std::int64_t h = rows.begin; h < rows.end; ++h) {
    const A* pixel = x + (h * width + columns.begin) * C;
    for (std::int64_t w = columns.begin; w < columns.end; ++w, pixel += C)
      for (int v = 0; v < Vectors; ++v)
        sums[v] = _mm256_add_ps(sums[v], weight.vector(h, w, load8(pixel + 8 * v)));
  }
  for (int v = 0; v < Vectors; ++v) store8(y + 8 * v, _mm256_mul_ps(sums[v], _mm256_set1_ps(scale)));
}

template <class A, class Weight>
inline void sum_pixels(Range rows, Range columns, std::int64_t width, std::int64_t C, const A* x,
                       Weight&& weight, float scale, A* y) {
  std::int64_t c = 0;
  for (; c + 32 <= C; c += 32) sum_vectors<4>(rows, columns, width, C, x + c, weight, scale, y + c);
  for (; c + 8 <= C; c += 8) sum_vectors<1>(rows, columns, width, C, x + c, weight, scale, y + c);
  for (; c < C; ++c) {
    float sum = 0;
    for (std::int64_t h = rows.begin; h < rows.end; ++h)
      for (std::int64_t w = columns.begin; w < columns.end; ++w)
        sum += weight.scalar(h, w, float(x[(h * width + w) * C + c]));
    y[c] = A(sum * scale);
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

template <class A>
std::int64_t traffic(const Window2d& a) {
  return a.N * a.C * (a.H * a.W + a.P * a.Q) * kElementBytes<A>;
}

}  // namespace

template <class A>
void avg_pool(const Window2d& a, const A* x, A* y) {
  parallel_ranges(a.N * a.P, traffic<A>(a), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const Range rows = inputs_of(row % a.P, a.stride_h, a.pad_top, a.R, a.H);
      const A* image = x + row / a.P * a.H * a.W * a.C;
      for (std::int64_t q = 0; q < a.Q; ++q) {
        const Range columns = inputs_of(q, a.stride_w, a.pad_left, a.S, a.W);
        sum_pixels(rows, columns, a.W, a.C, image, Equal(),
                   1 / static_cast<float>(rows.size() * columns.size()), y + (row * a.Q + q) * a.C);
      }
    }
  });
}

template <class A>
void avg_pool_gradient(const Window2d& a, const A* dy, A* dx) {
  parallel_ranges(a.N * a.H, traffic<A>(a), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const Range rows = outputs_of(row % a.H, a.stride_h, a.pad_top, a.R, a.P);
      const A* image = dy + row / a.H * a.P * a.Q * a.C;
      for (std::int64_t w = 0; w < a.W; ++w) {
        const Range columns = outputs_of(w, a.stride_w, a.pad_left, a.S, a.Q);
        A* pixel = dx + (row * a.W + w) * a.C;
        // Away from the border every window is whole, and one factor serves all.
        if (is_whole(a, rows, columns))
          sum_pixels(rows, columns, a.Q, a.C, image, Equal(), 1 / static_cast<float>(a.R * a.S), pixel);
        else
          sum_pixels(rows, columns, a.Q, a.C, image, ByWindow{a}, 1, pixel);
      }
    }
  });
}

template void avg_pool(const Window2d&, const float*, float*);
template void avg_pool(const Window2d&, const Bfloat16*, Bfloat16*);
template void avg_pool_gradient(const Window2d&, const float*, float*);
template void avg_pool_gradient(const Window2d&, const Bfloat16*, Bfloat16*);

}  // namespace fastnn::kernels::cpu

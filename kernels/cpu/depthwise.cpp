#include "kernels/cpu/depthwise.h"

#include <algorithm>

#include "kernels/bfloat16.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/vector.h"

namespace fastnn::kernels::cpu {
namespace {

// Channels that are worked on at once: their sums, and a row of taps, stay in the first-level cache.
constexpr std::int64_t kChannels = 128;
// Products that are summed in one block before it is added to the total, to keep rounding small.
constexpr std::int64_t kBlockPixels = 128;

// sums[i] += a[i] * b[i].
template <class A, class B>
inline void multiply_add(std::int64_t count, const A* a, const B* b, float* sums) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) sums[i] += float(a[i]) * float(b[i]);
}

// One pixel: calls add(first channel, count, sums) for blocks of channels and writes the sums it made.
template <class A, class Add>
inline void for_each_block(std::int64_t C, A* pixel, Add&& add) {
  float sums[kChannels];
  for (std::int64_t first = 0; first < C; first += kChannels) {
    const std::int64_t count = std::min(kChannels, C - first);
    std::fill_n(sums, count, 0.0F);
    add(first, count, sums);
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) store(pixel[first + i], sums[i]);
  }
}

// Calls f(tap, output position) for the windows of one dimension that hold an input position.
template <class F>
inline void for_each_cover(std::int64_t position, std::int64_t pad, std::int64_t stride,
                           std::int64_t dilation, std::int64_t taps, std::int64_t outputs, F&& f) {
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    const std::int64_t start = position + pad - tap * dilation;
    if (start >= 0 && start % stride == 0 && start / stride < outputs) f(tap, start / stride);
  }
}

template <class A>
std::int64_t traffic(const Window2d& a) {
  return kElementBytes<A> * a.N * a.C * (a.H * a.W + a.P * a.Q);
}

std::int64_t weight_count(const Window2d& a) {
  return a.R * a.S * a.C;
}

// A part of the weight gradient: tap row r of the channels first ... first + count - 1.
struct Part {
  std::int64_t r, first, count;
};

// Adds the products of one row of x and of dy.
template <class A>
void add_row(const Window2d& a, const Part& part, const A* x, const A* dy, float* block) {
  for (std::int64_t q = 0; q < a.Q; ++q)
    for (std::int64_t s = 0; s < a.S; ++s) {
      const std::int64_t w = q * a.stride_w - a.pad_left + s * a.dilation_w;
      if (w >= 0 && w < a.W)
        multiply_add(part.count, x + w * a.C + part.first, dy + q * a.C + part.first,
                     block + s * a.C + part.first);
    }
}

void flush(const Window2d& a, const Part& part, float* block, float* total) {
  for (std::int64_t s = 0; s < a.S; ++s) {
    const std::int64_t begin = s * a.C + part.first;
#pragma omp simd
    for (std::int64_t i = begin; i < begin + part.count; ++i) {
      total[i] += block[i];
      block[i] = 0;
    }
  }
}

template <class A>
void weight_gradient_part(const Window2d& a, const Part& part, const A* x, const A* dy, float* block,
                          float* total) {
  std::int64_t pixels = 0;
  for (std::int64_t row = 0; row < a.N * a.P; ++row) {
    const std::int64_t h = row % a.P * a.stride_h - a.pad_top + part.r * a.dilation_h;
    if (h < 0 || h >= a.H) continue;
    add_row(a, part, x + (row / a.P * a.H + h) * a.W * a.C, dy + row * a.Q * a.C, block);
    pixels += a.Q;
    if (pixels < kBlockPixels) continue;
    flush(a, part, block, total);
    pixels = 0;
  }
  flush(a, part, block, total);
}

}  // namespace

template <class A>
void depthwise_conv2d(const Window2d& a, const A* x, const float* w, A* y) {
  parallel_ranges(a.N * a.P, traffic<A>(a), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t out = begin * a.Q; out < end * a.Q; ++out) {
      const std::int64_t top = out / a.Q % a.P * a.stride_h - a.pad_top;
      const std::int64_t left = out % a.Q * a.stride_w - a.pad_left;
      for_each_block(a.C, y + out * a.C, [&](std::int64_t first, std::int64_t count, float* sums) {
        for (std::int64_t tap = 0; tap < a.R * a.S; ++tap) {
          const std::int64_t h = top + tap / a.S * a.dilation_h, v = left + tap % a.S * a.dilation_w;
          if (h < 0 || h >= a.H || v < 0 || v >= a.W) continue;
          const std::int64_t pixel = (out / a.Q / a.P * a.H + h) * a.W + v;
          multiply_add(count, x + pixel * a.C + first, w + tap * a.C + first, sums);
        }
      });
    }
  });
}

template <class A>
void depthwise_conv2d_input_gradient(const Window2d& a, const float* w, const A* dy, A* dx) {
  parallel_ranges(a.N * a.H, traffic<A>(a), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t in = begin * a.W; in < end * a.W; ++in)
      for_each_block(a.C, dx + in * a.C, [&](std::int64_t first, std::int64_t count, float* sums) {
        const auto add_pixel = [&](std::int64_t r, std::int64_t p, std::int64_t s, std::int64_t q) {
          const std::int64_t pixel = (in / a.W / a.H * a.P + p) * a.Q + q;
          multiply_add(count, dy + pixel * a.C + first, w + (r * a.S + s) * a.C + first, sums);
        };
        for_each_cover(in / a.W % a.H, a.pad_top, a.stride_h, a.dilation_h, a.R, a.P,
                       [&](std::int64_t r, std::int64_t p) {
                         for_each_cover(in % a.W, a.pad_left, a.stride_w, a.dilation_w, a.S, a.Q,
                                        [&](std::int64_t s, std::int64_t q) { add_pixel(r, p, s, q); });
                       });
      });
  });
}

std::size_t depthwise_conv2d_weight_gradient_scratch_bytes(const Window2d& a) {
  return static_cast<std::size_t>(weight_count(a)) * sizeof(float);
}

template <class A>
void depthwise_conv2d_weight_gradient(const Window2d& a, const A* x, const A* dy, float* dw, void* scratch) {
  auto* const blocks = static_cast<float*>(scratch);
  std::fill_n(blocks, weight_count(a), 0.0F);
  std::fill_n(dw, weight_count(a), 0.0F);
  const std::int64_t chunks = (a.C + kChannels - 1) / kChannels;
  parallel_ranges(a.R * chunks, traffic<A>(a), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t r = task / chunks, first = task % chunks * kChannels;
      const std::int64_t row = r * a.S * a.C;
      weight_gradient_part(a, {r, first, std::min(kChannels, a.C - first)}, x, dy, blocks + row, dw + row);
    }
  });
}

template void depthwise_conv2d(const Window2d&, const float*, const float*, float*);
template void depthwise_conv2d(const Window2d&, const Bfloat16*, const float*, Bfloat16*);
template void depthwise_conv2d_input_gradient(const Window2d&, const float*, const float*, float*);
template void depthwise_conv2d_input_gradient(const Window2d&, const float*, const Bfloat16*, Bfloat16*);
template void depthwise_conv2d_weight_gradient(const Window2d&, const float*, const float*, float*, void*);
template void depthwise_conv2d_weight_gradient(const Window2d&, const Bfloat16*, const Bfloat16*, float*,
                                               void*);

}  // namespace fastnn::kernels::cpu

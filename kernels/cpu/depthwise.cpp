#include "kernels/cpu/depthwise.h"

#include <algorithm>

#include "kernels/cpu/parallel.h"

namespace fastnn::kernels::cpu {
namespace {

// Input channels of one task of the weight gradient: a row of taps stays in the first-level cache.
constexpr std::int64_t kChannels = 128;
// Products that are summed in float before they are added to the total.
constexpr std::int64_t kBlockPixels = 128;

// sums[c*M+m] += x[c] * w[c*M+m].
inline void multiply_add(std::int64_t C, std::int64_t M, const float* x, const float* w, float* sums) {
  if (M == 1) {
#pragma omp simd
    for (std::int64_t c = 0; c < C; ++c) sums[c] += x[c] * w[c];
    return;
  }
  for (std::int64_t c = 0; c < C; ++c)
#pragma omp simd
    for (std::int64_t m = 0; m < M; ++m) sums[c * M + m] += x[c] * w[c * M + m];
}

// sums[c] += sum over m of dy[c*M+m] * w[c*M+m].
inline void multiply_sum(std::int64_t C, std::int64_t M, const float* dy, const float* w, float* sums) {
  if (M == 1) return multiply_add(C, 1, dy, w, sums);
  for (std::int64_t c = 0; c < C; ++c) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t m = 0; m < M; ++m) sum += dy[c * M + m] * w[c * M + m];
    sums[c] += sum;
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

std::int64_t traffic(const DepthwiseConv2d& conv) {
  const Window2d& a = conv.window;
  return 4 * a.N * a.C * (a.H * a.W + a.P * a.Q * conv.M);
}

std::int64_t weight_count(const DepthwiseConv2d& conv) {
  return conv.window.R * conv.window.S * conv.window.C * conv.M;
}

// A part of the weight gradient: tap row r of the channels first ... first + count - 1.
struct Part {
  std::int64_t r, first, count;
};

void add_row(const DepthwiseConv2d& conv, const Part& part, const float* x, const float* dy, float* block) {
  const Window2d& a = conv.window;
  const std::int64_t outputs = a.C * conv.M, at = part.first * conv.M;
  for (std::int64_t q = 0; q < a.Q; ++q)
    for (std::int64_t s = 0; s < a.S; ++s) {
      const std::int64_t w = q * a.stride_w - a.pad_left + s * a.dilation_w;
      if (w >= 0 && w < a.W)
        multiply_add(part.count, conv.M, x + w * a.C + part.first, dy + q * outputs + at,
                     block + s * outputs + at);
    }
}

void flush(const DepthwiseConv2d& conv, const Part& part, float* block, float* total) {
  const std::int64_t outputs = conv.window.C * conv.M, at = part.first * conv.M, count = part.count * conv.M;
  for (std::int64_t s = 0; s < conv.window.S; ++s)
#pragma omp simd
    for (std::int64_t i = s * outputs + at; i < s * outputs + at + count; ++i) {
      total[i] += block[i];
      block[i] = 0;
    }
}

void weight_gradient_part(const DepthwiseConv2d& conv, const Part& part, const float* x, const float* dy,
                          float* block, float* total) {
  const Window2d& a = conv.window;
  std::int64_t pixels = 0;
  for (std::int64_t row = 0; row < a.N * a.P; ++row) {
    const std::int64_t h = row % a.P * a.stride_h - a.pad_top + part.r * a.dilation_h;
    if (h < 0 || h >= a.H) continue;
    add_row(conv, part, x + (row / a.P * a.H + h) * a.W * a.C, dy + row * a.Q * a.C * conv.M, block);
    pixels += a.Q;
    if (pixels < kBlockPixels) continue;
    flush(conv, part, block, total);
    pixels = 0;
  }
  flush(conv, part, block, total);
}

}  // namespace

void depthwise_conv2d(const DepthwiseConv2d& conv, const float* x, const float* w, float* y) {
  const Window2d& a = conv.window;
  const std::int64_t outputs = a.C * conv.M;
  parallel_ranges(a.N * a.P, traffic(conv), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t out = begin * a.Q; out < end * a.Q; ++out) {
      float* sums = y + out * outputs;
      std::fill_n(sums, outputs, 0.0F);
      const std::int64_t top = out / a.Q % a.P * a.stride_h - a.pad_top;
      const std::int64_t left = out % a.Q * a.stride_w - a.pad_left;
      for (std::int64_t tap = 0; tap < a.R * a.S; ++tap) {
        const std::int64_t h = top + tap / a.S * a.dilation_h, v = left + tap % a.S * a.dilation_w;
        if (h < 0 || h >= a.H || v < 0 || v >= a.W) continue;
        const float* pixel = x + ((out / a.Q / a.P * a.H + h) * a.W + v) * a.C;
        multiply_add(a.C, conv.M, pixel, w + tap * outputs, sums);
      }
    }
  });
}

void depthwise_conv2d_input_gradient(const DepthwiseConv2d& conv, const float* w, const float* dy,
                                     float* dx) {
  const Window2d& a = conv.window;
  const std::int64_t outputs = a.C * conv.M;
  parallel_ranges(a.N * a.H, traffic(conv), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t in = begin * a.W; in < end * a.W; ++in) {
      float* sums = dx + in * a.C;
      std::fill_n(sums, a.C, 0.0F);
      const auto add_pixel = [&](std::int64_t r, std::int64_t p, std::int64_t s, std::int64_t q) {
        multiply_sum(a.C, conv.M, dy + ((in / a.W / a.H * a.P + p) * a.Q + q) * outputs,
                     w + (r * a.S + s) * outputs, sums);
      };
      for_each_cover(in / a.W % a.H, a.pad_top, a.stride_h, a.dilation_h, a.R, a.P,
                     [&](std::int64_t r, std::int64_t p) {
                       for_each_cover(in % a.W, a.pad_left, a.stride_w, a.dilation_w, a.S, a.Q,
                                      [&](std::int64_t s, std::int64_t q) { add_pixel(r, p, s, q); });
                     });
    }
  });
}

std::size_t depthwise_conv2d_weight_gradient_scratch_bytes(const DepthwiseConv2d& conv) {
  return static_cast<std::size_t>(weight_count(conv)) * sizeof(float);
}

void depthwise_conv2d_weight_gradient(const DepthwiseConv2d& conv, const float* x, const float* dy, float* dw,
                                      void* scratch) {
  const Window2d& a = conv.window;
  auto* const blocks = static_cast<float*>(scratch);
  std::fill_n(blocks, weight_count(conv), 0.0F);
  std::fill_n(dw, weight_count(conv), 0.0F);
  const std::int64_t chunks = (a.C + kChannels - 1) / kChannels;
  parallel_ranges(a.R * chunks, traffic(conv), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t r = task / chunks, first = task % chunks * kChannels;
      const std::int64_t row = r * a.S * a.C * conv.M;
      weight_gradient_part(conv, {r, first, std::min(kChannels, a.C - first)}, x, dy, blocks + row, dw + row);
    }
  });
}

}  // namespace fastnn::kernels::cpu

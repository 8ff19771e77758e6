#include "kernels/cpu/lrn.h"

#include <immintrin.h>

#include <algorithm>
#include <cmath>

#include "kernels/bfloat16.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/vector.h"

namespace fastnn::kernels::cpu {
namespace {

// Channels of a row that are worked on at once, so that all helpers fit into the first-level cache.
constexpr std::int64_t kBlock = 256;
constexpr std::int64_t kHalo = 2 * Lrn::kMaxRadius;
// Room for a block, its neighbours on both sides, and the rounding up to whole vectors.
using Buffer = float[kBlock + 2 * kHalo + 16];

// scale^-beta and 1 / scale, eight at once; roots and divisions are exact, so the same on every processor.
struct Powers {
  __m256 power, inverse;
};

inline __m256 inverse_of(__m256 s) {
  return _mm256_div_ps(_mm256_set1_ps(1), s);
}

struct ThreeQuarters {
  static Powers of(__m256 s, float) {
    const __m256 root = _mm256_sqrt_ps(s);
    return {inverse_of(_mm256_mul_ps(root, _mm256_sqrt_ps(root))), inverse_of(s)};
  }
};

struct Half {
  static Powers of(__m256 s, float) { return {inverse_of(_mm256_sqrt_ps(s)), inverse_of(s)}; }
};

struct Whole {
  static Powers of(__m256 s, float) {
    const __m256 inverse = inverse_of(s);
    return {inverse, inverse};
  }
};

struct Any {
  static Powers of(__m256 s, float beta) {
    alignas(32) float lanes[8];
    _mm256_store_ps(lanes, s);
    for (float& lane : lanes) lane = std::pow(lane, -beta);
    return {_mm256_load_ps(lanes), inverse_of(s)};
  }
};

// to[i] = value(channel) for the channels first ... first + count - 1; 0 for those that do not exist and for
// the rest of the last vector.
template <class Value>
inline void fill(std::int64_t channels, std::int64_t first, std::int64_t count, float* to, Value&& value) {
  const std::int64_t begin = std::clamp<std::int64_t>(-first, 0, count);
  const std::int64_t end = std::clamp<std::int64_t>(channels - first, begin, count);
  std::fill_n(to, begin, 0.0F);
#pragma omp simd
  for (std::int64_t i = begin; i < end; ++i) to[i] = value(first + i);
  std::fill_n(to + end, count - end + 8, 0.0F);
}

// from[0] + ... + from[2 * radius], for eight neighbours.
inline __m256 window_sum(const float* from, std::int64_t radius) {
  __m256 sum = _mm256_loadu_ps(from);
  for (std::int64_t j = 1; j <= 2 * radius; ++j) sum = _mm256_add_ps(sum, _mm256_loadu_ps(from + j));
  return sum;
}

struct Constants {
  explicit Constants(const Lrn& a)
      : bias(_mm256_set1_ps(static_cast<float>(a.bias))),
        alpha(_mm256_set1_ps(static_cast<float>(a.alpha))),
        beta(static_cast<float>(a.beta)),
        slope(_mm256_set1_ps(static_cast<float>(-2 * a.alpha * a.beta))) {}

  __m256 scale(__m256 sum) const { return _mm256_add_ps(bias, _mm256_mul_ps(alpha, sum)); }

  __m256 bias, alpha;
  float beta;
  __m256 slope;
};

template <class Power, class A>
void forward_block(const Lrn& a, const Constants& k, const A* x, std::int64_t first, std::int64_t count,
                   A* y) {
  Buffer squares, values;
  fill(a.channels, first - a.depth_radius, count + 2 * a.depth_radius, squares,
       [x](std::int64_t c) { return float(x[c]) * float(x[c]); });
  for (std::int64_t i = 0; i < count; i += 8)
    _mm256_storeu_ps(values + i, Power::of(k.scale(window_sum(squares + i, a.depth_radius)), k.beta).power);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) store(y[first + i], float(x[first + i]) * values[i]);
}

// 'powers' holds scale^-beta and 'parts' the terms of the sum, for the block and its neighbours.
template <class Power, class A>
void gradient_block(const Lrn& a, const Constants& k, const A* x, const A* dy, std::int64_t first,
                    std::int64_t count, A* dx) {
  Buffer squares, powers, parts;
  const std::int64_t radius = a.depth_radius, wide = count + 2 * radius;
  fill(a.channels, first - 2 * radius, count + 4 * radius, squares,
       [x](std::int64_t c) { return float(x[c]) * float(x[c]); });
  fill(a.channels, first - radius, wide, parts,
       [x, dy](std::int64_t c) { return float(x[c]) * float(dy[c]); });
  for (std::int64_t i = 0; i < wide; i += 8) {
    const auto [power, inverse] = Power::of(k.scale(window_sum(squares + i, radius)), k.beta);
    _mm256_storeu_ps(powers + i, power);
    _mm256_storeu_ps(parts + i, _mm256_mul_ps(_mm256_loadu_ps(parts + i), _mm256_mul_ps(power, inverse)));
  }
  float* around = squares;
  for (std::int64_t i = 0; i < count; i += 8)
    _mm256_storeu_ps(around + i, _mm256_mul_ps(k.slope, window_sum(parts + i, radius)));
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i)
    store(dx[first + i], float(dy[first + i]) * powers[i + radius] + float(x[first + i]) * around[i]);
}

// Calls f(row, first channel, number of channels) for all blocks of all rows.
template <class A, class F>
void for_each_block(const Lrn& a, std::int64_t tensors, F&& f) {
  parallel_ranges(a.rows, tensors * a.rows * a.channels * kElementBytes<A>,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t row = begin; row < end; ++row)
                      for (std::int64_t c = 0; c < a.channels; c += kBlock)
                        f(row, c, std::min(kBlock, a.channels - c));
                  });
}

// Calls f with the fastest way to raise to the power -beta.
template <class F>
void with_power(double beta, F&& f) {
  if (beta == 0.75)
    f(ThreeQuarters());
  else if (beta == 0.5)
    f(Half());
  else if (beta == 1)
    f(Whole());
  else
    f(Any());
}

}  // namespace

template <class A>
void lrn(const Lrn& a, const A* x, A* y) {
  const Constants k(a);
  with_power(a.beta, [&]<class Power>(Power) {
    for_each_block<A>(a, 2, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
      forward_block<Power>(a, k, x + row * a.channels, first, count, y + row * a.channels);
    });
  });
}

template <class A>
void lrn_gradient(const Lrn& a, const A* x, const A* dy, A* dx) {
  const Constants k(a);
  with_power(a.beta, [&]<class Power>(Power) {
    for_each_block<A>(a, 3, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
      const std::int64_t at = row * a.channels;
      gradient_block<Power>(a, k, x + at, dy + at, first, count, dx + at);
    });
  });
}

template void lrn(const Lrn&, const float*, float*);
template void lrn(const Lrn&, const Bfloat16*, Bfloat16*);
template void lrn_gradient(const Lrn&, const float*, const float*, float*);
template void lrn_gradient(const Lrn&, const Bfloat16*, const Bfloat16*, Bfloat16*);

}  // namespace fastnn::kernels::cpu

#include "data/preprocess/resize.h"

#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fastnn {
namespace {

float scale_of(const ResizeAxis& axis) {
  return static_cast<float>(axis.in) / static_cast<float>(axis.out);
}

/// Keys' kernel with a = -0.75 at distance x, 0 <= x <= 2.
float keys(float x) {
  constexpr float a = -0.75F;
  return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}

/// Part of source pixel 'pixel' that lies inside the box, in float32 as TensorFlow counts it.
float overlap(int pixel, const SourceBox& box) {
  const auto left = static_cast<float>(pixel);
  const auto right = static_cast<float>(pixel + 1);
  if (left < box.begin) return right > box.end ? box.extent : right - box.begin;
  return right > box.end ? box.end - left : 1.0F;
}

using Taps = std::array<float, 4>;

Taps bicubic_weights(float fraction) {
  const float t = static_cast<float>(std::lrint(fraction * 1024)) / 1024;
  return {keys(t + 1), keys(t), keys(1 - t), keys(2 - t)};
}

__m256 load8(const std::uint8_t* bytes) {
  return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes))));
}

// Of twice the speed of what the compiler makes of plain loops. The remainder is computed with the same
// operations, so that a value does not depend on its place in a row.
void assign_weighted(std::span<float> row, float weight0, const std::uint8_t* source0, float weight1,
                     const std::uint8_t* source1) {
  std::size_t k = 0;
  for (; k + 8 <= row.size(); k += 8) {
    const __m256 first = _mm256_mul_ps(_mm256_set1_ps(weight0), load8(source0 + k));
    _mm256_storeu_ps(&row[k], _mm256_fmadd_ps(_mm256_set1_ps(weight1), load8(source1 + k), first));
  }
  for (; k < row.size(); ++k) row[k] = std::fma(weight1, float(source1[k]), weight0 * float(source0[k]));
}

void add_weighted(std::span<float> row, float weight, const std::uint8_t* source) {
  std::size_t k = 0;
  for (; k + 8 <= row.size(); k += 8)
    _mm256_storeu_ps(&row[k],
                     _mm256_fmadd_ps(_mm256_set1_ps(weight), load8(source + k), _mm256_loadu_ps(&row[k])));
  for (; k < row.size(); ++k) row[k] = std::fma(weight, float(source[k]), row[k]);
}

}  // namespace

void Resize::Axis::reserve(const ResizeAxis& axis, int taps_of_each) {
  count = axis.count;
  taps = taps_of_each;
  index.assign(std::size_t(count) * taps, 0);
  weight.assign(std::size_t(count) * taps, 0.0F);
}

void Resize::Axis::set(int position, int tap, int source, float value) {
  index[std::size_t(position) * taps + tap] = source;
  weight[std::size_t(position) * taps + tap] = value;
}

// Each position has two taps at least ('nearest' gives the second no weight), so that the loops over the
// first two need no special case.
void Resize::Axis::prepare(ResizeMethod method, const ResizeAxis& axis) {
  const float scale = scale_of(axis);
  const int area_taps = static_cast<int>(std::ceil(scale)) + 2;
  reserve(axis, method == ResizeMethod::area ? area_taps : method == ResizeMethod::bicubic ? 4 : 2);
  for (int i = 0; i < count; ++i) {
    const float begin = static_cast<float>(axis.first + i) * scale;
    if (method == ResizeMethod::area)
      set_box(i, {begin, static_cast<float>(axis.first + i + 1) * scale, scale}, axis.in);
    else
      set_kernel(i, method, begin, axis.in);
  }
  move_to_origin();
}

void Resize::Axis::set_kernel(int position, ResizeMethod method, float at, int in) {
  const int pixel = static_cast<int>(at);
  const float fraction = at - static_cast<float>(pixel);
  const auto inside = [in](int source) { return std::clamp(source, 0, in - 1); };
  if (method == ResizeMethod::bicubic) {
    const Taps weights = bicubic_weights(fraction);
    for (int t = 0; t < 4; ++t) set(position, t, inside(pixel + t - 1), weights[t]);
    return;
  }
  const float of_next = method == ResizeMethod::bilinear ? fraction : 0;
  set(position, 0, inside(pixel), 1 - of_next);
  set(position, 1, inside(pixel + 1), of_next);
}

void Resize::Axis::set_box(int position, const SourceBox& box, int in) {
  const int first = static_cast<int>(box.begin);
  for (int t = 0; t < taps; ++t) {
    const bool touched = static_cast<float>(first + t) < box.end;
    const int pixel = touched ? first + t : first;
    set(position, t, std::min(pixel, in - 1), touched ? overlap(pixel, box) / box.extent : 0);
  }
}

void Resize::Axis::move_to_origin() {
  const auto [least, most] = std::ranges::minmax(index);
  origin = least;
  extent = most - least + 1;
  for (int& source : index) source -= least;
}

void Resize::Axis::reverse() {
  for (int left = 0, right = count - 1; left < right; ++left, --right)
    for (int t = 0; t < taps; ++t) {
      const std::size_t a = std::size_t(left) * taps + t, b = std::size_t(right) * taps + t;
      std::swap(index[a], index[b]);
      std::swap(weight[a], weight[b]);
    }
}

void Resize::prepare(const ResizeOptions& options) {
  rows_.prepare(options.method, options.rows);
  for (float& weight : rows_.weight) weight *= options.scale;
  columns_.prepare(options.method, options.columns);
  if (options.flip == ResizeOptions::Flip::left_right) columns_.reverse();
  for (int& source : columns_.index) source *= 3;
  std::ranges::copy(options.shift, shift_.begin());
  row_.resize(std::size_t(columns_.extent) * 3 + 1);
}

Rectangle Resize::source() const {
  return {.top = rows_.origin, .left = columns_.origin, .height = rows_.extent, .width = columns_.extent};
}

void Resize::blend_rows(const Image& part, int y) {
  const int* index = rows_.index.data() + std::size_t(y) * rows_.taps;
  const float* weight = rows_.weight.data() + std::size_t(y) * rows_.taps;
  const auto row = std::span(row_).first(part.row_bytes());
  assign_weighted(row, weight[0], part.row(index[0]).data(), weight[1], part.row(index[1]).data());
  for (int t = 2; t < rows_.taps; ++t) add_weighted(row, weight[t], part.row(index[t]).data());
}

// A pixel is three of the four floats of a register. The fourth is the next pixel's, stored before that one
// is; only a row's last pixel must not be followed by it.
template <int kTaps>
void Resize::blend_columns(float* target) const {
  const int taps = kTaps > 0 ? kTaps : columns_.taps;
  const int* index = columns_.index.data();
  const float* weight = columns_.weight.data();
  const __m128 shift = _mm_loadu_ps(shift_.data());
  const auto pixel = [&] {
    __m128 sum = shift;
    for (int t = 0; t < taps; ++t)
      sum = _mm_fmadd_ps(_mm_set1_ps(weight[t]), _mm_loadu_ps(row_.data() + index[t]), sum);
    index += taps;
    weight += taps;
    return sum;
  };
  for (int x = 0; x + 1 < columns_.count; ++x, target += 3) _mm_storeu_ps(target, pixel());
  _mm_maskstore_ps(target, _mm_setr_epi32(-1, -1, -1, 0), pixel());
}

void Resize::run(const Image& part, std::span<float> target) {
  for (int y = 0; y < rows_.count; ++y) {
    blend_rows(part, y);
    float* row = target.data() + std::size_t(y) * columns_.count * 3;
    columns_.taps == 2 ? blend_columns<2>(row) : blend_columns<0>(row);
  }
}

}  // namespace fastnn

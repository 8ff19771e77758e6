#include "kernels/reference/slice.h"

#include <algorithm>

namespace fastnn::kernels::reference {
namespace {

// Calls f(index into y, index into x, or -1 outside x) for every element of y.
template <class F>
void for_each_element(const Slice& a, F&& f) {
  for (std::int64_t i = 0; i < a.N * a.P * a.Q * a.K; ++i) {
    const std::int64_t n = i / a.K / a.Q / a.P;
    const std::int64_t h = a.begin_h + i / a.K / a.Q % a.P * a.step_h;
    const std::int64_t w = a.begin_w + i / a.K % a.Q * a.step_w;
    const std::int64_t c = a.begin_c + i % a.K;
    const bool inside = h >= 0 && h < a.H && w >= 0 && w < a.W && c >= 0 && c < a.C;
    f(i, inside ? ((n * a.H + h) * a.W + w) * a.C + c : -1);
  }
}

}  // namespace

void slice(const Slice& a, const double* x, double* y) {
  for_each_element(a, [&](std::int64_t to, std::int64_t from) { y[to] = from < 0 ? 0 : x[from]; });
}

void slice_gradient(const Slice& a, const double* dy, double* dx) {
  std::fill_n(dx, a.N * a.H * a.W * a.C, 0.0);
  for_each_element(a, [&](std::int64_t from, std::int64_t to) {
    if (to >= 0) dx[to] = dy[from];
  });
}

void concat(std::int64_t rows, std::span<const ConcatPart<double>> parts, double* y) {
  for (std::int64_t row = 0; row < rows; ++row)
    for (const auto& part : parts) y = std::copy_n(part.x + row * part.channels, part.channels, y);
}

}  // namespace fastnn::kernels::reference

#include "kernels/reference/conv2d.h"

#include <omp.h>

#include <functional>

#include "kernels/reference/dense.h"
#include "tests/kernels/compare.h"
#include "tests/support/catch.h"

using namespace fastnn::kernels;
using namespace fastnn::tests;

namespace {

/// Calls f(index into x, w, y) for every product of the definition.
void for_each_product(const Conv2d& conv,
                      const std::function<void(std::size_t, std::size_t, std::size_t)>& f) {
  const Window2d& a = conv.window;
  for (std::int64_t output = 0; output < a.N * a.P * a.Q; ++output)
    for (std::int64_t tap = 0; tap < a.R * a.S; ++tap) {
      const std::int64_t h = output / a.Q % a.P * a.stride_h - a.pad_top + tap / a.S * a.dilation_h;
      const std::int64_t w = output % a.Q * a.stride_w - a.pad_left + tap % a.S * a.dilation_w;
      if (h < 0 || h >= a.H || w < 0 || w >= a.W) continue;
      const std::int64_t pixel = (output / a.Q / a.P * a.H + h) * a.W + w;
      for (std::int64_t c = 0; c < a.C; ++c)
        for (std::int64_t k = 0; k < conv.K; ++k)
          f(std::size_t(pixel * a.C + c), std::size_t((tap * a.C + c) * conv.K + k),
            std::size_t(output * conv.K + k));
    }
}

struct Case {
  Conv2d conv;
  Doubles x, w, dy;

  explicit Case(const Conv2d& of) : conv(of) {
    const Window2d& a = conv.window;
    x = golden_values("x", a.N * a.H * a.W * a.C);
    w = golden_values("w", a.R * a.S * a.C * conv.K);
    dy = golden_values("dy", a.N * a.P * a.Q * conv.K);
  }
};

/// One pixel, several blocks of pixels and of columns, ragged ends of both, strides, dilation.
std::vector<Case> cases() {
  const auto conv = [](Window2d window, std::int64_t channels, Padding padding) {
    return Case({with_padding(window, padding), channels});
  };
  return {conv({.N = 1, .H = 1, .W = 1, .C = 1, .R = 1, .S = 1}, 1, Padding::same),
          conv({.N = 2, .H = 9, .W = 11, .C = 3, .R = 3, .S = 5}, 7, Padding::same),
          conv({.N = 3, .H = 8, .W = 8, .C = 33, .R = 3, .S = 3}, 9, Padding::valid),
          conv({.N = 2, .H = 13, .W = 13, .C = 130, .R = 2, .S = 2, .stride_h = 2, .stride_w = 3}, 17,
               Padding::same),
          conv({.N = 1, .H = 17, .W = 18, .C = 5, .R = 3, .S = 3, .dilation_h = 2, .dilation_w = 3}, 12,
               Padding::same),
          conv({.N = 2, .H = 7, .W = 7, .C = 300, .R = 1, .S = 1, .stride_h = 2, .stride_w = 2}, 4,
               Padding::valid)};
}

/// Sums of at most 1200 products, added in another order.
constexpr double kTolerance = 1e-12;

struct Results {
  Doubles y, dx, dw;
  bool operator==(const Results&) const = default;
};

Results results(const Case& of) {
  Results computed{Doubles(of.dy.size(), 7.0), Doubles(of.x.size(), 7.0), Doubles(of.w.size(), 7.0)};
  reference::conv2d(of.conv, of.x.data(), of.w.data(), computed.y.data());
  reference::conv2d_input_gradient(of.conv, of.w.data(), of.dy.data(), computed.dx.data());
  reference::conv2d_weight_gradient(of.conv, of.x.data(), of.dy.data(), computed.dw.data());
  return computed;
}

}  // namespace

TEST_CASE("reference conv2d: blocks and patches give the sums of the definition") {
  for (const Case& c : cases()) {
    INFO(c.conv.window.N << "x" << c.conv.window.H << "x" << c.conv.window.W << "x" << c.conv.window.C);
    Results expected{Doubles(c.dy.size()), Doubles(c.x.size()), Doubles(c.w.size())};
    for_each_product(c.conv, [&](std::size_t in, std::size_t weight, std::size_t out) {
      expected.y[out] += c.x[in] * c.w[weight];
      expected.dx[in] += c.dy[out] * c.w[weight];
      expected.dw[weight] += c.x[in] * c.dy[out];
    });
    const Results computed = results(c);
    CHECK(largest_error(computed.y, expected.y) < kTolerance);
    CHECK(largest_error(computed.dx, expected.dx) < kTolerance);
    CHECK(largest_error(computed.dw, expected.dw) < kTolerance);
  }
}

TEST_CASE("reference conv2d and dense: any number of threads gives the same bits") {
  const int threads = omp_get_max_threads();
  for (const Case& c : cases()) {
    omp_set_num_threads(1);
    const Results one = results(c);
    omp_set_num_threads(3);
    CHECK(results(c) == one);
  }
  const Dense layer{5, 300, 131};
  const Doubles x = golden_values("x", 5 * 300), w = golden_values("w", 300 * 131);
  const auto product = [&](int count) {
    omp_set_num_threads(count);
    Doubles y(5 * 131);
    reference::dense(layer, x.data(), w.data(), y.data());
    return y;
  };
  CHECK(product(1) == product(3));
  omp_set_num_threads(threads);
}

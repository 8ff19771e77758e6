#include "kernels/cpu/batch_norm.h"

#include <omp.h>

#include <cstddef>

#include "kernels/cpu/elementwise.h"
#include "kernels/reference/batch_norm.h"
#include "kernels/reference/elementwise.h"
#include "tests/kernels/compare.h"
#include "tests/support/catch.h"

using namespace fastnn::kernels;
using namespace fastnn::tests;

namespace {

struct Rows {
  std::int64_t rows, channels;
};
// Layers, one row, one channel, short last rows of the walk, one past a panel, several chunks and blocks.
const Rows kRows[] = {{56 * 56, 256}, {784, 2048}, {112 * 112, 8}, {1, 5},    {7, 1},
                      {129, 1},       {1000, 17},  {37, 33},       {5, 1025}, {301, 127}};

struct Threads {
  explicit Threads(int count) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before); }
  const int before = omp_get_max_threads();
};

Floats values(const std::string& name, std::int64_t count, double scale = 1, double offset = 0) {
  Doubles result = golden_values(name, count);
  for (double& value : result) value = offset + scale * value;
  return to_float(result);
}

Doubles to_double(const Floats& values) {
  return {values.begin(), values.end()};
}

/// Forward and backward of a batch norm with ReLU: everything the kernels write.
template <class E>
struct Results {
  explicit Results(const Rows& shape) {
    const auto channels = static_cast<std::size_t>(shape.channels);
    const std::size_t elements = static_cast<std::size_t>(shape.rows) * channels;
    for (auto* vector : {&mean, &rstd, &variance, &d_beta, &d_gamma}) vector->resize(channels);
    for (auto* tensor : {&y, &dz, &dx, &fixed_dx}) tensor->resize(elements);
  }
  auto all() const { return std::array{&mean, &rstd, &variance, &y, &dz, &d_beta, &d_gamma, &dx, &fixed_dx}; }

  std::vector<E> mean, rstd, variance, y, dz, d_beta, d_gamma, dx, fixed_dx;
};

template <class E>
struct Operands {
  std::vector<E> x, dy, dy2, beta, gamma;
};

Operands<float> operands(const Rows& shape, double offset = 0) {
  const std::int64_t elements = shape.rows * shape.channels;
  return {values("x", elements, 2, offset), values("dy", elements), values("dy2", elements),
          values("beta", shape.channels), values("gamma", shape.channels, 0.5, 1)};
}

Operands<double> to_double(const Operands<float>& o) {
  return {to_double(o.x), to_double(o.dy), to_double(o.dy2), to_double(o.beta), to_double(o.gamma)};
}

template <class E, class Statistics, class Reduce, class Kernels>
Results<E> run(const Rows& shape, const Operands<E>& o, Statistics statistics, Reduce reduce,
               const Kernels& kernels) {
  const auto [rows, channels] = shape;
  Results<E> r(shape);
  statistics({rows, channels, 1e-3, o.x.data(), r.mean.data(), r.rstd.data(), r.variance.data()});
  kernels.apply({rows, channels, o.x.data(), r.mean.data(), r.rstd.data(), o.beta.data(), o.gamma.data(),
                 nullptr, Activation::relu, r.y.data()});
  r.dz = o.dy;
  reduce({.rows = rows,
          .channels = channels,
          .dy = r.dz.data(),
          .dy2 = o.dy2.data(),
          .x = o.x.data(),
          .mean = r.mean.data(),
          .rstd = r.rstd.data(),
          .mask = ActivationMask::input,
          .beta = o.beta.data(),
          .gamma = o.gamma.data(),
          .dz = r.dz.data(),
          .d_beta = r.d_beta.data(),
          .d_gamma = r.d_gamma.data()});
  kernels.gradient({rows, channels, r.dz.data(), o.x.data(), r.mean.data(), r.rstd.data(), r.d_beta.data(),
                    r.d_gamma.data(), o.gamma.data(), nullptr, Activation::none, r.dx.data()});
  kernels.fixed({rows, channels, r.dz.data(), r.rstd.data(), o.gamma.data(), r.fixed_dx.data()});
  return r;
}

template <class E>
struct Kernels {
  void (*apply)(const BatchNormApply<E>&);
  void (*gradient)(const BatchNormGradientApply<E>&);
  void (*fixed)(const BatchNormFixedGradient<E>&);
};

Results<float> run_cpu(const Rows& shape, const Operands<float>& o) {
  std::vector<double> scratch(cpu::batch_norm_scratch_bytes(shape.rows, shape.channels) / sizeof(double));
  return run<float>(
      shape, o, [&](const BatchNormStatistics<float>& s) { cpu::batch_norm_statistics(s, scratch.data()); },
      [&](const BatchNormGradientReduce<float>& g) { cpu::batch_norm_gradient_reduce(g, scratch.data()); },
      Kernels<float>{cpu::batch_norm_apply, cpu::batch_norm_gradient_apply, cpu::batch_norm_fixed_gradient});
}

Results<double> run_reference(const Rows& shape, const Operands<float>& o) {
  return run<double>(shape, to_double(o), reference::batch_norm_statistics,
                     reference::batch_norm_gradient_reduce,
                     Kernels<double>{reference::batch_norm_apply, reference::batch_norm_gradient_apply,
                                     reference::batch_norm_fixed_gradient});
}

}  // namespace

TEST_CASE("cpu: batch norm's statistics equal the reference, of values far from 0 too") {
  for (const Rows& shape : kRows)
    for (const double offset : {0.0, 1000.0}) {
      INFO(shape.rows << " x " << shape.channels << " around " << offset);
      const auto o = operands(shape, offset);
      const auto result = run_cpu(shape, o);
      const auto expected = run_reference(shape, o);
      CHECK(largest_error(result.mean, expected.mean) <= kFloatTolerance);
      CHECK(largest_error(result.rstd, expected.rstd) <= kFloatTolerance);
      CHECK(largest_error(result.variance, expected.variance) <= kFloatTolerance);
    }
}

TEST_CASE("cpu: batch norm gives the same bits with one, two and five threads") {
  for (const Rows& shape : kRows) {
    INFO(shape.rows << " x " << shape.channels);
    const auto o = operands(shape);
    const auto results_of = [&](int threads) {
      const Threads set(threads);
      return run_cpu(shape, o);
    };
    const auto one = results_of(1);
    for (const int threads : {2, 5}) {
      const auto many = results_of(threads);
      for (std::size_t i = 0; i < one.all().size(); ++i) CHECK(*many.all()[i] == *one.all()[i]);
    }
  }
}

TEST_CASE("cpu: a NaN reaches the statistics of its channel and no other") {
  const Rows shape{300, 3};
  auto o = operands(shape);
  o.x[3 * 299 + 1] = std::nanf("");
  const auto result = run_cpu(shape, o);
  CHECK(std::isnan(result.mean[1]));
  CHECK(std::isnan(result.rstd[1]));
  CHECK(std::isnan(result.variance[1]));
  CHECK(std::isfinite(result.variance[0]));
  CHECK(std::isfinite(result.variance[2]));
}

TEST_CASE("kernels: a moving average keeps its old value in place if any figure is not finite") {
  Floats mean = {1, 2}, variance = {3, INFINITY}, moving_mean = {10, 20}, moving_variance = {30, 40};
  MovingAverageUpdate<float> update{2,
                                    0.5,
                                    mean.data(),
                                    variance.data(),
                                    moving_mean.data(),
                                    moving_variance.data(),
                                    moving_mean.data(),
                                    moving_variance.data()};
  moving_average_update(update);
  CHECK(moving_mean == Floats{10, 20});
  CHECK(moving_variance == Floats{30, 40});
  variance[1] = 4;
  moving_average_update(update);
  CHECK(moving_mean == Floats{5.5F, 11});
  CHECK(moving_variance == Floats{16.5F, 22});
}

TEST_CASE("kernels: relu6 and the residual sum keep a NaN, and no gradient passes at exactly 0 and 6") {
  const Floats x = {std::nanf(""), -1, 0, 3, 6, 7}, dy(6, 1.0F);
  Floats y(6), dx(6), sum(6);
  cpu::relu6(6, x.data(), y.data());
  CHECK(std::isnan(y[0]));
  CHECK(Floats(y.begin() + 1, y.end()) == Floats{0, 0, 3, 6, 6});
  cpu::relu6_gradient(6, y.data(), dy.data(), dx.data());
  CHECK(dx == Floats{0, 0, 0, 1, 0, 0});
  cpu::scale_add_relu(6, -1, dy.data(), x.data(), sum.data());
  CHECK(std::isnan(sum[0]));
  CHECK(Floats(sum.begin() + 1, sum.end()) == Floats{2, 1, 0, 0, 0});
  Doubles double_y(6), double_dx(6);
  const Doubles double_x = to_double(x), ones(6, 1.0);
  reference::relu6(6, double_x.data(), double_y.data());
  CHECK(std::isnan(double_y[0]));
  reference::relu6_gradient(6, double_y.data(), ones.data(), double_dx.data());
  CHECK(double_dx == Doubles{0, 0, 0, 1, 0, 0});
}

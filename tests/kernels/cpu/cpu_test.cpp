#include <omp.h>

#include <cstring>

#include "kernels/cpu/dropout.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/exp.h"
#include "kernels/cpu/pool.h"
#include "kernels/cpu/softmax.h"
#include "kernels/ranking.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/pool.h"
#include "kernels/reference/softmax.h"
#include "tests/kernels/compare.h"
#include "tests/support/catch.h"

using namespace fastnn::kernels;
using namespace fastnn::tests;

namespace {

// Layers of lenet at batch 3 and 64, then 1, primes, one past a vector, and enough rows for several chunks.
struct Rows {
  std::int64_t rows, channels;
};
const Rows kRows[] = {{3 * 28 * 28, 32}, {64 * 14 * 14, 64}, {64, 1024}, {64, 10}, {1, 1}, {7, 13}, {31, 9},
                      {1, 17},           {5003, 3}};

Doubles values(const std::string& name, std::int64_t count) {
  return golden_values(name, count);
}

struct Pool {
  const char* name;
  Window2d window;
};
std::vector<Pool> pools() {
  return {{"lenet pool1 b3",
           with_padding({.N = 3, .H = 28, .W = 28, .C = 32, .R = 2, .S = 2, .stride_h = 2, .stride_w = 2},
                        Padding::valid)},
          {"lenet pool2 b64",
           with_padding({.N = 64, .H = 14, .W = 14, .C = 64, .R = 2, .S = 2, .stride_h = 2, .stride_w = 2},
                        Padding::valid)},
          {"2x2/2 odd",
           with_padding({.N = 2, .H = 7, .W = 9, .C = 9, .R = 2, .S = 2, .stride_h = 2, .stride_w = 2},
                        Padding::valid)},
          {"2x2/2 few channels",
           with_padding({.N = 2, .H = 6, .W = 4, .C = 3, .R = 2, .S = 2, .stride_h = 2, .stride_w = 2},
                        Padding::valid)},
          {"3x3/2 same",
           with_padding({.N = 2, .H = 14, .W = 13, .C = 17, .R = 3, .S = 3, .stride_h = 2, .stride_w = 2},
                        Padding::same)},
          {"3x3/1 same, one channel",
           with_padding({.N = 1, .H = 5, .W = 11, .C = 1, .R = 3, .S = 3}, Padding::same)},
          {"5x1, dilated",
           with_padding({.N = 1, .H = 13, .W = 2, .C = 8, .R = 5, .S = 1, .dilation_h = 3}, Padding::same)},
          {"16x16, the largest",
           with_padding({.N = 1, .H = 17, .W = 16, .C = 8, .R = 16, .S = 16}, Padding::valid)},
          {"1x1", with_padding({.N = 1, .H = 1, .W = 1, .C = 1}, Padding::valid)}};
}

std::int64_t inputs(const Window2d& a) {
  return a.N * a.H * a.W * a.C;
}
std::int64_t outputs(const Window2d& a) {
  return a.N * a.P * a.Q * a.C;
}

struct Threads {
  explicit Threads(int count) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before); }
  const int before = omp_get_max_threads();
};

struct BiasGradient {
  Floats dz, d_bias;
};
BiasGradient bias_relu_gradient(const Rows& shape, const Floats& y, const Floats& dy) {
  BiasGradient result{dy, Floats(static_cast<std::size_t>(shape.channels))};
  std::vector<std::byte> scratch(cpu::bias_gradient_scratch_bytes(shape.rows, shape.channels));
  cpu::bias_relu_gradient(shape.rows, shape.channels, y.data(), result.dz.data(), result.dz.data(),
                          result.d_bias.data(), scratch.data());
  return result;
}

}  // namespace

TEST_CASE("cpu elementwise: bias, ReLU and add agree with the reference, in place too") {
  for (const auto& [rows, channels] : kRows) {
    INFO(rows << " x " << channels);
    const std::int64_t count = rows * channels;
    const Doubles x = values("x", count), b = values("b", channels), dy = values("dy", count);
    Doubles z(x.size()), y(x.size()), dz(x.size()), db(b.size());
    reference::bias_add(rows, channels, x.data(), b.data(), z.data());
    reference::relu(count, z.data(), y.data());
    reference::relu_gradient(count, y.data(), dy.data(), dz.data());
    reference::bias_gradient(rows, channels, dz.data(), db.data());

    Floats fz = to_float(x), fused = to_float(x);
    const Floats fb = to_float(b), fdy = to_float(dy);
    cpu::bias_add(rows, channels, fz.data(), fb.data(), fz.data());
    CHECK(largest_error(fz, z) < kFloatTolerance);
    cpu::relu(count, fz.data(), fz.data());
    CHECK(largest_error(fz, y) < kFloatTolerance);
    cpu::bias_relu(rows, channels, fused.data(), fb.data(), fused.data());
    CHECK(fused == fz);

    Floats plain(x.size()), plain_bias(b.size());
    cpu::relu_gradient(count, to_float(y).data(), fdy.data(), plain.data());
    CHECK(largest_error(plain, dz) == 0);
    std::vector<std::byte> scratch(cpu::bias_gradient_scratch_bytes(rows, channels));
    cpu::bias_gradient(rows, channels, plain.data(), plain_bias.data(), scratch.data());
    CHECK(largest_error(plain_bias, db) < kFloatTolerance);
    const BiasGradient both = bias_relu_gradient({rows, channels}, to_float(y), fdy);
    CHECK(both.dz == plain);
    CHECK(both.d_bias == plain_bias);

    Doubles sum(x.size());
    reference::add(count, x.data(), dy.data(), sum.data());
    Floats fsum = to_float(x);
    cpu::add(count, fsum.data(), fdy.data(), fsum.data());
    CHECK(largest_error(fsum, sum) < kFloatTolerance);
  }
}

TEST_CASE("cpu relu: a NaN stays one and zero has no gradient") {
  const Floats x = {NAN, 0, -1, 2};
  Floats y(4), dx(4);
  cpu::relu(4, x.data(), y.data());
  CHECK(std::isnan(y[0]));
  CHECK(Floats(y.begin() + 1, y.end()) == Floats{0, 0, 2});
  const Floats dy = {1, 1, 1, 1};
  cpu::relu_gradient(4, y.data(), dy.data(), dx.data());
  CHECK(dx == Floats{0, 0, 0, 1});
}

TEST_CASE("cpu max pool: values and gradient equal the reference, ties and padding included") {
  for (const auto& [name, window] : pools()) {
    for (const bool ties : {false, true}) {
      INFO(name << ", ties " << ties);
      Doubles x = values("pool", inputs(window));
      for (double& v : x) v = ties ? std::floor(2 * v) - 3 : v - 3;
      const Doubles dy = values("dy", outputs(window));
      Doubles y(dy.size()), dx(x.size());
      std::vector<std::uint8_t> expected_index(dy.size());
      reference::max_pool(window, x.data(), y.data(), expected_index.data());
      reference::max_pool_gradient(window, expected_index.data(), dy.data(), dx.data());
      Floats fy(dy.size()), fdx(x.size(), 77);
      std::vector<std::uint8_t> index(dy.size());
      cpu::max_pool(window, to_float(x).data(), fy.data(), index.data());
      CHECK(fy == to_float(y));
      CHECK(index == expected_index);
      cpu::max_pool_gradient(window, index.data(), to_float(dy).data(), fdx.data());
      CHECK(largest_error(fdx, dx) < kFloatTolerance);
    }
  }
}

TEST_CASE("cpu dropout: the mask is the reference's, and does not depend on how a batch is split") {
  for (const std::int64_t E : {1, 4, 15, 16, 17, 1024, 3136}) {
    for (const float keep : {0.5F, 0.8F, 1.0F}) {
      INFO(E << " elements, keep " << keep);
      Dropout options{.N = 5,
                      .E = E,
                      .keep_prob = keep,
                      .random = {.seed = 7,
                                 .step = (std::uint64_t{3} << 32) + 1,
                                 .first_sample = (std::uint64_t{1} << 33) + 5},
                      .operation = 99};
      const Doubles x = values("dropout", options.N * E);
      Doubles y(x.size());
      Floats fy = to_float(x), half(x.size());
      reference::dropout(options, x.data(), y.data());
      cpu::dropout(options, fy.data(), fy.data());
      CHECK(largest_error(fy, y) < 1e-6);
      for (std::size_t i = 0; i < y.size(); ++i) REQUIRE((fy[i] == 0) == (y[i] == 0));
      options.N = 2;
      options.random.first_sample += 3;
      const Floats fx = to_float(x);
      cpu::dropout(options, fx.data() + 3 * E, half.data());
      CHECK(std::equal(half.begin(), half.begin() + 2 * E, fy.begin() + 3 * E));
    }
  }
}

TEST_CASE("cpu dropout: keeps the stated share, differently for each step, operation and sample") {
  Dropout options{.N = 64, .E = 1024, .keep_prob = 0.8F, .random = {.seed = 1}, .operation = 2};
  const Floats x(64 * 1024, 1.0F);
  const auto mask = [&] {
    Floats y(x.size());
    cpu::dropout(options, x.data(), y.data());
    return y;
  };
  const Floats first = mask();
  const double kept = static_cast<double>(std::count(first.begin(), first.end(), 1.25F));
  // Five standard deviations of a binomial with 65536 draws: 512.
  CHECK(std::abs(kept - 0.8 * 65536) < 512);
  CHECK_FALSE(std::equal(first.begin(), first.begin() + 1024, first.begin() + 1024));
  options.random.step = 1;
  CHECK(mask() != first);
  options.random.step = 0;
  options.operation = 3;
  CHECK(mask() != first);
}

TEST_CASE("cpu exp: right to 2e-7, zero at the lowest argument, NaN for NaN") {
  double error = 0;
  for (float x = 0; x > -87; x -= 0.0137F) {
    const double expected = std::exp(static_cast<double>(x));
    error = std::max(error, std::abs(cpu::exp_negative(x) - expected) / expected);
  }
  CHECK(error < 2e-7);
  CHECK(cpu::exp_negative(0) == 1);
  CHECK(cpu::exp_negative(cpu::kExpLowest) == 0);
  CHECK(std::isnan(cpu::exp_negative(NAN)));
}

TEST_CASE("cpu softmax and cross-entropy agree with the reference") {
  for (const auto& [N, C] : {Rows{64, 10}, Rows{3, 1001}, Rows{1, 1}, Rows{7, 17}, Rows{257, 1000}}) {
    for (const double smoothing : {0.0, 0.1}) {
      INFO(N << " x " << C << ", smoothing " << smoothing);
      Doubles logits = values("logits", N * C);
      for (double& v : logits) v *= 20;
      const Floats x = to_float(logits);
      logits.assign(x.begin(), x.end());
      std::vector<std::int32_t> labels;
      for (std::int64_t n = 0; n < N; ++n) labels.push_back(static_cast<std::int32_t>(n * 7 % C));
      const CrossEntropy options{.N = N,
                                 .C = C,
                                 .valid_rows = (N + 1) / 2,
                                 .divisor = static_cast<double>(N),
                                 .label_smoothing = smoothing};
      Doubles p(logits.size()), d(logits.size());
      Floats fp(logits.size()), fd(logits.size()), row_losses(static_cast<std::size_t>(N)), y(x);
      const double loss = reference::softmax_cross_entropy(options, logits.data(), labels.data(), p.data());
      reference::softmax_cross_entropy_gradient(options, p.data(), labels.data(), 0.5, d.data());
      CHECK(cpu::softmax_cross_entropy(options, x.data(), labels.data(), fp.data(), row_losses.data()) ==
            Approx(loss).epsilon(1e-6).margin(1e-7));
      CHECK(largest_error(fp, p) < 1e-6);
      cpu::softmax_cross_entropy_gradient(options, fp.data(), labels.data(), 0.5F, fd.data());
      CHECK(largest_error(fd, d) < 2e-6);
      cpu::softmax(N, C, y.data(), y.data());
      CHECK(y == fp);
    }
  }
}

TEST_CASE("cpu cross-entropy: extreme logits stay finite, NaN and bad labels show") {
  const Floats x = {1e4F, -1e4F, 0, -1e4F, 1e4F, 0};
  Floats p(6), row_losses(2), d(6);
  const CrossEntropy options{.N = 2, .C = 3, .valid_rows = 2, .divisor = 2};
  const std::vector<std::int32_t> wrong = {1, 0}, bad = {3, 1};
  CHECK(cpu::softmax_cross_entropy(options, x.data(), wrong.data(), p.data(), row_losses.data()) == 20000.0F);
  CHECK(row_losses == Floats{20000, 20000});
  CHECK(p == Floats{1, 0, 0, 0, 1, 0});
  CHECK(std::isnan(cpu::softmax_cross_entropy(options, x.data(), bad.data(), p.data(), row_losses.data())));
  cpu::softmax_cross_entropy_gradient(options, p.data(), bad.data(), 1, d.data());
  CHECK(std::isnan(d[0]));
  CHECK(d[4] == 0);
  const Floats nan = {0, NAN, 0, 0, 0, 0};
  CHECK(
      std::isnan(cpu::softmax_cross_entropy(options, nan.data(), wrong.data(), p.data(), row_losses.data())));
}

TEST_CASE("cpu kernels: results are the same bits for one thread and for three") {
  const Rows shape{5003, 33};
  const Floats y = to_float(values("y", shape.rows * shape.channels));
  const Floats dy = to_float(values("dy", shape.rows * shape.channels));
  const auto run = [&](int threads) {
    const Threads scope(threads);
    return bias_relu_gradient(shape, y, dy);
  };
  const BiasGradient one = run(1), three = run(3);
  CHECK(one.d_bias == three.d_bias);
  CHECK(one.dz == three.dz);
}

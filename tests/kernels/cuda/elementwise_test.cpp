#include "kernels/cuda/elementwise.h"

#include "kernels/reference/elementwise.h"
#include "kernels/simt/executor.h"
#include "tests/kernels/cuda/device_array.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::kernels;
using namespace fastnn::tests;

namespace {

// One element, one short of, at and one past a vector and a block of threads.
const std::int64_t kCounts[] = {1, 7, 8, 9, 1000, 2047, 4096, 4097, 10007};

struct Rows {
  std::int64_t rows, channels;
};
// One row, one channel, whole vectors, primes, columns of several blocks, a short last row of the walk.
const Rows kRows[] = {{1, 1},   {1, 5},    {7, 1},    {129, 1}, {64, 8},   {50, 32},   {1000, 17},
                      {37, 33}, {5, 1025}, {3, 2056}, {2, 301}, {1001, 3}, {301, 127}, {4097, 2}};

/// In place of its own: the inputs and the outputs of a kernel and of its reference.
template <class A>
struct Unary {
  Doubles x, expected;
  DeviceArray<A> in, out;

  Unary(const std::string& name, std::int64_t count, double scale = 1)
      : x(exact_values<A>(name, count, scale)), expected(x.size()), in(x), out(x.size()) {}
  void check() const { CHECK(largest_error(out.values(), expected) <= kBound<A>); }
};

}  // namespace

TEST_CASE("cuda elementwise: activations equal the reference in every type") {
  for_each_type([]<class A>() {
    for (const std::int64_t count : kCounts) {
      INFO(name_of_type<A>() << " count " << count);
      Unary<A> relu("relu", count), relu6("relu6", count, 10);
      cuda::relu(count, relu.in.data(), relu.out.data(), nullptr);
      reference::relu(count, relu.x.data(), relu.expected.data());
      relu.check();
      cuda::relu6(count, relu6.in.data(), relu6.out.data(), nullptr);
      reference::relu6(count, relu6.x.data(), relu6.expected.data());
      relu6.check();
    }
  });
}

TEST_CASE("cuda elementwise: gradients of activations equal the reference, written over dy") {
  for_each_type([]<class A>() {
    for (const std::int64_t count : kCounts) {
      INFO(name_of_type<A>() << " count " << count);
      const Doubles y = exact_values<A>("y", count, 10);
      for (const bool six : {false, true}) {
        DeviceArray<A> in(y);
        Unary<A> dy("dy", count);
        (six ? cuda::relu6_gradient<A> : cuda::relu_gradient<A>)(count, in.data(), dy.in.data(), dy.in.data(),
                                                                 nullptr);
        (six ? reference::relu6_gradient : reference::relu_gradient)(count, y.data(), dy.x.data(),
                                                                     dy.expected.data());
        CHECK(dy.in.values() == dy.expected);
      }
    }
  });
}

TEST_CASE("cuda elementwise: sums and scaled sums equal the reference") {
  for_each_type([]<class A>() {
    for (const std::int64_t count : kCounts) {
      INFO(name_of_type<A>() << " count " << count);
      const Doubles r = exact_values<A>("r", count);
      DeviceArray<A> other(r);
      Unary<A> add("add", count), scale("scale", count), scale_add("scale_add", count),
          with_relu("relu", count);
      cuda::add(count, add.in.data(), other.data(), add.out.data(), nullptr);
      reference::add(count, add.x.data(), r.data(), add.expected.data());
      add.check();
      cuda::scale(count, 0.17F, scale.in.data(), scale.out.data(), nullptr);
      reference::scale(count, 0.17, scale.x.data(), scale.expected.data());
      scale.check();
      cuda::scale_add(count, 0.17F, scale_add.in.data(), other.data(), scale_add.out.data(), nullptr);
      reference::scale_add(count, 0.17, scale_add.x.data(), r.data(), scale_add.expected.data());
      scale_add.check();
      cuda::scale_add_relu(count, 0.17F, with_relu.in.data(), other.data(), with_relu.out.data(), nullptr);
      reference::scale_add_relu(count, 0.17, with_relu.x.data(), r.data(), with_relu.expected.data());
      with_relu.check();
    }
  });
}

TEST_CASE(
    "cuda elementwise: the gradient of a scaled residual equals the reference, with one source and two") {
  for_each_type([]<class A>() {
    for (const std::int64_t count : kCounts)
      for (const bool two : {false, true}) {
        INFO(name_of_type<A>() << " count " << count << " two " << two);
        const Doubles y = exact_values<A>("y", count), second = exact_values<A>("dy2", count);
        DeviceArray<A> in(y), dy2(second);
        Unary<A> dy("dy", count);
        DeviceArray<A> dr(dy.x.size());
        Doubles expected_dr(dy.x.size());
        cuda::scale_add_relu_gradient(count, 0.17F, in.data(), dy.in.data(), two ? dy2.data() : nullptr,
                                      dy.out.data(), dr.data(), nullptr);
        reference::scale_add_relu_gradient(count, 0.17, y.data(), dy.x.data(), two ? second.data() : nullptr,
                                           dy.expected.data(), expected_dr.data());
        dy.check();
        CHECK(largest_error(dr.values(), expected_dr) <= kBound<A>);
      }
  });
}

TEST_CASE("cuda elementwise: bias and bias with ReLU equal the reference for any number of channels") {
  for_each_type([]<class A>() {
    for (const auto& [rows, channels] : kRows)
      for (const bool with_relu : {false, true}) {
        INFO(name_of_type<A>() << " " << rows << "x" << channels);
        const Doubles bias = exact_values<float>("bias", channels);
        DeviceArray<float> biases(bias);
        Unary<A> x("x", rows * channels);
        (with_relu ? cuda::bias_relu<A> : cuda::bias_add<A>)(rows, channels, x.in.data(), biases.data(),
                                                             x.out.data(), nullptr);
        (with_relu ? reference::bias_relu : reference::bias_add)(rows, channels, x.x.data(), bias.data(),
                                                                 x.expected.data());
        x.check();
      }
  });
}

TEST_CASE("cuda elementwise: gradients of biases equal the reference for any number of channels") {
  for_each_type([]<class A>() {
    for (const auto& [rows, channels] : kRows) {
      INFO(name_of_type<A>() << " " << rows << "x" << channels);
      const Doubles y = exact_values<A>("y", rows * channels);
      DeviceArray<A> in(y);
      Unary<A> dy("dy", rows * channels);
      const auto count = static_cast<std::size_t>(channels);
      DeviceArray<float> d_bias(count), d_bias_masked(count);
      DeviceArray<std::byte> scratch(cuda::bias_gradient_scratch_bytes(rows, channels));
      Doubles expected(count), expected_masked(count);
      cuda::bias_gradient(rows, channels, dy.in.data(), d_bias.data(), scratch.data(), nullptr);
      reference::bias_gradient(rows, channels, dy.x.data(), expected.data());
      CHECK(largest_error(d_bias.values(), expected) <= kFloatTolerance);
      cuda::bias_relu_gradient(rows, channels, in.data(), dy.in.data(), dy.out.data(), d_bias_masked.data(),
                               scratch.data(), nullptr);
      reference::bias_relu_gradient(rows, channels, y.data(), dy.x.data(), dy.expected.data(),
                                    expected_masked.data());
      CHECK(dy.out.values() == dy.expected);
      CHECK(largest_error(d_bias_masked.values(), expected_masked) <= kFloatTolerance);
    }
  });
}

TEST_CASE("cuda elementwise: sums have the same bits in any order of blocks and threads") {
  constexpr std::int64_t kRowCount = 4097, kChannels = 33;
  DeviceArray<float> dy(exact_values<float>("dy", kRowCount * kChannels));
  DeviceArray<std::byte> scratch(cuda::bias_gradient_scratch_bytes(kRowCount, kChannels));
  std::vector<Doubles> results;
  for (const simt::Order order : {simt::Order::forward, simt::Order::reverse, simt::Order::random}) {
    const simt::ScopedOrder scoped(order, 17);
    DeviceArray<float> d_bias(kChannels);
    cuda::bias_gradient(kRowCount, kChannels, dy.data(), d_bias.data(), scratch.data(), nullptr);
    results.push_back(d_bias.values());
  }
  CHECK(results[0] == results[1]);
  CHECK(results[0] == results[2]);
}

TEST_CASE("cuda elementwise: casts round once, and keep NaN and infinity") {
  for_each_type([]<class A>() {
    for (const std::int64_t count : kCounts) {
      Doubles x = exact_values<float>("cast", count, 100);
      x[0] = NAN;
      if (count > 8) x[8] = 1e30;
      DeviceArray<float> in(x), back(x.size());
      DeviceArray<A> out(x.size());
      cuda::cast(count, in.data(), out.data(), nullptr);
      cuda::cast(count, out.data(), back.data(), nullptr);
      const Doubles expected = rounded<A>(x), narrow = out.values(), wide = back.values();
      CHECK(std::isnan(narrow[0]));
      for (std::size_t i = 1; i < x.size(); ++i)
        REQUIRE((narrow[i] == expected[i] && wide[i] == expected[i]));
    }
  });
}

TEST_CASE("cuda elementwise: a tensor that does not begin on 16 bytes is refused") {
  DeviceArray<float> x(9);
  CHECK_THROWS_AS(cuda::relu(8, x.data() + 1, x.data(), nullptr), std::invalid_argument);
}

#include "engine/device/cpu/onednn.h"

#include "engine/base/error.h"
#include "kernels/reference/conv2d.h"
#include "kernels/reference/dense.h"
#include "kernels/reference/elementwise.h"
#include "tests/kernels/compare.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::cpu;
using namespace fastnn::kernels;
using namespace fastnn::tests;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

// Message of the UsageError that f throws; empty if it throws none.
template <class F>
std::string usage_error(F&& f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

constexpr std::int64_t kLine = 64;

// Floats at a 64-byte boundary, as the arena of a plan gives them.
class Aligned {
 public:
  explicit Aligned(std::size_t bytes) : memory_(bytes / sizeof(float) + kLine, 0.0F) {}
  explicit Aligned(const Doubles& values) : Aligned(values.size() * sizeof(float)) {
    std::copy(values.begin(), values.end(), data());
  }
  float* data() {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    return memory_.data() + (kLine - address % kLine) % kLine / sizeof(float);
  }
  Floats values(std::size_t count) { return {data(), data() + count}; }

 private:
  Floats memory_;
};

struct Geometry {
  std::int64_t batch_rows;  // rows of y for the bias: N * P * Q or N
  std::int64_t x, w, y, K;
};
Geometry sizes(const Conv2d& c) {
  const Window2d& a = c.window;
  return {a.N * a.P * a.Q, a.N * a.H * a.W * a.C, a.R * a.S * a.C * c.K, a.N * a.P * a.Q * c.K, c.K};
}
Geometry sizes(const Dense& d) {
  return {d.N, d.N * d.C, d.C * d.K, d.N * d.K, d.K};
}

struct Operations {
  OneDnnOperation forward, input_gradient, weight_gradient;
};
Operations prepare(const OneDnn& onednn, const Conv2d& c) {
  return {convolution_forward(onednn, c, {.bias = Bias::add, .activation = Activation::relu}),
          convolution_input_gradient(onednn, c), convolution_weight_gradient(onednn, c, {.bias = Bias::add})};
}
Operations prepare(const OneDnn& onednn, const Dense& d) {
  return {dense_forward(onednn, d, {.bias = Bias::add, .activation = Activation::relu}),
          dense_input_gradient(onednn, d), dense_weight_gradient(onednn, d, {.bias = Bias::add})};
}

struct Expected {
  Doubles y, dx, dw;
};
Expected expect(const Conv2d& c, const Doubles& x, const Doubles& w, const Doubles& dy) {
  Expected e{Doubles(dy.size()), Doubles(x.size()), Doubles(w.size())};
  reference::conv2d(c, x.data(), w.data(), e.y.data());
  reference::conv2d_input_gradient(c, w.data(), dy.data(), e.dx.data());
  reference::conv2d_weight_gradient(c, x.data(), dy.data(), e.dw.data());
  return e;
}
Expected expect(const Dense& d, const Doubles& x, const Doubles& w, const Doubles& dy) {
  Expected e{Doubles(dy.size()), Doubles(x.size()), Doubles(w.size())};
  reference::dense(d, x.data(), w.data(), e.y.data());
  reference::dense_input_gradient(d, w.data(), dy.data(), e.dx.data());
  reference::dense_weight_gradient(d, x.data(), dy.data(), e.dw.data());
  return e;
}

// Runs all three directions of one layer from plain weights and compares with the reference.
template <class Layer>
void check_layer(const OneDnn& onednn, const Layer& layer) {
  const Geometry size = sizes(layer);
  const Doubles x = golden_values("x", size.x), w = golden_values("w", size.w);
  const Doubles dy = golden_values("dy", size.y), b = golden_values("b", size.K);
  Expected expected = expect(layer, x, w, dy);
  reference::bias_add(size.batch_rows, size.K, expected.y.data(), b.data(), expected.y.data());
  reference::relu(size.y, expected.y.data(), expected.y.data());
  Doubles db(b.size());
  reference::bias_gradient(size.batch_rows, size.K, dy.data(), db.data());

  auto [forward, input, weight] = prepare(onednn, layer);
  const WeightLayout plain = WeightLayout::plain(layer);
  Aligned fx(x), fdy(dy), fb(b), fw(w), y(dy.size() * 4), dx(x.size() * 4), d_bias(b.size() * 4);
  Aligned forward_weights(forward.weights().bytes()), input_weights(input.weights().bytes());
  Aligned d_weights(weight.weights().bytes()), d_plain(plain.bytes());
  Aligned scratch(std::max({forward.scratch_bytes(), input.scratch_bytes(), weight.scratch_bytes()}));
  convert_weights(onednn, plain, fw.data(), forward.weights(), forward_weights.data());
  convert_weights(onednn, plain, fw.data(), input.weights(), input_weights.data());
  forward.bind({.x = fx.data(),
                .weights = forward_weights.data(),
                .bias = fb.data(),
                .y = y.data(),
                .scratch = scratch.data()});
  input.bind({.weights = input_weights.data(), .dy = fdy.data(), .dx = dx.data(), .scratch = scratch.data()});
  weight.bind({.x = fx.data(),
               .dy = fdy.data(),
               .d_weights = d_weights.data(),
               .d_bias = d_bias.data(),
               .scratch = scratch.data()});
  forward.execute();
  input.execute();
  weight.execute();
  convert_weights(onednn, weight.weights(), d_weights.data(), plain, d_plain.data());

  CHECK(largest_error(y.values(dy.size()), expected.y) < kFloatTolerance);
  CHECK(largest_error(dx.values(x.size()), expected.dx) < kFloatTolerance);
  CHECK(largest_error(d_plain.values(w.size()), expected.dw) < kFloatTolerance);
  CHECK(largest_error(d_bias.values(b.size()), db) < kFloatTolerance);
  const Floats before = d_plain.values(w.size());
  weight.execute();
  convert_weights(onednn, weight.weights(), d_weights.data(), plain, d_plain.data());
  CHECK(d_plain.values(w.size()) == before);
}

Conv2d conv(Window2d window, std::int64_t K, Padding padding = Padding::same) {
  return {with_padding(window, padding), K};
}

const Conv2d kConv1 = conv({.N = 3, .H = 28, .W = 28, .C = 3, .R = 5, .S = 5}, 32);
const Conv2d kConv2 = conv({.N = 3, .H = 14, .W = 14, .C = 32, .R = 5, .S = 5}, 64);
const Dense kFc3{.N = 64, .C = 3136, .K = 1024};

}  // namespace

TEST_CASE("onednn: convolutions agree with the reference in all directions") {
  const OneDnn onednn;
  const std::vector<Conv2d> layers = {
      kConv1,
      kConv2,
      conv({.N = 64, .H = 14, .W = 14, .C = 32, .R = 5, .S = 5}, 64),
      conv({.N = 1, .H = 1, .W = 1, .C = 1}, 1),
      conv({.N = 2, .H = 7, .W = 11, .C = 17, .R = 3, .S = 3}, 13),
      conv({.N = 2, .H = 8, .W = 9, .C = 5, .R = 3, .S = 3, .stride_h = 2, .stride_w = 2}, 9),
      conv({.N = 2, .H = 8, .W = 9, .C = 5, .R = 1, .S = 1, .stride_h = 2, .stride_w = 2}, 9),
      conv({.N = 1, .H = 9, .W = 7, .C = 4, .R = 3, .S = 2, .dilation_h = 2, .dilation_w = 3}, 6),
      conv({.N = 2, .H = 10, .W = 8, .C = 3, .R = 3, .S = 3, .stride_h = 3, .stride_w = 2}, 8,
           Padding::valid)};
  for (const Conv2d& layer : layers) {
    INFO(layer.window.H << "x" << layer.window.W << "x" << layer.window.C << " -> " << layer.K);
    check_layer(onednn, layer);
  }
}

TEST_CASE("onednn: dense layers agree with the reference in all directions") {
  const OneDnn onednn;
  for (const Dense& layer : {kFc3, Dense{.N = 64, .C = 1024, .K = 10}, Dense{.N = 3, .C = 17, .K = 13},
                             Dense{.N = 1, .C = 1, .K = 1}}) {
    INFO(layer.N << " x " << layer.C << " -> " << layer.K);
    check_layer(onednn, layer);
  }
}

TEST_CASE("onednn: without options a forward operation needs no bias and keeps negative values") {
  const OneDnn onednn;
  const Dense layer{.N = 1, .C = 1, .K = 1};
  OneDnnOperation forward = dense_forward(onednn, layer);
  Aligned x(Doubles{2}), w(Doubles{-3}), y(sizeof(float)), scratch(forward.scratch_bytes());
  forward.bind({.x = x.data(), .weights = w.data(), .y = y.data(), .scratch = scratch.data()});
  forward.execute();
  CHECK(y.data()[0] == -6);
}

TEST_CASE("onednn: lenet gets no reference implementation, and every choice has a name") {
  const OneDnn onednn;
  for (const Conv2d& layer : {kConv1, kConv2}) {
    for (const OneDnnOperation& operation :
         {convolution_forward(onednn, layer), convolution_weight_gradient(onednn, layer)}) {
      INFO(operation.implementation());
      CHECK_FALSE(operation.implementation().empty());
      CHECK_FALSE(operation.is_reference_implementation());
    }
  }
  CHECK_FALSE(convolution_input_gradient(onednn, kConv2).is_reference_implementation());
  CHECK_FALSE(dense_forward(onednn, kFc3).is_reference_implementation());
  CHECK_FALSE(dense_input_gradient(onednn, kFc3).is_reference_implementation());
  CHECK_FALSE(dense_weight_gradient(onednn, kFc3).is_reference_implementation());
  CHECK(OneDnn::version().find('.') != std::string::npos);
}

TEST_CASE("onednn: weights survive packing into a blocked layout and back, padding is zero") {
  const OneDnn onednn;
  const Conv2d layer = conv({.N = 1, .H = 5, .W = 5, .C = 17, .R = 3, .S = 3}, 13);
  const WeightLayout plain = WeightLayout::plain(layer);
  const WeightLayout packed = convolution_forward(onednn, layer).weights();
  CHECK(plain == WeightLayout::plain(layer));
  CHECK_FALSE(plain == packed);
  CHECK(contains(plain.describe(), "f32 [13,17,3,3] strides [1,13,663,221]"));
  CHECK(contains(packed.describe(), "blocks"));
  const Doubles w = golden_values("w", 3 * 3 * 17 * 13);
  Aligned from(w), to(packed.bytes()), back(plain.bytes());
  std::fill_n(to.data(), packed.bytes() / sizeof(float), 7.0F);
  convert_weights(onednn, plain, from.data(), packed, to.data());
  convert_weights(onednn, packed, to.data(), plain, back.data());
  CHECK(back.values(w.size()) == to_float(w));
  double sum = 0, padded_sum = 0;
  for (const double value : w) sum += value * value;
  for (const float value : to.values(packed.bytes() / sizeof(float))) padded_sum += double{value} * value;
  CHECK(padded_sum == Approx(sum));
}

TEST_CASE("onednn: wrong geometry and missing operands are usage errors that name them") {
  const OneDnn onednn;
  Conv2d zero = kConv1;
  zero.window.C = 0;
  const std::string below_one = usage_error([&] { convolution_forward(onednn, zero); });
  CHECK(contains(below_one, "at least 1"));
  CHECK(contains(below_one, "[3,28,28,0]"));
  Conv2d misfit = kConv1;
  misfit.window.P = 40;
  CHECK(contains(usage_error([&] { convolution_input_gradient(onednn, misfit); }), "does not give 40"));
  CHECK(contains(usage_error([&] { dense_forward(onednn, {.N = 0, .C = 1, .K = 1}); }), "[0,1]"));
  const WeightLayout plain = WeightLayout::plain(kConv1), other = WeightLayout::plain(kConv2);
  const std::string mixed = usage_error([&] { WeightReorder(onednn, plain, other); });
  CHECK(contains(mixed, "[32,3,5,5]"));
  CHECK(contains(mixed, "[64,32,5,5]"));

  OneDnnOperation forward = convolution_forward(onednn, kConv1, {.bias = Bias::add});
  CHECK(contains(usage_error([&] { forward.execute(); }), "before bind()"));
  float value = 0;
  const OneDnnOperands no_bias{.x = &value, .weights = &value, .y = &value, .scratch = &value};
  CHECK(contains(usage_error([&] { forward.bind(no_bias); }), "operand 'bias' is missing"));
}

#include <cmath>

#include "kernels/cpu/softmax.h"
#include "kernels/reference/softmax.h"
#include "tests/kernels/compare.h"
#include "tests/support/catch.h"

using namespace fastnn::kernels;
using namespace fastnn::tests;

namespace {

constexpr std::int64_t kRows = 5, kClasses = 17;

struct Labels {
  std::vector<std::int32_t> a, b;
  Floats lambda;

  MixedLabels<float> view() const { return {a.data(), b.data(), lambda.data()}; }
};

struct Result {
  float loss = 0;
  Floats probabilities = Floats(kRows * kClasses), gradient = Floats(kRows * kClasses);
};

Floats logits() {
  return to_float(golden_values("logits", kRows * kClasses));
}

CrossEntropy options(std::int64_t valid_rows) {
  return {.N = kRows, .C = kClasses, .valid_rows = valid_rows, .divisor = kRows, .label_smoothing = 0.1};
}

Result mixed(const Labels& labels, std::int64_t valid_rows = kRows) {
  Result result;
  Floats row_losses(kRows);
  result.loss = cpu::mixed_cross_entropy(options(valid_rows), logits().data(), labels.view(),
                                         result.probabilities.data(), row_losses.data());
  cpu::mixed_cross_entropy_gradient(options(valid_rows), result.probabilities.data(), labels.view(), 1,
                                    result.gradient.data());
  return result;
}

Result plain(const std::vector<std::int32_t>& labels) {
  Result result;
  Floats row_losses(kRows);
  result.loss = cpu::softmax_cross_entropy(options(kRows), logits().data(), labels.data(),
                                           result.probabilities.data(), row_losses.data());
  cpu::softmax_cross_entropy_gradient(options(kRows), result.probabilities.data(), labels.data(), 1,
                                      result.gradient.data());
  return result;
}

double row_sum(const Floats& values, std::int64_t row) {
  double sum = 0;
  for (std::int64_t c = 0; c < kClasses; ++c) sum += values[static_cast<std::size_t>(row * kClasses + c)];
  return sum;
}

}  // namespace

TEST_CASE("mixed labels: weight 1, weight 0 and equal labels are the plain loss") {
  const std::vector<std::int32_t> labels{3, 0, 16, 8, 1}, others{1, 2, 3, 4, 5};
  const Result expected = plain(labels);
  for (const Labels& same :
       {Labels{labels, others, Floats(kRows, 1.0F)}, Labels{others, labels, Floats(kRows, 0.0F)},
        Labels{labels, labels, Floats(kRows, 0.3F)}}) {
    const Result result = mixed(same);
    CHECK(std::abs(result.loss - expected.loss) < 1e-6);
    CHECK(largest_error(result.gradient, expected.gradient) < 1e-6);
  }
}

TEST_CASE("mixed labels: rows past valid_rows count nothing, a bad label makes NaN of its row") {
  const Labels good{{3, 0, 16, 8, 1}, {1, 2, 3, 4, 5}, Floats(kRows, 0.25F)};
  Labels bad = good;
  bad.b[4] = kClasses;
  CHECK(std::isnan(mixed(bad).loss));
  CHECK(std::isnan(row_sum(mixed(bad).gradient, 4)));
  CHECK(std::abs(row_sum(mixed(bad).gradient, 3)) < 1e-6);
  CHECK(mixed(bad, 4).loss == mixed(good, 4).loss);
  CHECK(row_sum(mixed(bad, 4).gradient, 4) == 0);
}

TEST_CASE("mixed labels: the reference makes NaN of a bad label too") {
  const Doubles x = golden_values("logits", kRows * kClasses), lambda(kRows, 1.0);
  const std::vector<std::int32_t> a{3, 0, 16, 8, 1}, b{1, 2, 3, 4, -1};
  Doubles probabilities(x.size()), gradient(x.size());
  const MixedLabels<double> labels{a.data(), b.data(), lambda.data()};
  CHECK(std::isnan(reference::mixed_cross_entropy(options(kRows), x.data(), labels, probabilities.data())));
  CHECK(std::isfinite(reference::mixed_cross_entropy(options(4), x.data(), labels, probabilities.data())));
  reference::mixed_cross_entropy_gradient(options(kRows), probabilities.data(), labels, 1, gradient.data());
  CHECK(std::isnan(gradient.back()));
  CHECK(std::isfinite(gradient.front()));
}

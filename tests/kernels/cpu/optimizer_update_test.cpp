#include "kernels/cpu/optimizer_update.h"

#include <omp.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/reference/optimizer_update.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::kernels;

namespace {

constexpr double kGradientScale = 1.0 / 8;

template <class T>
struct Model {
  std::vector<T> weights, gradients, slot0, slot1;

  OptimizerBuffers<T> buffers(const std::vector<OptimizerSegment>& segments, std::int64_t offset) {
    return {weights.data() + offset,
            gradients.data() + offset,
            {slot0.data() + offset, slot1.data() + offset},
            segments};
  }
};

Model<float> golden_model(std::int64_t count, const OptimizerParameters& parameters) {
  Model<float> model;
  const auto fill = [count](std::vector<float>& to, const char* name, double factor, double offset) {
    for (const double u : tests::golden_values(name, count))
      to.push_back(static_cast<float>(u * factor + offset));
  };
  fill(model.weights, "w", 1, 0);
  fill(model.gradients, "g", 4, 0);
  // Second moments must not be negative.
  fill(model.slot0, "s0", 0.05, 0.06 + initial_slot_value(parameters, 0));
  fill(model.slot1, "s1", 0.05, 0.06);
  return model;
}

Model<double> in_double(const Model<float>& model) {
  const auto widen = [](const std::vector<float>& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  return {widen(model.weights), widen(model.gradients), widen(model.slot0), widen(model.slot1)};
}

/// Segments of unequal decay with gaps at the start, between them and at the end, where the count allows.
std::vector<OptimizerSegment> segments_of(std::int64_t count) {
  if (count < 100) return {{0, count, 1e-2, 1e-3}};
  return {{3, count / 3, 1e-2, 0},
          {count / 3, count / 3 + 1, 0, 1e-2},
          {count / 3 + 17, count / 2, 0, 0},
          {count / 2, count / 2, 1, 1},
          {count / 2 + 1, count - 5, 4e-3, 5e-3}};
}

void check_close(const std::vector<float>& values, const std::vector<double>& expected, double tolerance) {
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    worst = std::max(worst, std::abs(values[i] - expected[i]) / std::max(1.0, std::abs(expected[i])));
  CHECK(worst <= tolerance);
}

UpdateStep test_step() {
  return {.learning_rate = 0.05, .updates = 3, .gradient_scale = kGradientScale, .max_gradient_norm = 0.9};
}

void compare(const OptimizerParameters& parameters, std::int64_t count, std::int64_t offset) {
  Model<float> model = golden_model(count + offset, parameters);
  Model<double> expected = in_double(model);
  const auto segments = segments_of(count);
  const auto buffers = model.buffers(segments, offset);
  const auto oracle = expected.buffers(segments, offset);
  const GradientStatistics statistics = cpu::gradient_statistics(buffers, kGradientScale);
  const GradientStatistics truth = reference::gradient_statistics(oracle, kGradientScale);
  CHECK(statistics.squares == Approx(truth.squares).epsilon(1e-6));
  CHECK(statistics.l2_loss == Approx(truth.l2_loss).epsilon(1e-6));
  cpu::update(buffers, parameters, test_step(), statistics);
  reference::update(oracle, parameters, test_step(), truth);
  // Roundings of about ten float operations; ftrl divides a difference of roots by the rate (0.05).
  const double tolerance = parameters.rule == OptimizerRule::ftrl ? 1e-5 : 1e-6;
  check_close(model.weights, expected.weights, tolerance);
  check_close(model.slot0, expected.slot0, tolerance);
  check_close(model.slot1, expected.slot1, tolerance);
}

struct Outcome {
  GradientStatistics statistics;
  Model<float> model;
};

Outcome run_with_threads(int threads, const OptimizerParameters& parameters, std::int64_t count) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  Outcome outcome{{}, golden_model(count, parameters)};
  const auto segments = segments_of(count);
  const auto buffers = outcome.model.buffers(segments, 0);
  outcome.statistics = cpu::gradient_statistics(buffers, kGradientScale);
  cpu::update(buffers, parameters, test_step(), outcome.statistics);
  omp_set_num_threads(before);
  return outcome;
}

}  // namespace

TEST_CASE("cpu update: every rule equals the reference for ugly counts, alignments and segments") {
  for (const OptimizerRuleInfo& info : kOptimizerRules)
    for (const std::int64_t count : {1, 7, 1003})
      for (const std::int64_t offset : {0, 1, 5}) {
        INFO(info.name << " count " << count << " offset " << offset);
        compare({.rule = info.rule, .epsilon = 1e-3, .ftrl_l1 = 0.1, .ftrl_l2 = 0.2}, count, offset);
      }
}

TEST_CASE("cpu update: every rule equals the reference on a million elements in many parts") {
  for (const OptimizerRuleInfo& info : kOptimizerRules) {
    INFO(info.name);
    compare({.rule = info.rule, .epsilon = 1e-3, .ftrl_l1 = 0.1, .ftrl_l2 = 0.2}, 1000003, 0);
  }
}

TEST_CASE("cpu update: ftrl equals the reference at powers other than a half") {
  compare({.rule = OptimizerRule::ftrl, .ftrl_learning_rate_power = -0.8}, 1003, 0);
  compare({.rule = OptimizerRule::ftrl, .ftrl_learning_rate_power = 0}, 1003, 0);
}

TEST_CASE("cpu update: Nesterov's momentum equals the reference") {
  compare({.rule = OptimizerRule::momentum, .nesterov = Nesterov::on}, 1003, 1);
}

TEST_CASE("cpu update: a step's own momentum is that of momentum and rmsprop") {
  for (const OptimizerRule rule : {OptimizerRule::momentum, OptimizerRule::rmsprop}) {
    OptimizerParameters parameters{.rule = rule};
    Model<float> own = golden_model(1003, parameters), of_step = own;
    const auto segments = segments_of(1003);
    UpdateStep step = test_step();
    const GradientStatistics statistics = cpu::gradient_statistics(own.buffers(segments, 0), kGradientScale);
    step.momentum = 0.5;
    cpu::update(of_step.buffers(segments, 0), parameters, step, statistics);
    parameters.momentum = parameters.rmsprop_momentum = 0.5;
    cpu::update(own.buffers(segments, 0), parameters, test_step(), statistics);
    CHECK(own.weights == of_step.weights);
    CHECK(own.slot0 == of_step.slot0);
  }
}

TEST_CASE("cpu update: gaps between segments keep their bits") {
  const OptimizerParameters parameters{.rule = OptimizerRule::adam};
  const Model<float> before = golden_model(1000, parameters);
  const Outcome after = run_with_threads(1, parameters, 1000);
  for (const std::size_t gap : {0, 1, 2, 334, 340, 349, 500, 995, 999}) {
    CHECK(after.model.weights[gap] == before.weights[gap]);
    CHECK(after.model.slot0[gap] == before.slot0[gap]);
  }
  for (const std::size_t inside : {3, 332, 333, 350, 499, 501, 994})
    CHECK(after.model.weights[inside] != before.weights[inside]);
}

TEST_CASE("cpu update: no segments, no elements, nothing to do") {
  const OptimizerBuffers<float> nothing;
  CHECK(cpu::gradient_statistics(nothing, 1).squares == 0);
  cpu::update(nothing, {}, {.learning_rate = 1}, {});
  const OptimizerSegment empty{32, 32};
  CHECK(cpu::gradient_statistics({.segments = {&empty, 1}}, 1).finite());
}

TEST_CASE("cpu update: sums, weights and slots have the same bits for any number of threads") {
  for (const OptimizerRuleInfo& info : kOptimizerRules) {
    INFO(info.name);
    const OptimizerParameters parameters{.rule = info.rule, .epsilon = 1e-3};
    const Outcome one = run_with_threads(1, parameters, 300007);
    for (const int threads : {2, 3, 7}) {
      const Outcome many = run_with_threads(threads, parameters, 300007);
      CHECK(many.statistics.squares == one.statistics.squares);
      CHECK(many.statistics.l2_loss == one.statistics.l2_loss);
      CHECK(many.model.weights == one.model.weights);
      CHECK(many.model.slot0 == one.model.slot0);
      CHECK(many.model.slot1 == one.model.slot1);
    }
  }
}

TEST_CASE("cpu statistics: a single NaN is noticed in every segment and ignored between them") {
  for (const std::size_t position : {3, 50000, 100002, 150001, 299000}) {
    Model<float> model = golden_model(300000, {});
    model.gradients[position] = NAN;
    const auto segments = segments_of(300000);
    CHECK(cpu::gradient_statistics(model.buffers(segments, 0), 1).finite() == (position == 100002));
  }
}

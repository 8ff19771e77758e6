#include "kernels/reference/optimizer_update.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "kernels/cpu/optimizer_update.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::kernels;
using nlohmann::json;

namespace {

double number(const json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr) : value.get<double>();
}

GradientStatistics statistics_of(const OptimizerBuffers<double>& buffers, double scale) {
  return reference::gradient_statistics(buffers, scale);
}
GradientStatistics statistics_of(const OptimizerBuffers<float>& buffers, double scale) {
  return cpu::gradient_statistics(buffers, scale);
}
void update_with(const OptimizerBuffers<double>& buffers, const OptimizerParameters& parameters,
                 const UpdateStep& step, const GradientStatistics& statistics) {
  reference::update(buffers, parameters, step, statistics);
}
void update_with(const OptimizerBuffers<float>& buffers, const OptimizerParameters& parameters,
                 const UpdateStep& step, const GradientStatistics& statistics) {
  cpu::update(buffers, parameters, step, statistics);
}

/// The gradients that reach the rule: with sgd, rate 1 and weights 0 they are the negated new weights.
template <class T>
std::vector<double> clipped(const std::vector<T>& gradients, double limit) {
  std::vector<T> weights(gradients.size());
  const OptimizerSegment segment{0, static_cast<std::int64_t>(gradients.size())};
  const OptimizerBuffers<T> buffers{weights.data(), gradients.data(), {}, {&segment, 1}};
  const GradientStatistics statistics = statistics_of(buffers, 1);
  update_with(buffers, {.rule = OptimizerRule::sgd}, {.learning_rate = 1, .max_gradient_norm = limit},
              statistics);
  std::vector<double> result;
  for (const T weight : weights) result.push_back(-static_cast<double>(weight));
  return result;
}

template <class T>
void check_clipping(double tolerance) {
  if (!tests::has_golden("losses.json")) return;
  const json golden = tests::golden_json("losses.json");
  REQUIRE_FALSE(golden["clip_by_global_norm"].empty());
  for (const json& one : golden["clip_by_global_norm"]) {
    INFO(one["case"]);
    std::vector<T> gradients;
    for (const json& tensor : one["inputs"])
      for (const json& value : tensor) gradients.push_back(static_cast<T>(number(value)));
    const OptimizerSegment segment{0, static_cast<std::int64_t>(gradients.size())};
    std::vector<T> weights(gradients.size());
    const GradientStatistics statistics =
        statistics_of(OptimizerBuffers<T>{weights.data(), gradients.data(), {}, {&segment, 1}}, 1);
    const double norm = number(one["global_norm"]);
    CHECK(statistics.finite() == std::isfinite(norm));
    if (std::isfinite(norm)) CHECK(std::abs(statistics.norm() - norm) <= tolerance * norm);
    const std::vector<double> outputs = clipped(gradients, one["clip_norm"].get<double>());
    std::size_t i = 0;
    for (const json& tensor : one["outputs"])
      for (const json& value : tensor) {
        // TensorFlow would hand NaN to the optimizer; here the update does not happen.
        const double expected = std::isfinite(norm) ? number(value) : 0.0;
        CHECK(std::abs(outputs[i++] - expected) <= tolerance * std::abs(expected));
      }
    CHECK(i == outputs.size());
  }
}

template <class T>
void check_l2(double tolerance) {
  if (!tests::has_golden("losses.json")) return;
  const json l2 = tests::golden_json("losses.json")["l2"];
  std::vector<T> weights;
  for (const json& weight : l2["weights"]) weights.push_back(weight.get<T>());
  const std::vector<T> before = weights;
  const std::vector<T> gradients(weights.size());
  const OptimizerSegment segment{0, static_cast<std::int64_t>(weights.size()),
                                 l2["weight_decay"].get<double>()};
  const OptimizerBuffers<T> buffers{weights.data(), gradients.data(), {}, {&segment, 1}};
  const GradientStatistics statistics = statistics_of(buffers, 1);
  CHECK(statistics.l2_loss == Approx(l2["loss"].get<double>()).epsilon(tolerance));
  std::vector<T> accumulated(weights.size());
  OptimizerBuffers<T> with_slot = buffers;
  with_slot.slots[0] = accumulated.data();
  update_with(with_slot, {.rule = OptimizerRule::momentum}, {.learning_rate = 1}, statistics);
  for (std::size_t i = 0; i < weights.size(); ++i)
    CHECK(accumulated[i] == Approx(l2["gradient"][i].get<double>()).epsilon(tolerance));
}

const std::vector<OptimizerRule> kRules = [] {
  std::vector<OptimizerRule> rules;
  for (const OptimizerRuleInfo& info : kOptimizerRules) rules.push_back(info.rule);
  return rules;
}();

}  // namespace

TEST_CASE("golden: clip_by_global_norm on the reference kernel, a non-finite norm skips the update") {
  check_clipping<double>(1e-12);
}

TEST_CASE("golden: clip_by_global_norm on the CPU kernel, whose double sum survives gradients of 1e20") {
  check_clipping<float>(1e-6);
}

TEST_CASE("golden: L2 loss and its gradient on the reference kernel") {
  check_l2<double>(1e-12);
}

TEST_CASE("golden: L2 loss and its gradient on the CPU kernel") {
  check_l2<float>(1e-6);
}

TEST_CASE("clip_factor: exactly 1 within the limit, at the limit and without one") {
  CHECK(clip_factor(0.3, 0.7) == 1);
  CHECK(clip_factor(0.7, 0.7) == 1);
  CHECK(clip_factor(0, 0.7) == 1);
  CHECK(clip_factor(1e30, std::nullopt) == 1);
  CHECK(clip_factor(4, 1) == 0.25);
}

TEST_CASE("initial slot values: 1 for rmsprop's mean square, the accumulators of adagrad and ftrl, else 0") {
  for (const OptimizerRule rule : kRules) {
    OptimizerParameters parameters{.rule = rule};
    parameters.adagrad_initial_accumulator = 0.3;
    parameters.ftrl_initial_accumulator = 0.4;
    const double expected = rule == OptimizerRule::rmsprop   ? 1
                            : rule == OptimizerRule::adagrad ? 0.3
                            : rule == OptimizerRule::ftrl    ? 0.4
                                                             : 0;
    CHECK(initial_slot_value(parameters, 0) == expected);
    CHECK(initial_slot_value(parameters, 1) == 0);
  }
}

TEST_CASE("corrected_rate: adam counts the update it makes, other rules keep the rate") {
  const double expected = 0.1 * std::sqrt(1 - 0.999) / (1 - 0.9);
  CHECK(corrected_rate({.rule = OptimizerRule::adam}, 0.1, 0) == Approx(expected).epsilon(1e-12));
  CHECK(corrected_rate({.rule = OptimizerRule::adam_weight_decay}, 0.1, 0) == 0.1);
  CHECK(corrected_rate({.rule = OptimizerRule::momentum}, 0.1, 5) == 0.1);
}

namespace {

/// Two variables, weights [0,4) decayed and beta [4,6) not, with all slots; a tiny model for one test.
template <class T>
struct TinyModel {
  std::vector<T> weights{0.5, -1, 2, -3, 0.25, -0.75};
  std::vector<T> slot0 = std::vector<T>(6, 1), slot1 = std::vector<T>(6);

  void step(OptimizerRule rule, const std::vector<T>& gradients, double l2, const UpdateStep& step) {
    const std::vector<OptimizerSegment> segments{{0, 4, l2}, {4, 6}};
    const OptimizerBuffers<T> buffers{
        weights.data(), gradients.data(), {slot0.data(), slot1.data()}, segments};
    update_with(buffers, {.rule = rule}, step, statistics_of(buffers, step.gradient_scale));
  }
  bool operator==(const TinyModel&) const = default;
};

template <class T>
void check_scale_invariance() {
  const std::vector<T> gradients{1, 2, -3, T(0.1), 5, T(0.3)};
  std::vector<T> scaled;
  for (const T gradient : gradients) scaled.push_back(gradient * 1024);
  for (const OptimizerRule rule : kRules) {
    TinyModel<T> one, other, unclipped;
    one.step(rule, gradients, 1e-2, {.learning_rate = 0.1, .max_gradient_norm = 0.1});
    other.step(rule, scaled, 1e-2,
               {.learning_rate = 0.1, .gradient_scale = 1.0 / 1024, .max_gradient_norm = 0.1});
    unclipped.step(rule, gradients, 1e-2, {.learning_rate = 0.1});
    CHECK(one == other);
    CHECK_FALSE(one == unclipped);
  }
}

template <class T>
void check_undecayed_beta() {
  for (const OptimizerRule rule : kRules) {
    TinyModel<T> plain, decayed;
    const std::vector<T> gradients{1, 2, -3, T(0.1), 5, T(0.3)};
    plain.step(rule, gradients, 0, {.learning_rate = 0.1});
    decayed.step(rule, gradients, 0.5, {.learning_rate = 0.1});
    CHECK(plain.weights[4] == decayed.weights[4]);
    CHECK(plain.weights[5] == decayed.weights[5]);
    CHECK((plain.slot0[0] != decayed.slot0[0] || rule == OptimizerRule::sgd));
    CHECK(plain.weights[0] != decayed.weights[0]);
  }
}

template <class T>
void check_gate() {
  for (const T bad : {T(NAN), T(INFINITY), -T(INFINITY)})
    for (const OptimizerRule rule : kRules) {
      TinyModel<T> model;
      model.step(rule, {1, 2, bad, 4, 5, 6}, 1e-4, {.learning_rate = 0.1, .max_gradient_norm = 1});
      CHECK(model == TinyModel<T>());
    }
}

}  // namespace

TEST_CASE("clipping comes after unscaling: loss scales 1 and 1024 with clip 0.1 give the same bits") {
  check_scale_invariance<double>();
  check_scale_invariance<float>();
}

TEST_CASE("the update of a variable without decay does not depend on weight_decay") {
  check_undecayed_beta<double>();
  check_undecayed_beta<float>();
}

TEST_CASE("a NaN or infinite gradient leaves every weight and slot as it was") {
  check_gate<double>();
  check_gate<float>();
}

TEST_CASE("decoupled decay is proportional to rate and weight, and neither clipped nor scaled") {
  std::vector<double> weights{2, -4};
  const std::vector<double> gradients(2);
  const OptimizerSegment segment{.begin = 0, .end = 2, .decoupled_decay = 0.01};
  const OptimizerBuffers<double> buffers{weights.data(), gradients.data(), {}, {&segment, 1}};
  reference::update(buffers, {.rule = OptimizerRule::sgd},
                    {.learning_rate = 0.5, .gradient_scale = 0.25, .max_gradient_norm = 1e-9},
                    reference::gradient_statistics(buffers, 0.25));
  CHECK(weights[0] == Approx(2 - 0.5 * 0.01 * 2).epsilon(1e-14));
  CHECK(weights[1] == Approx(-4 + 0.5 * 0.01 * 4).epsilon(1e-14));
}

#include "tests/nets/golden_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/catch.h"
#include "tests/support/golden_net.h"

namespace fastnn::tests {
namespace {

using nlohmann::json;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

Tensor gradient_with_l2(const TrainState& state, const ParameterEntry& entry, double weight_decay) {
  Tensor gradient = state.read_gradients(entry).as(Dtype::f64);
  if (!entry.spec.l2) return gradient;
  const Tensor weights = state.read_weights(entry).as(Dtype::f64);
  for (std::size_t i = 0; i < gradient.values<double>().size(); ++i)
    gradient.values<double>()[i] += weight_decay * weights.values<double>()[i];
  return gradient;
}

double largest_norm(const json& grads) {
  double largest = 0;
  for (const json& figures : grads) largest = std::max(largest, figures[0].get<double>());
  return largest;
}

}  // namespace

NetBounds double_bounds() {
  return {1e-7, 1e-7, 1e-7, 1e-7, 1e-7, 1e-7, 1e-7, 1e-7, 1e-7, 1e-7};
}

NetBounds float_bounds(const json& float32_rel, const GradientFloor& floor) {
  const auto four_times = [&](const char* key, double least) {
    const double bound = 4 * float32_rel.value(key, 0.0);
    return bound > 0.3 ? std::numeric_limits<double>::infinity() : std::max(bound, least);
  };
  const auto plus = [&](const char* key) { return four_times(key, 0) + 1e-5; };
  const bool frozen = float32_rel.contains("logits");
  return {.logits = plus(frozen ? "logits" : "train_logits"),
          .aux_logits = plus(frozen ? "aux_logits" : "train_aux_logits"),
          .endpoints = std::max(plus("eval_endpoint_l2norm_max"), plus("eval_endpoint_projection_max")),
          .loss = plus("total_loss"),
          .moving = plus("moving_max"),
          .gradient_norm = four_times("grad_norm_max", floor.norm),
          .gradient_norm_median = four_times("grad_norm_median", floor.norm_median),
          .gradient_projection = four_times("grad_projection_max", floor.projection),
          .gradient_projection_median = four_times("grad_projection_median", floor.projection_median),
          .zero_gradient = 1e-4};
}

double norm_difference(const Tensor& tensor, const json& rows) {
  const Tensor computed = tensor.as(Dtype::f64);
  double difference = 0;
  double norm = 0;
  std::size_t i = 0;
  for (const json& row : rows)
    for (const json& value : row) {
      REQUIRE(i < computed.values<double>().size());
      difference += std::pow(computed.values<double>()[i++] - value.get<double>(), 2);
      norm += std::pow(value.get<double>(), 2);
    }
  REQUIRE(i == computed.values<double>().size());
  return std::sqrt(difference / norm);
}

void check_gradients(const TrainState& state, double weight_decay, const json& grads,
                     const std::vector<std::string>& zero, const NetBounds& bounds) {
  REQUIRE(grads.size() == state.trainable().size());
  const double largest = largest_norm(grads);
  std::vector<double> norms;
  std::vector<double> projections;
  for (const auto& [name, figures] : grads.items()) {
    INFO("gradient of " << name);
    const Tensor gradient = gradient_with_l2(state, state.parameter(name), weight_decay);
    const double norm = figures[0];
    if (std::ranges::count(zero, name) > 0) {
      CHECK(l2norm(gradient) <= bounds.zero_gradient * largest);
      continue;
    }
    norms.push_back(std::abs(l2norm(gradient) - norm) / norm);
    projections.push_back(std::abs(projection(gradient, "g:" + name) - figures[1].get<double>()) / norm);
    CHECK(norms.back() <= bounds.gradient_norm);
    CHECK(projections.back() <= bounds.gradient_projection);
    CHECK(std::abs(gradient.values<double>()[0] - figures[2].get<double>()) <=
          bounds.gradient_projection * norm);
  }
  CHECK(median(norms) <= bounds.gradient_norm_median);
  CHECK(median(projections) <= bounds.gradient_projection_median);
}

void check_moving_averages(const TrainState& state, const json& moving, const NetBounds& bounds) {
  for (const auto& [name, figures] : moving.items()) {
    INFO(name);
    const Tensor value = state.read_weights(state.parameter(name));
    const double norm = figures[0];
    CHECK(std::abs(l2norm(value) - norm) <= bounds.moving * norm);
    CHECK(std::abs(projection(value, "m:" + name) - figures[1].get<double>()) <= bounds.moving * norm);
  }
}

}  // namespace fastnn::tests

#include "tests/nets/golden_comparison.h"

#include <algorithm>
#include <cmath>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
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

StepFigures figures_of(const TrainState& state, double weight_decay, const Tensor& logits, double loss) {
  StepFigures figures{logits.as(Dtype::f64), loss, {}};
  for (const ParameterEntry& entry : state.trainable()) {
    const Tensor gradient = gradient_with_l2(state, entry, weight_decay);
    figures.gradients[entry.name] = {l2norm(gradient), projection(gradient, "g:" + entry.name)};
  }
  return figures;
}

void StepGap::include(const StepGap& other) {
  logits = std::max(logits, other.logits);
  loss = std::max(loss, other.loss);
  gradient_norm = std::max(gradient_norm, other.gradient_norm);
  gradient_norm_median = std::max(gradient_norm_median, other.gradient_norm_median);
  gradient_projection = std::max(gradient_projection, other.gradient_projection);
  gradient_projection_median = std::max(gradient_projection_median, other.gradient_projection_median);
}

StepGap gap_between(const StepFigures& a, const StepFigures& b, const std::vector<std::string>& zero) {
  Tensor difference = a.logits;
  for (std::size_t i = 0; i < difference.values<double>().size(); ++i)
    difference.values<double>()[i] -= b.logits.values<double>()[i];
  std::vector<double> norms, projections;
  for (const auto& [name, figures] : b.gradients) {
    if (std::ranges::count(zero, name) > 0 || figures.norm == 0) continue;
    norms.push_back(std::abs(a.gradients.at(name).norm - figures.norm) / figures.norm);
    projections.push_back(std::abs(a.gradients.at(name).projection - figures.projection) / figures.norm);
  }
  return {.logits = l2norm(difference) / l2norm(b.logits),
          .loss = std::abs(a.loss - b.loss) / std::abs(b.loss),
          .gradient_norm = std::ranges::max(norms),
          .gradient_norm_median = median(norms),
          .gradient_projection = std::ranges::max(projections),
          .gradient_projection_median = median(projections)};
}

void add_rounding_noise(TrainState& state, double times, int draw) {
  for (const ParameterEntry& entry : state.trainable()) {
    if (!entry.name.ends_with("weights")) continue;
    const bool depthwise = entry.name.ends_with("depthwise_weights");
    const std::int64_t terms =
        depthwise ? entry.shape[0] * entry.shape[1] : entry.shape.elements() / entry.shape[-1];
    // A uniform number in [-1, 1) has a third of the variance of a sign.
    const double size = times * std::ldexp(1.0, -24) * std::sqrt(static_cast<double>(terms) / 6 * 3);
    Tensor weights = state.read_weights(entry).as(Dtype::f64);
    const GoldenSequence noise("noise " + std::to_string(draw) + entry.name);
    std::uint64_t i = 0;
    for (double& weight : weights.values<double>()) weight *= 1 + size * noise[i++];
    state.write_weights(entry, weights);
  }
}

NetBounds double_bounds() {
  return {.logits = 1e-7,
          .aux_logits = 1e-7,
          .endpoints = 1e-7,
          .loss = 1e-7,
          .moving = 1e-7,
          .batch_statistics = 1e-4,
          .gradient_norm = 1e-7,
          .gradient_norm_median = 1e-7,
          .gradient_projection = 1e-7,
          .gradient_projection_median = 1e-7,
          .zero_gradient = 1e-7};
}

NetBounds float_bounds(const json& float32_rel, const StepGap& gap) {
  const bool frozen = float32_rel.contains("logits");
  const auto stated = [&](const char* key) { return 4 * float32_rel.value(key, 0.0); };
  const double floor = frozen ? 1e-5 : 1e-4;
  return {
      .logits = std::max(stated(frozen ? "logits" : "train_logits") + 1e-5, 2 * gap.logits),
      .aux_logits = std::max(stated(frozen ? "aux_logits" : "train_aux_logits") + 1e-5, 2 * gap.logits),
      .endpoints =
          std::max(stated("eval_endpoint_l2norm_max"), stated("eval_endpoint_projection_max")) + 1e-5,
      .loss = std::max(stated("total_loss") + 1e-5, 2 * gap.loss),
      .moving = stated("moving_max") + 1e-5,
      .batch_statistics = 1e-2,
      .gradient_norm = std::max({stated("grad_norm_max"), 2 * gap.gradient_norm, floor}),
      .gradient_norm_median = std::max({stated("grad_norm_median"), 2 * gap.gradient_norm_median, floor}),
      .gradient_projection = std::max({stated("grad_projection_max"), 2 * gap.gradient_projection, floor}),
      .gradient_projection_median =
          std::max({stated("grad_projection_median"), 2 * gap.gradient_projection_median, floor}),
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

void check_moving_averages(const TrainState& state, const json& header, const json& moving,
                           const NetBounds& bounds) {
  for (const auto& [name, figures] : moving.items()) {
    INFO(name);
    const ParameterEntry& entry = state.parameter(name);
    const Tensor value = state.read_weights(entry).as(Dtype::f64);
    const double norm = figures[0];
    CHECK(std::abs(l2norm(value) - norm) <= bounds.moving * norm);
    CHECK(std::abs(projection(value, "m:" + name) - figures[1].get<double>()) <= bounds.moving * norm);
    const double decay = header["bn_decay"];
    const Tensor old = Tensor::of<float>(entry.shape, golden_variable(header["salt"], name, entry.shape));
    Tensor batch = value;
    for (std::size_t i = 0; i < batch.values<double>().size(); ++i)
      batch.values<double>()[i] =
          (value.values<double>()[i] - decay * double{old.values<float>()[i]}) / (1 - decay);
    const double expected = (figures[1].get<double>() - decay * projection(old, "m:" + name)) / (1 - decay);
    CHECK(std::abs(projection(batch, "m:" + name) - expected) <= bounds.batch_statistics * l2norm(batch));
  }
}

}  // namespace fastnn::tests

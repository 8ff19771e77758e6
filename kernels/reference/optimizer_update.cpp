#include "kernels/reference/optimizer_update.h"

namespace fastnn::kernels::reference {
namespace {

double decayed_gradient(const OptimizerBuffers<double>& buffers, const OptimizerSegment& segment,
                        double gradient_scale, std::int64_t i) {
  const double gradient = buffers.gradients[i] * gradient_scale;
  return segment.l2 == 0 ? gradient : gradient + segment.l2 * buffers.weights[i];
}

template <class Rule>
void update_with(Rule, const OptimizerBuffers<double>& buffers, const UpdateStep& step, double clip,
                 const RuleScalars<double>& scalars) {
  for (const OptimizerSegment& segment : buffers.segments) {
    for (std::int64_t i = segment.begin; i < segment.end; ++i) {
      const double gradient = decayed_gradient(buffers, segment, step.gradient_scale, i) * clip;
      const double decay = step.learning_rate * segment.decoupled_decay * buffers.weights[i];
      double slots[kMaxSlots] = {};
      for (int k = 0; k < Rule::kSlots; ++k) slots[k] = buffers.slots[k][i];
      Rule::apply(buffers.weights[i], gradient, slots[0], slots[1], scalars);
      for (int k = 0; k < Rule::kSlots; ++k) buffers.slots[k][i] = slots[k];
      buffers.weights[i] -= decay;
    }
  }
}

}  // namespace

GradientStatistics gradient_statistics(const OptimizerBuffers<double>& buffers, double gradient_scale) {
  GradientStatistics sums;
  for (const OptimizerSegment& segment : buffers.segments) {
    for (std::int64_t i = segment.begin; i < segment.end; ++i) {
      const double gradient = decayed_gradient(buffers, segment, gradient_scale, i);
      sums.squares += gradient * gradient;
      if (segment.l2 != 0) sums.l2_loss += segment.l2 * buffers.weights[i] * buffers.weights[i] / 2;
    }
  }
  return sums;
}

void update(const OptimizerBuffers<double>& buffers, const OptimizerParameters& parameters,
            const UpdateStep& step, const GradientStatistics& statistics) {
  if (!statistics.finite()) return;
  const double clip = clip_factor(statistics.norm(), step.max_gradient_norm);
  const double rate = corrected_rate(parameters, step.learning_rate, step.updates);
  const auto scalars = rule_scalars<double>(parameters_of(parameters, step), rate);
  with_rule(parameters, [&](auto rule) { update_with(rule, buffers, step, clip, scalars); });
}

}  // namespace fastnn::kernels::reference

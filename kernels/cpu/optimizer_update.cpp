#include "kernels/cpu/optimizer_update.h"

namespace fastnn::kernels::cpu {
namespace {

constexpr std::int64_t kLineFloats = 16;
// Below this a second thread costs more than it saves (momentum: 8 us of work).
constexpr std::int64_t kMinPartFloats = 32768;
constexpr std::int64_t kMaxParts = 256;

/// [first, end) cut into parts of whole cache lines, by the number of elements alone.
struct Parts {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::int64_t size = kLineFloats;
  std::int64_t count = 0;
};

Parts parts_of(std::span<const OptimizerSegment> segments) {
  if (segments.empty()) return {};
  const std::int64_t first = segments.front().begin / kLineFloats * kLineFloats;
  const std::int64_t end = segments.back().end;
  const std::int64_t wanted = std::clamp((end - first) / kMinPartFloats, std::int64_t{1}, kMaxParts);
  const std::int64_t lines = (end - first + kLineFloats - 1) / kLineFloats;
  const std::int64_t size = std::max((lines + wanted - 1) / wanted, std::int64_t{1}) * kLineFloats;
  return {first, end, size, (end - first + size - 1) / size};
}

/// Calls f(part, segment, begin, end) for what each segment has in each part, parts in parallel.
template <class F>
void for_each_piece(std::span<const OptimizerSegment> segments, const Parts& parts, const F& f) {
#pragma omp parallel for schedule(static) if (parts.count > 1)
  for (std::int64_t part = 0; part < parts.count; ++part) {
    const std::int64_t begin = parts.first + part * parts.size;
    const std::int64_t end = std::min(begin + parts.size, parts.end);
    auto segment = std::partition_point(segments.begin(), segments.end(),
                                        [begin](const OptimizerSegment& s) { return s.end <= begin; });
    for (; segment != segments.end() && segment->begin < end; ++segment)
      f(part, *segment, std::max(segment->begin, begin), std::min(segment->end, end));
  }
}

double squares(const float* gradients, std::int64_t count, float scale) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < count; ++i) {
    const double gradient = gradients[i] * scale;
    sum += gradient * gradient;
  }
  return sum;
}

GradientStatistics decayed_squares(const float* gradients, const float* weights, std::int64_t count,
                                   float scale, float l2) {
  double gradient_sum = 0;
  double weight_sum = 0;
#pragma omp simd reduction(+ : gradient_sum, weight_sum)
  for (std::int64_t i = 0; i < count; ++i) {
    const double gradient = gradients[i] * scale + l2 * weights[i];
    const double weight = weights[i];
    gradient_sum += gradient * gradient;
    weight_sum += weight * weight;
  }
  return {gradient_sum, weight_sum};
}

void add_piece(GradientStatistics& sums, const OptimizerBuffers<float>& buffers,
               const OptimizerSegment& segment, std::int64_t begin, std::int64_t end, float scale) {
  const float* gradients = buffers.gradients + begin;
  if (segment.l2 == 0) {
    sums.squares += squares(gradients, end - begin, scale);
    return;
  }
  const GradientStatistics piece =
      decayed_squares(gradients, buffers.weights + begin, end - begin, scale, static_cast<float>(segment.l2));
  sums.squares += piece.squares;
  sums.l2_loss += segment.l2 * piece.l2_loss / 2;
}

/// Factors of one segment's elements.
struct PieceFactors {
  float scale, l2, clip, decay;
};

template <class Rule>
void update_piece(const OptimizerBuffers<float>& buffers, std::int64_t begin, std::int64_t end,
                  const PieceFactors factors, const RuleScalars<float> scalars) {
  float* const weights = buffers.weights;
  const float* const gradients = buffers.gradients;
  float* const slot0 = buffers.slots[0];
  float* const slot1 = buffers.slots[1];
#pragma omp simd
  for (std::int64_t i = begin; i < end; ++i) {
    float weight = weights[i];
    const float gradient = (gradients[i] * factors.scale + factors.l2 * weight) * factors.clip;
    const float decay = factors.decay * weight;
    float state0 = 0;
    float state1 = 0;
    if constexpr (Rule::kSlots > 0) state0 = slot0[i];
    if constexpr (Rule::kSlots > 1) state1 = slot1[i];
    Rule::apply(weight, gradient, state0, state1, scalars);
    if constexpr (Rule::kSlots > 0) slot0[i] = state0;
    if constexpr (Rule::kSlots > 1) slot1[i] = state1;
    weights[i] = weight - decay;
  }
}

}  // namespace

GradientStatistics gradient_statistics(const OptimizerBuffers<float>& buffers, double gradient_scale) {
  const auto scale = static_cast<float>(gradient_scale);
  std::array<GradientStatistics, kMaxParts> sums{};
  for_each_piece(
      buffers.segments, parts_of(buffers.segments),
      [&](std::int64_t part, const OptimizerSegment& segment, std::int64_t begin, std::int64_t end) {
        add_piece(sums[static_cast<std::size_t>(part)], buffers, segment, begin, end, scale);
      });
  GradientStatistics total;
  for (const GradientStatistics& one : sums) {
    total.squares += one.squares;
    total.l2_loss += one.l2_loss;
  }
  return total;
}

void update(const OptimizerBuffers<float>& buffers, const OptimizerParameters& parameters,
            const UpdateStep& step, const GradientStatistics& statistics) {
  if (!statistics.finite()) return;
  const auto scale = static_cast<float>(step.gradient_scale);
  const auto clip = static_cast<float>(clip_factor(statistics.norm(), step.max_gradient_norm));
  const double rate = corrected_rate(parameters, step.learning_rate, step.updates);
  const auto scalars = rule_scalars<float>(parameters_of(parameters, step), rate);
  with_rule(parameters, [&](auto rule) {
    const auto update_segment = [&](std::int64_t, const OptimizerSegment& segment, std::int64_t begin,
                                    std::int64_t end) {
      const PieceFactors factors{scale, static_cast<float>(segment.l2), clip,
                                 static_cast<float>(step.learning_rate * segment.decoupled_decay)};
      update_piece<decltype(rule)>(buffers, begin, end, factors, scalars);
    };
    for_each_piece(buffers.segments, parts_of(buffers.segments), update_segment);
  });
}

}  // namespace fastnn::kernels::cpu

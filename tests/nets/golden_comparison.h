#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/plan/train_state.h"

namespace fastnn::tests {

/// How close the figures of one section of a golden net must be: golden/nets/README.md section 5.
struct NetBounds {
  double logits = 0;
  double aux_logits = 0;
  double endpoints = 0;
  double loss = 0;
  double moving = 0;
  /// Of the statistics in the moving averages, of which they are only (1 - decay) parts.
  double batch_statistics = 0;
  double gradient_norm = 0;
  double gradient_norm_median = 0;
  double gradient_projection = 0;
  double gradient_projection_median = 0;
  /// Gradients that are zero but for rounding: norm <= this * largest norm of a gradient.
  double zero_gradient = 0;
};

/// Norm and projection of a gradient, L2 part included.
struct GradientFigures {
  double norm = 0;
  double projection = 0;
};

/// What a training step gave.
struct StepFigures {
  Tensor logits;
  double loss = 0;
  std::map<std::string, GradientFigures> gradients;
};

StepFigures figures_of(const TrainState& state, double weight_decay, const Tensor& logits, double loss);

/// How far apart steps on the same inputs lie, relative to their sizes.
struct StepGap {
  double logits = 0;
  double loss = 0;
  double gradient_norm = 0;
  double gradient_norm_median = 0;
  double gradient_projection = 0;
  double gradient_projection_median = 0;

  /// The larger of each.
  void include(const StepGap& other);
};

/// 'zero' lists the variables whose gradient is rounding noise.
StepGap gap_between(const StepFigures& a, const StepFigures& b, const std::vector<std::string>& zero);

/// Multiplies the weights of layers by 1 + noise, of a size that makes their sums as uncertain as 'times'
/// float32's own summing does: adding K terms of about equal size one by one rounds each partial sum by up to
/// 2^-24 of it, which is an error of 2^-24 * sqrt(K / 6) of the sum; so is one of that size in each weight.
void add_rounding_noise(TrainState& state, double times, int draw);

/// What double precision reaches: ten digits are stored.
NetBounds double_bounds();

/// Bounds of a float32 step or evaluation: 4 times TensorFlow's own float32 differences, from a float32_rel
/// of the file, or twice the gap measured here where that is larger; at least 1e-5, and 1e-4 for gradients
/// with batch statistics (golden/nets/README.md sections 5 and 6).
NetBounds float_bounds(const nlohmann::json& float32_rel, const StepGap& gap);

/// Norm of the difference over the norm of the expected rows.
double norm_difference(const Tensor& tensor, const nlohmann::json& rows);

/// Compares all gradients of the state, the L2 part added, with a section's "grads". 'zero' lists the
/// variables of which only the size is compared. One CHECK a variable and one for each median.
void check_gradients(const TrainState& state, double weight_decay, const nlohmann::json& grads,
                     const std::vector<std::string>& zero, const NetBounds& bounds);

/// Compares the moving averages of the state with a section's "moving": their values, and the statistics of
/// the batch in them, (new - decay * old) / (1 - decay), 'old' being the golden weights of the header's salt.
void check_moving_averages(const TrainState& state, const nlohmann::json& header,
                           const nlohmann::json& moving, const NetBounds& bounds);

}  // namespace fastnn::tests

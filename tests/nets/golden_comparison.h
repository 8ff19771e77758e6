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
  double gradient_norm = 0;
  double gradient_norm_median = 0;
  double gradient_projection = 0;
  double gradient_projection_median = 0;
  /// Gradients that are zero but for rounding: norm <= this * largest norm of a gradient.
  double zero_gradient = 0;
};

/// Least bounds of gradients in float32.
struct GradientFloor {
  double norm = 0;
  double norm_median = 0;
  double projection = 0;
  double projection_median = 0;
};

/// Of training with batch statistics: golden/nets/README.md section 5.
inline constexpr GradientFloor kTrainingFloor = {1e-4, 1e-4, 1e-4, 1e-4};
/// With frozen batch norm TensorFlow's float32 run happens to move no activation over a kink in most nets,
/// and the page's floor is 1e-5. Sums in another order may move one: measured here up to 3.4e-4 (norm)
/// and 8.5e-4 (projection) in a variable below it, medians 8.4e-5 and 4e-4. The reference device is the sharp
/// test.
inline constexpr GradientFloor kFrozenFloor = {1e-3, 2e-4, 2e-3, 1e-3};

/// What double precision reaches: ten digits are stored.
NetBounds double_bounds();

/// 4 times TensorFlow's own float32 differences, from a float32_rel of the file; gradients at least the
/// floor. Bounds above 0.3 say nothing and become infinite.
NetBounds float_bounds(const nlohmann::json& float32_rel, const GradientFloor& floor);

/// Norm of the difference over the norm of the expected rows.
double norm_difference(const Tensor& tensor, const nlohmann::json& rows);

/// Compares all gradients of the state, the L2 part added, with a section's "grads". 'zero' lists the
/// variables of which only the size is compared. One CHECK a variable and one for each median.
void check_gradients(const TrainState& state, double weight_decay, const nlohmann::json& grads,
                     const std::vector<std::string>& zero, const NetBounds& bounds);

/// Compares the moving averages of the state with a section's "moving".
void check_moving_averages(const TrainState& state, const nlohmann::json& moving, const NetBounds& bounds);

}  // namespace fastnn::tests

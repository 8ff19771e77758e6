#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/core/tensor.h"
#include "engine/device/device.h"
#include "engine/plan/train_state.h"

namespace fastnn::tests {

/// Sets every weight of a state to the formula of golden/nets/README.md.
void set_golden_weights(TrainState& state, const std::string& salt);

/// Images [N,H,W,3] of golden/nets/README.md, in float32.
Tensor golden_images(const std::string& salt, std::int64_t batch_size, std::int64_t image_size);

/// sqrt(sum of squares).
double l2norm(const Tensor& tensor);

/// sum over i of tensor[i] * u(name, i).
double projection(const Tensor& tensor, const std::string& name);

}  // namespace fastnn::tests

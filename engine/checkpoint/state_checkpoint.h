#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/checkpoint/bundle_reader.h"
#include "engine/core/tensor.h"
#include "engine/plan/train_state.h"

namespace fastnn {

/// Tensors of a checkpoint beside variables, slots and global_step, by name.
using ExtraTensors = std::map<std::string, Tensor>;

/// Writes all of a state as one TensorFlow V2 bundle: each variable under its name, slots of trainable ones
/// as
/// "<variable>/<suffix>", "global_step" (s64 scalar), and the extras. Tensors lie in TensorFlow's order and
/// in the device's storage type (float32 except on the reference device). Throws EnvironmentError; then no
/// file has changed.
void save_state(const TrainState& state, const std::filesystem::path& prefix, const ExtraTensors& extras);

/// slots: also the optimizer's memory and the step, to go on training. weights: to evaluate.
enum class RestorePart { weights, weights_and_slots };

/// Reads a state back. Every variable must be there with its shape; names and shapes that do not fit are
/// listed in one InputError, before anything is changed.
void restore_state(TrainState& state, const BundleReader& bundle, RestorePart part);

}  // namespace fastnn

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/profile.h"
#include "engine/plan/train_state.h"
#include "nets/net_table.h"
#include "optim/optimizer.h"

namespace fastnn::tools {

/// Answer of list_models: a table of all nets at 1000 classes, and one of published accuracies.
std::string model_list();

/// Line of print_model_statistics that tells the size and work of a net with these options.
std::string net_line(const NetEntry& net, const NetOptions& options);

/// How print_model_statistics lists the variables.
enum class ModelDetail { variables, layers };

/// Lines of print_model_statistics: each trainable variable with shape and elements, or each layer with
/// elements, multiply-adds and activations of an image in evaluation; then the totals.
std::vector<std::string> model_lines(const TrainState& state, const NetEntry& net, const NetOptions& options,
                                     ModelDetail detail);

/// Lines of log_optimizer_vars_statistics: each slot of each variable with shape and elements, then the
/// totals.
std::vector<std::string> optimizer_lines(const TrainState& state, const optim::Optimizer& optimizer);

/// Lines of log_device_placement: each launch of a step with its kind, the device and the implementation.
std::vector<std::string> placement_lines(std::span<const LaunchInfo> launches, std::string_view device);

}  // namespace fastnn::tools

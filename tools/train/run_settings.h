#pragma once

#include <filesystem>
#include <optional>

#include "engine/base/log.h"
#include "tools/parameters/parameters.h"

namespace fastnn::tools {

/// Name of the file of a run's settings in its folder.
inline constexpr const char* kRunSettingsFile = "fastnn-settings.conf";

/// The folder of a run's checkpoints: checkpointDir, else output_dir.
std::filesystem::path checkpoint_folder(const Parameters& parameters);

/// Whether there is a checkpoint, or the list of them; a folder that cannot be read holds none.
bool holds_checkpoint(const std::filesystem::path& folder);

/// The parameters with what their user leaves unset taken from the run they speak of, whose folder is the
/// origin that is printed with them. fastnn-train: all that the run in output_dir saved, if that has a
/// checkpoint; its length only where the user sets no length at all. fastnn-eval: what defines the task
/// (ParameterRow::on_evaluation), from the run in model_dir, checkpointDir or output_dir; eval_image_size is
/// the run's train_image_size. Where the user's values differ from the run's, a warning says so. Without a
/// run they come back as they are. Throws what load() does for a run's file that is damaged.
Parameters completed_from_run(const Parameters& parameters, Log& log);

}  // namespace fastnn::tools

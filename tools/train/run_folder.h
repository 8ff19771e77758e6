#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "engine/base/log.h"
#include "engine/checkpoint/state_checkpoint.h"
#include "tools/parameters/parameters.h"

namespace fastnn::tools {

/// The folder of a run: settings (fastnn-settings.conf), log (fastnn-train.log), timelines, and, there or in
/// checkpointDir, the checkpoints. A run that is found there is continued if its settings are the same; only
/// its length and what does not change its result may differ.
class RunFolder {
 public:
  /// Makes the folders. Throws EnvironmentError if they cannot be made, UsageError listing each difference if
  /// the folder holds a run with other settings.
  RunFolder(const Parameters& parameters, Log& log);

  const std::filesystem::path& folder() const { return folder_; }
  const std::filesystem::path& checkpoints() const { return checkpoints_; }
  std::filesystem::path log_file() const { return folder_ / "fastnn-train.log"; }
  std::filesystem::path timeline(std::int64_t step) const;

  /// Keeps the settings with the run.
  void save_settings() const;

  /// Brings the state to the newest valid checkpoint. False if there is none: a fresh run.
  bool restore(TrainState& state) const;

  /// Saves a checkpoint of the state, notes it as the newest and drops the oldest beyond max_to_keep.
  void save(const TrainState& state, const ExtraTensors& extras) const;

 private:
  void refuse_other_settings() const;

  const Parameters& parameters_;
  Log& log_;
  std::filesystem::path folder_;
  std::filesystem::path checkpoints_;
};

}  // namespace fastnn::tools

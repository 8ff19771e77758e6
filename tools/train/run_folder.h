#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/log.h"
#include "engine/checkpoint/state_checkpoint.h"
#include "tools/parameters/parameters.h"
#include "tools/train/data_record.h"

namespace fastnn::tools {

/// The folder of a run: settings (fastnn-settings.conf), log (fastnn-train.log), timelines, and, there or in
/// checkpointDir, the checkpoints. It holds a run if there is a checkpoint; that run is continued if the
/// settings are the same, as far as they decide what is computed (ParameterRow::on_resume) and allow_changes
/// does not name them.
class RunFolder {
 public:
  /// Only looks. Throws InputError if there are checkpoints and none is whole.
  RunFolder(const Parameters& parameters, Log& log);

  const std::filesystem::path& folder() const { return folder_; }
  const std::filesystem::path& checkpoints() const { return checkpoints_; }
  std::filesystem::path log_file() const { return folder_ / "fastnn-train.log"; }
  std::filesystem::path timeline(std::int64_t step) const;

  bool holds_run() const { return holds_run_; }
  /// What the run there has learned from; nothing without a run, or if its checkpoint does not say.
  const std::optional<DataRecord>& trained_on() const { return trained_on_; }

  /// Throws UsageError listing each difference if the folder holds a run with other settings. Warns where the
  /// number of records is another. @param data of the run that is to go on here.
  void require_same_run(const DataRecord& data);

  /// Throws EnvironmentError if the folders cannot be made.
  void make() const;
  /// Keeps the settings with the run. Changes that allow_changes let pass are noted there, with those of
  /// earlier times, and in the log. @param step from which on they hold.
  void save_settings(std::int64_t step) const;

  /// Brings the state to the newest valid checkpoint. False if there is none: a fresh run.
  bool restore(TrainState& state) const;

  /// Saves a checkpoint of the state, notes it as the newest and drops the oldest beyond max_to_keep.
  void save(const TrainState& state, const ExtraTensors& extras) const;

 private:
  bool is_allowed(const std::string& name) const;
  std::string earlier_notes() const;

  const Parameters& parameters_;
  Log& log_;
  std::filesystem::path folder_;
  std::filesystem::path checkpoints_;
  bool holds_run_ = false;
  std::optional<DataRecord> trained_on_;
  /// "learning_rate from 0.01 to 0.001"
  std::vector<std::string> changes_;
};

}  // namespace fastnn::tools

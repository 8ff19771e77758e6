#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/log.h"

namespace fastnn {

/// The text file "checkpoint" of a folder, a CheckpointState message of TensorFlow: which checkpoints there
/// are. Paths are prefixes, absolute or relative to the folder.
struct CheckpointState {
  std::string model_checkpoint_path;
  /// Oldest first, the newest included.
  std::vector<std::string> all_model_checkpoint_paths;
};

/// Reads DIRECTORY/checkpoint; nothing if there is none. Fields it does not know (timestamps) are passed
/// over. Throws InputError naming file and line if it is damaged.
std::optional<CheckpointState> read_checkpoint_state(const std::filesystem::path& directory);

/// Replaces DIRECTORY/checkpoint in one step. Throws EnvironmentError.
void write_checkpoint_state(const std::filesystem::path& directory, const CheckpointState& state);

/// The step in a prefix's name: 100 for "train/model.ckpt-100"; nothing without one.
std::optional<std::int64_t> step_of(const std::filesystem::path& prefix);

/// Prefix of the newest bundle of a folder that is complete (BundleReader opens it); nothing if there is none
/// at all. The order of candidates: model.ckpt-* with steps beyond the newest one that the state file names
/// (saved, but the process died before it was noted), then those of the state file, newest first, then other
/// model.ckpt-* by step. So it works without a state file and with a stale one; paths of another machine are
/// looked for in this folder by name. Every invalid candidate is skipped with a warning naming it and why;
/// throws InputError if there are candidates and none is valid.
std::optional<std::filesystem::path> latest_checkpoint(const std::filesystem::path& directory, Log& log);

struct KeepOptions {
  /// How many checkpoints to keep; 0 keeps all.
  int max_to_keep = 5;
};

/// Notes a finished checkpoint in the state file of its folder as the newest, then deletes the oldest noted
/// ones beyond max_to_keep (index first: what is left is never half a checkpoint) and temporaries of saves
/// that died. Checkpoints that the state file does not name, or names with a folder, are left alone; a file
/// that cannot be deleted is a warning. Throws InputError, deleting nothing, if the checkpoint is not
/// complete; EnvironmentError if the state file cannot be written; UsageError for a negative max_to_keep. One
/// process at a time may save into a folder.
void keep_checkpoint(const std::filesystem::path& prefix, const KeepOptions& options, Log& log);

}  // namespace fastnn

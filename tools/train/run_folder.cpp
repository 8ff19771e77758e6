#include "tools/train/run_folder.h"

#include <algorithm>
#include <array>

#include "engine/checkpoint/checkpoint_state.h"
#include "tools/parameters/report.h"

namespace fastnn::tools {
namespace {

constexpr const char* kSettings = "fastnn-settings.conf";

/// Parameters that may change when a run is continued: its length, where things lie, and what is shown or
/// kept. Whatever else differs would make it another run.
constexpr std::array kMayChange = {"stop_at_step",
                                   "num_epochs",
                                   "log_loss_every_n_iters",
                                   "save_checkpoints_steps",
                                   "hooks",
                                   "profile_every_n_iters",
                                   "profile_at_task",
                                   "print_model_statistics",
                                   "output_dir",
                                   "checkpointDir",
                                   "log_optimizer_vars_statistics",
                                   "dataset_dir",
                                   "prefetch_buffer_size",
                                   "num_parallel_batches",
                                   "num_preprocessing_threads",
                                   "datasets_use_caching",
                                   "threads",
                                   "intra_op_parallelism_threads"};

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw EnvironmentError("[run] cannot make the folder {}: {}; choose another output_dir", folder.string(),
                           error.message());
}

}  // namespace

RunFolder::RunFolder(const Parameters& parameters, Log& log)
    : parameters_(parameters),
      log_(log),
      folder_(parameters.text("output_dir")),
      checkpoints_(parameters.text(parameters.has_value("checkpointDir") ? "checkpointDir" : "output_dir")) {
  make_folder(folder_);
  make_folder(checkpoints_);
  refuse_other_settings();
}

void RunFolder::refuse_other_settings() const {
  const auto file = folder_ / kSettings;
  if (!std::filesystem::exists(file)) return;
  std::string lines;
  for (const Difference& difference : differences(load(Program::train, file), parameters_))
    if (std::ranges::find(kMayChange, difference.name) == kMayChange.end())
      lines += fmt::format("\n  {}: the run there has {}, asked for {}", difference.name, difference.a,
                           difference.b);
  if (!lines.empty())
    throw UsageError(
        "[run] {} holds a run with other settings:{}\nchoose another output_dir, or the settings of that run",
        folder_.string(), lines);
}

void RunFolder::save_settings() const {
  tools::save(parameters_, folder_ / kSettings);
}

std::filesystem::path RunFolder::timeline(std::int64_t step) const {
  return folder_ / fmt::format("timeline-{}.json", step);
}

bool RunFolder::restore(TrainState& state) const {
  const auto prefix = latest_checkpoint(checkpoints_, log_);
  if (!prefix) return false;
  restore_state(state, BundleReader(*prefix), RestorePart::weights_and_slots);
  log_.info(fmt::format("continuing from {} at step {}", prefix->string(), state.step));
  return true;
}

void RunFolder::save(const TrainState& state, const ExtraTensors& extras) const {
  const auto prefix = checkpoints_ / fmt::format("model.ckpt-{}", state.step);
  save_state(state, prefix, extras);
  keep_checkpoint(prefix, {.max_to_keep = parameters_.small_integer("max_to_keep")}, log_);
}

}  // namespace fastnn::tools

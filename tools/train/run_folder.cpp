#include "tools/train/run_folder.h"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "engine/checkpoint/checkpoint_state.h"
#include "tools/common/write_file.h"
#include "tools/parameters/report.h"
#include "tools/train/resolved.h"
#include "tools/train/run_settings.h"

namespace fastnn::tools {
namespace {

constexpr std::string_view kNote = "# changed at step ";

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw EnvironmentError("[run] cannot make the folder {}: {}; choose another output_dir", folder.string(),
                           error.message());
}

bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

bool may_change(const ParameterTable& table, const std::string& name) {
  const ParameterRow& row = table.rows()[table.find(name).value()];
  const bool acts = row.status == ParameterStatus::implemented;
  return !acts || row.on_resume == OnResume::may_change;
}

}  // namespace

RunFolder::RunFolder(const Parameters& parameters, Log& log)
    : parameters_(parameters),
      log_(log),
      folder_(parameters.text("output_dir")),
      checkpoints_(checkpoint_folder(parameters)) {
  const auto newest = latest_checkpoint(checkpoints_, log);
  holds_run_ = newest.has_value();
  if (newest) trained_on_ = read_data_record(BundleReader(*newest));
}

void RunFolder::make() const {
  make_folder(folder_);
  make_folder(checkpoints_);
}

bool RunFolder::is_allowed(const std::string& name) const {
  return std::ranges::any_of(parameters_.list("allow_changes"), [&](const std::string& allowed) {
    const ParameterAlias* alias = parameters_.table().find_alias(allowed);
    return (alias != nullptr ? alias->target : allowed) == name;
  });
}

void RunFolder::require_same_run(const DataRecord& data) {
  if (trained_on_ && trained_on_->records != data.records)
    log_.warning(fmt::format(
        "[run] the data has {} records, the run had {}: the order of samples is another from here on",
        data.records, trained_on_->records));
  const auto file = folder_ / kRunSettingsFile;
  if (!holds_run_ || !is_file(file)) return;
  const Parameters saved = load(Program::train, file);
  std::string lines;
  for (const Difference& d : resolved_differences({saved, trained_on_}, {parameters_, data})) {
    if (may_change(parameters_.table(), d.name)) continue;
    if (is_allowed(d.name))
      changes_.push_back(fmt::format("{} from {} to {}", d.name, d.a, d.b));
    else
      lines += fmt::format("\n  {}: the run there has {}, asked for {}", d.name, d.a, d.b);
  }
  if (!lines.empty())
    throw UsageError(
        "[run] {} holds a run with other settings:{}\nchoose another output_dir, the settings of that run, "
        "or "
        "name in allow_changes what is to change",
        folder_.string(), lines);
}

std::string RunFolder::earlier_notes() const {
  std::string notes;
  std::ifstream stream(folder_ / kRunSettingsFile);
  for (std::string line; holds_run_ && std::getline(stream, line);)
    if (line.starts_with(kNote)) notes += line + '\n';
  return notes;
}

void RunFolder::save_settings(std::int64_t step) const {
  std::string notes = earlier_notes();
  for (const std::string& change : changes_) {
    notes += fmt::format("{}{}: {}\n", kNote, step, change);
    log_.info(fmt::format("changed at step {}: {}", step, change));
  }
  write_file(folder_ / kRunSettingsFile, settings_text(parameters_) + notes);
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

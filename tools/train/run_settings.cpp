#include "tools/train/run_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>

#include "tools/parameters/value.h"
#include "tools/train/resolved.h"
#include "tools/train/settings.h"

namespace fastnn::tools {
namespace {

namespace fs = std::filesystem;

/// A run whose settings stand in a folder.
struct SavedRun {
  fs::path folder;
  Parameters parameters;

  Origin origin() const {
    return {
        .kind = Origin::Kind::file, .where = fmt::format("the run in {}", folder.string()), .written = {}};
  }
};

std::optional<SavedRun> run_in(const fs::path& folder) {
  std::error_code ignored;
  const fs::path file = folder / kRunSettingsFile;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  return SavedRun{folder, load(Program::train, file)};
}

bool sets_any(const Parameters& parameters, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return parameters.is_set(name); });
}

void take(Parameters& parameters, std::string_view name, const SavedRun& run, std::string_view name_there) {
  if (!parameters.is_set(name) && run.parameters.is_set(name_there))
    parameters = parameters.with(name, run.parameters.text(name_there), run.origin());
}

bool is_length(std::string_view name) {
  return name == "stop_at_step" || name == "num_epochs";
}

Parameters continued(Parameters parameters, const SavedRun& run) {
  const bool has_length = sets_any(parameters, {"stop_at_step", "num_epochs"});
  for (const ParameterRow& row : parameters.table().rows()) {
    const bool is_here = row.name == "output_dir" || row.where == WhereAllowed::command_line_only;
    if (!row.programs.has(Program::train) || is_here || (has_length && is_length(row.name))) continue;
    take(parameters, row.name, run, row.name);
  }
  return parameters;
}

/// The user names other data: where the run's lie says nothing then.
bool is_elsewhere(const Parameters& parameters, const SavedRun& run, std::string_view name) {
  const bool other_set =
      parameters.is_set("dataset_name") && parameters.text("dataset_name") != dataset_name(run.parameters);
  if (name == "dataset_dir") return other_set;
  if (name == "eval_files" || name == "file_pattern")
    return other_set || sets_any(parameters, {"eval_files", "file_pattern"});
  return false;
}

void warn_if_other(const Parameters& parameters, const SavedRun& run, std::string_view name,
                   std::string_view name_there, Log& log) {
  const auto value = [](const Parameters& p, std::string_view of) {
    return resolved_value(p, of, std::nullopt).value_or(p.has_value(of) ? p.text(of) : "(unset)");
  };
  const std::string here = value(parameters, name), there = value(run.parameters, name_there);
  if (here != there)
    log.warning(fmt::format("[eval] {} is {}, the run in {} was trained with {}", name, here,
                            run.folder.string(), there));
}

Parameters evaluated(Parameters parameters, const SavedRun& run, Log& log) {
  const Parameters given = parameters;
  for (const ParameterRow& row : parameters.table().rows())
    if (row.on_evaluation == OnEvaluation::as_trained && !is_elsewhere(given, run, row.name))
      take(parameters, row.name, run, row.name);
  take(parameters, "eval_image_size", run, "train_image_size");
  for (const ParameterRow& row : parameters.table().rows())
    if (row.on_evaluation == OnEvaluation::as_trained && row.on_resume == OnResume::must_agree &&
        given.is_set(row.name))
      warn_if_other(parameters, run, row.name, row.name, log);
  if (given.is_set("eval_image_size"))
    warn_if_other(parameters, run, "eval_image_size", "train_image_size", log);
  return parameters;
}

/// The folders that the user of fastnn-eval names, the nearest to the checkpoint first.
std::optional<SavedRun> evaluated_run(const Parameters& parameters) {
  for (const char* name : {"model_dir", "checkpointDir", "output_dir"})
    if (parameters.is_set(name))
      if (auto run = run_in(parameters.text(name))) return run;
  if (sets_any(parameters, {"model_dir", "checkpointDir", "output_dir"})) return std::nullopt;
  return run_in(parameters.text("output_dir"));
}

}  // namespace

fs::path checkpoint_folder(const Parameters& parameters) {
  return parameters.text(parameters.has_value("checkpointDir") ? "checkpointDir" : "output_dir");
}

bool holds_checkpoint(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name == "checkpoint" || (name.starts_with("model.ckpt-") && name.ends_with(".index"))) return true;
  }
  return false;
}

Parameters completed_from_run(const Parameters& parameters, Log& log) {
  if (parameters.program() == Program::eval) {
    const auto run = evaluated_run(parameters);
    return run ? evaluated(parameters, *run, log) : parameters;
  }
  const auto run = run_in(parameters.text("output_dir"));
  if (!run || parameters.flag("benchmark")) return parameters;
  const Parameters all = continued(parameters, *run);
  return holds_checkpoint(checkpoint_folder(all)) ? all : parameters;
}

}  // namespace fastnn::tools

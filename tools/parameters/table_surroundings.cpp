#include <fmt/format.h>

#include <algorithm>

#include "tools/parameters/table_groups.h"
#include "tools/parameters/value.h"

namespace fastnn::tools {
namespace {

constexpr std::string_view kOneRank = "training on several machines or devices is not available yet";

std::string refuse_parameter_server(std::string_view value) {
  return value == "ps"
             ? "fastnn has no parameter servers: workers exchange gradients among themselves; start "
               "the workers only"
             : "";
}

std::string refuse_other_ranks(std::string_view value) {
  return value == "0" ? "" : fmt::format("{}; the only task is 0", kOneRank);
}

std::string refuse_several_workers(std::string_view value) {
  return value == "1" ? "" : fmt::format("{}; the only count is 1", kOneRank);
}

std::string refuse_several_hosts(std::string_view value) {
  return list_items(value).size() <= 1 ? "" : fmt::format("{}; name one host, or none", kOneRank);
}

/// Each must be a row or an alias.
std::string refuse_unknown_names(std::string_view value) {
  const ParameterTable& table = parameter_table();
  for (const std::string& name : list_items(value)) {
    if (table.find(name) || table.find_alias(name) != nullptr) continue;
    const std::string_view nearest = table.nearest(name, Program::train);
    return fmt::format("there is no parameter {}{}", name,
                       nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
  }
  return "";
}

std::vector<ParameterRow> cluster_rows() {
  using enum ParameterType;
  return {
      {.name = "job_name",
       .type = text,
       .default_value = "worker",
       .choices = "worker|localhost|ps",
       .help = "Role of this process; localhost is a worker on its own; ps fails, since fastnn has no "
               "parameter servers.",
       .refuse = refuse_parameter_server},
      {.name = "task_index",
       .type = integer,
       .default_value = "0",
       .range = Range::between(0, 65535),
       .help = "Number of this worker; only 0 for now.",
       .refuse = refuse_other_ranks},
      {.name = "worker_hosts",
       .type = list,
       .help = "HOST:PORT of each worker; one at most for now.",
       .refuse = refuse_several_hosts},
      {.name = "ps_hosts",
       .type = list,
       .help = "Parameter servers. fastnn has none.",
       .status = ParameterStatus::no_effect,
       .reason = "fastnn has no parameter servers"},
      {.name = "worker_count",
       .type = integer,
       .range = Range::between(1, 65536),
       .help = "Number of workers; only 1 for now.",
       .refuse = refuse_several_workers},
      {.name = "ps_count",
       .type = integer,
       .range = Range::between(0, 65536),
       .help = "Number of parameter servers. fastnn has none.",
       .status = ParameterStatus::no_effect,
       .reason = "fastnn has no parameter servers"},
      {.name = "num_clones",
       .type = integer,
       .default_value = "1",
       .range = Range::between(1, 4096),
       .help = "Devices that train.",
       .status = ParameterStatus::not_available,
       .reason = "training on several devices",
       .heritage = Heritage::added},
      {.name = "variable_update",
       .type = text,
       .default_value = "replicated",
       .help = "How devices share variables: each holds all of them.",
       .status = ParameterStatus::default_only,
       .reason = "each device holds all variables",
       .heritage = Heritage::added},
      {.name = "master_addr",
       .type = text,
       .help = "HOST:PORT where the workers meet.",
       .status = ParameterStatus::not_available,
       .reason = "training on several machines",
       .heritage = Heritage::added},
      {.name = "comm_timeout",
       .type = real,
       .default_value = "300",
       .range = Range::above(0),
       .help = "Seconds after which a silent worker is given up.",
       .status = ParameterStatus::default_only,
       .reason = "a single worker waits for nobody",
       .heritage = Heritage::added},
  };
}

std::vector<ParameterRow> output_rows() {
  using enum ParameterType;
  constexpr std::string_view kPlatform = "it belongs to a platform that fastnn does not need";
  return {
      {.name = "output_dir",
       .type = text,
       .default_value = ".",
       .help = "Folder of the run: checkpoints, logs, settings. A run that is found there is continued.",
       .holds = Holds::path,
       .programs = kAllPrograms,
       .refuse = refuse_cloud_path,
       .on_resume = OnResume::may_change},
      {.name = "checkpointDir",
       .type = text,
       .help = "Folder of the checkpoints.",
       .holds = Holds::path,
       .unless_set = "output_dir",
       .programs = kAllPrograms,
       .refuse = refuse_cloud_path,
       .on_resume = OnResume::may_change,
       .on_evaluation = OnEvaluation::as_trained},
      {.name = "save_checkpoints_steps",
       .type = integer,
       .default_value = "1000",
       .range = Range::between(1, kMostCount),
       .help = "Steps between two checkpoints; the last step is always saved.",
       .acts_while = {{"hooks", kOneOf, "CheckpointSaverHook"}},
       .on_resume = OnResume::may_change},
      {.name = "summaryDir",
       .type = text,
       .help = "Folder of TensorBoard's event files.",
       .holds = Holds::path,
       .unless_set = "output_dir",
       .status = ParameterStatus::not_available,
       .reason = "TensorBoard event files",
       .on_resume = OnResume::may_change},
      {.name = "tables",
       .type = text,
       .help = "Tables of the PAI platform.",
       .status = ParameterStatus::no_effect,
       .reason = kPlatform},
      {.name = "buckets",
       .type = text,
       .help = "Storage buckets of the PAI platform.",
       .status = ParameterStatus::no_effect,
       .reason = kPlatform},
      {.name = "outputs",
       .type = text,
       .help = "Output tables of the PAI platform.",
       .status = ParameterStatus::no_effect,
       .reason = kPlatform},
      {.name = "max_to_keep",
       .type = integer,
       .default_value = "5",
       .range = Range::between(1, 1000000),
       .help = "Checkpoints that are kept; older ones are removed.",
       .acts_while = {{"hooks", kOneOf, "CheckpointSaverHook"}},
       .heritage = Heritage::added,
       .on_resume = OnResume::may_change},
      {.name = "save_interval_secs",
       .type = real,
       .range = Range::at_least(0),
       .help =
           "Seconds between two checkpoints, in place of save_checkpoints_steps, or beside it where both are "
           "set; 0 is none.",
       .acts_while = {{"hooks", kOneOf, "CheckpointSaverHook"}},
       .unless_set = "save_checkpoints_steps rules",
       .heritage = Heritage::added,
       .on_resume = OnResume::may_change},
  };
}

std::vector<ParameterRow> program_rows() {
  using enum ParameterType;
  constexpr WhereAllowed kHere = WhereAllowed::command_line_only;
  return {
      {.name = "config",
       .type = text,
       .help = "Hyper-parameter file with one name=value a line; the command line rules over it. The first "
               "argument without dashes is such a file, too.",
       .holds = Holds::path,
       .programs = kAllPrograms,
       .where = kHere,
       .heritage = Heritage::added},
      {.name = "allow_changes",
       .type = list,
       .help =
           "Parameters that may have another value than before when a run is continued, from that step on; "
           "the log and the saved settings note it.",
       .refuse = refuse_unknown_names,
       .where = kHere,
       .heritage = Heritage::added},
      {.name = "dry_run",
       .type = flag,
       .default_value = "False",
       .help = "Check the settings, print what would run, and end.",
       .where = kHere,
       .heritage = Heritage::added},
      {.name = "list_models",
       .type = flag,
       .default_value = "False",
       .help = "Print all nets with their sizes and end.",
       .programs = kAllPrograms,
       .where = kHere,
       .heritage = Heritage::added},
      {.name = "help",
       .type = flag,
       .default_value = "False",
       .help = "Print this text and end.",
       .programs = kAllPrograms,
       .where = kHere,
       .heritage = Heritage::added},
      {.name = "help_markdown",
       .type = flag,
       .default_value = "False",
       .help = "Print docs/parameters.md and end.",
       .where = kHere,
       .in_help = InHelp::hidden,
       .heritage = Heritage::added},
      {.name = "version",
       .type = flag,
       .default_value = "False",
       .help = "Print the version and end.",
       .programs = kAllPrograms,
       .where = kHere,
       .heritage = Heritage::added},
  };
}

}  // namespace

std::string refuse_cloud_path(std::string_view value) {
  const std::vector<std::string> paths = list_items(value);
  const auto cloud = std::find_if(paths.begin(), paths.end(),
                                  [](const std::string& path) { return path.starts_with("oss://"); });
  if (cloud == paths.end()) return "";
  return fmt::format(
      "{} lies in cloud storage, which fastnn does not read; copy it to this machine (ossutil cp "
      "-r {} FOLDER) and name the copy",
      *cloud, *cloud);
}

std::vector<ParameterRow> surroundings_rows() {
  std::vector<ParameterRow> rows;
  append_group(rows, "cluster", cluster_rows());
  append_group(rows, "output", output_rows());
  append_group(rows, "program", program_rows());
  return rows;
}

}  // namespace fastnn::tools

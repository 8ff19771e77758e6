#include "tools/parameters/table_groups.h"

namespace fastnn::tools {
namespace {

/// A flag that has no effect in fastnn.
ParameterRow idle(std::string_view name, ParameterType type, std::string_view help, std::string_view reason,
                  ProgramSet programs = Program::train) {
  return {.name = name,
          .type = type,
          .range = type == ParameterType::integer ? Range::between(-kMostCount, kMostCount) : Range{},
          .help = help,
          .status = ParameterStatus::no_effect,
          .reason = reason,
          .programs = programs,
          .heritage = Heritage::added};
}

std::vector<ParameterRow> tensorflow_rows() {
  using enum ParameterType;
  constexpr std::string_view kLog = "the log goes to standard output";
  constexpr std::string_view kSummaries = "no event files are written";
  constexpr std::string_view kSession = "there is no TensorFlow server to talk to";
  return {
      idle("logtostderr", flag, "Log to standard error.", kLog, kAllPrograms),
      idle("alsologtostderr", flag, "Log to standard error, too.", kLog, kAllPrograms),
      idle("stderrthreshold", text, "What is logged to standard error.", kLog, kAllPrograms),
      idle("verbosity", integer, "How much is logged.", "the log has one volume", kAllPrograms),
      idle("master", text, "Address of a TensorFlow server.", kSession, kAllPrograms),
      idle("save_summaries_secs", real, "Seconds between two summaries.", kSummaries),
      idle("save_summaries_steps", integer, "Steps between two summaries.", kSummaries),
      idle("summary_verbosity", integer, "What summaries hold.", kSummaries),
  };
}

std::vector<ParameterRow> slim_rows() {
  using enum ParameterType;
  return {
      idle("clone_on_cpu", flag, "Train on the processor.", "device says what computes"),
      idle("num_readers", integer, "Threads that read.", "the threads that preprocess read, too"),
      idle("eval_dir", text, "Folder of an evaluation's results.", "the results are printed", Program::eval),
      {.name = "sync_replicas",
       .type = flag,
       .default_value = "False",
       .help = "Gradients of all workers in one update.",
       .status = ParameterStatus::default_only,
       .reason = "workers always make one update together",
       .heritage = Heritage::added},
      {.name = "replicas_to_aggregate",
       .type = integer,
       .default_value = "1",
       .range = Range::between(1, 65536),
       .help = "Workers whose gradients make an update.",
       .status = ParameterStatus::default_only,
       .reason = "workers always make one update together",
       .heritage = Heritage::added},
      {.name = "quantize_delay",
       .type = integer,
       .default_value = "-1",
       .range = Range::between(-1, kMostCount),
       .help = "Steps before training for 8 bits begins; -1 is never.",
       .status = ParameterStatus::not_available,
       .reason = "training for 8 bits",
       .heritage = Heritage::added},
      {.name = "quantize",
       .type = flag,
       .default_value = "False",
       .help = "Evaluate as 8 bits would compute.",
       .status = ParameterStatus::not_available,
       .reason = "8 bits",
       .programs = Program::eval,
       .heritage = Heritage::added},
      {.name = "use_grayscale",
       .type = flag,
       .default_value = "False",
       .help = "Train on gray images.",
       .status = ParameterStatus::not_available,
       .reason = "nets of one channel",
       .programs = kAllPrograms,
       .heritage = Heritage::added},
  };
}

std::vector<ParameterRow> benchmarks_rows() {
  using enum ParameterType;
  constexpr std::string_view kTuning = "it tunes TensorFlow";
  std::vector<ParameterRow> rows = {
      idle("local_parameter_device", text, "Where variables lie.", "a device holds its own variables"),
      idle("data_format", text, "Order of an activation's dimensions.",
           "activations are NHWC, on every device", kAllPrograms),
      idle("print_training_accuracy", flag, "Log the accuracy, too.", "the log always has it"),
      {.name = "distortions",
       .type = flag,
       .default_value = "True",
       .help = "Change the images at random in training.",
       .status = ParameterStatus::not_available,
       .reason = "training without its preprocessing's random changes",
       .heritage = Heritage::added},
  };
  for (const char* name :
       {"use_datasets", "datasets_use_prefetch", "batchnorm_persistent", "winograd_nonfused",
        "enable_layout_optimizer", "force_gpu_compatible", "allow_growth", "sync_on_finish",
        "hierarchical_copy", "compact_gradient_transfer", "staged_vars", "xla", "use_xla", "mkl"})
    rows.push_back(idle(name, flag, "Tuning of TensorFlow.", kTuning));
  for (const char* name : {"all_reduce_spec", "kmp_affinity"})
    rows.push_back(idle(name, text, "Tuning of TensorFlow.", kTuning));
  for (const char* name : {"gradient_repacking", "batch_group_size", "kmp_blocktime"})
    rows.push_back(idle(name, integer, "Tuning of TensorFlow.", kTuning));
  return rows;
}

}  // namespace

std::vector<ParameterRow> other_programs_rows() {
  std::vector<ParameterRow> rows;
  append_group(rows, "flags of TF-Slim and tf_cnn_benchmarks", tensorflow_rows());
  append_group(rows, "flags of TF-Slim and tf_cnn_benchmarks", slim_rows());
  append_group(rows, "flags of TF-Slim and tf_cnn_benchmarks", benchmarks_rows());
  return rows;
}

}  // namespace fastnn::tools

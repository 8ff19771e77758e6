#include "tools/train/settings.h"

#include "tools/common/machine_memory.h"

#include <algorithm>
#include <thread>

#include "data/datasets/mock.h"
#include "tools/parameters/value.h"

namespace fastnn::tools {
namespace {

Split split_named(const std::string& name) {
  for (const Split split : {Split::train, Split::validation, Split::test})
    if (name_of(split) == name) return split;
  throw UsageError("[data] dataset_split_name must be train, validation or test, got \"{}\"", name);
}

/// The whole path where the last name of it is none, or that of the synthetic data set.
std::string name_of_folder(const std::filesystem::path& folder) {
  const auto whole = (std::filesystem::absolute(folder) / "").lexically_normal().parent_path();
  const std::string name = whole.filename().string();
  return name.empty() || name == kMockDataset ? whole.string() : name;
}

int batches_in_work(const Parameters& parameters) {
  return parameters.is_set("num_parallel_batches") ? parameters.small_integer("num_parallel_batches") : 0;
}

std::vector<double> reals(const std::vector<std::string>& items) {
  std::vector<double> numbers;
  for (const std::string& item : items) numbers.push_back(real_word(item).value());
  return numbers;
}

/// learning_rate_boundaries in steps; an epoch ends in the step that takes its last sample.
std::vector<std::int64_t> boundaries(const Parameters& parameters, std::int64_t samples_per_epoch) {
  std::vector<std::int64_t> steps;
  for (const std::string& item : parameters.list("learning_rate_boundaries")) {
    const double samples =
        real_word(item.substr(0, item.find('e'))).value() * static_cast<double>(samples_per_epoch);
    steps.push_back(item.ends_with('e') ? static_cast<std::int64_t>(
                                              samples / static_cast<double>(samples_per_step(parameters)))
                                        : integer_word(item).value());
  }
  return steps;
}

BadRecordPolicy policy_of(const Parameters& parameters) {
  const std::string& name = parameters.text("bad_record_policy");
  if (name == "fail") return BadRecordPolicy::fail;
  return name == "skip" ? BadRecordPolicy::skip : BadRecordPolicy::report;
}

}  // namespace

std::optional<double> optional_real(const Parameters& parameters, std::string_view name) {
  return parameters.has_value(name) ? std::optional(parameters.real(name)) : std::nullopt;
}

std::optional<std::int64_t> integer_if_set(const Parameters& parameters, std::string_view name) {
  return parameters.is_set(name) ? std::optional(parameters.integer(name)) : std::nullopt;
}

std::optional<double> real_if_set(const Parameters& parameters, std::string_view name) {
  return parameters.is_set(name) ? std::optional(parameters.real(name)) : std::nullopt;
}

bool has_hook(const Parameters& parameters, std::string_view hook) {
  const auto hooks = parameters.list("hooks");
  return std::ranges::find(hooks, hook) != hooks.end();
}

Dtype compute_type(const Parameters& parameters, const Device& device, Log& log) {
  const bool wanted = parameters.is_set("use_fp16") && parameters.flag("use_fp16");
  const bool narrow = wanted && device.computes(Dtype::bf16);
  log.info(narrow   ? "compute: bf16, over f32 weights and statistics (use_fp16)"
           : wanted ? "compute: f32, as this processor does not multiply bf16 (use_fp16)"
                    : "compute: f32");
  return narrow ? Dtype::bf16 : Dtype::f32;
}

int compute_threads(const Parameters& parameters) {
  for (const char* name : {"threads", "intra_op_parallelism_threads"})
    if (parameters.is_set(name)) return parameters.small_integer(name);
  return 0;
}

std::int64_t samples_per_step(const Parameters& parameters) {
  return parameters.integer("batch_size") * parameters.integer("accumulate_steps");
}

std::int64_t image_size(const Parameters& parameters, const NetEntry& net) {
  const bool training = parameters.program() == Program::train;
  return integer_if_set(parameters, training ? "train_image_size" : "eval_image_size")
      .value_or(net.default_image_size);
}

std::string dataset_name(const Parameters& p) {
  if (p.is_set("dataset_name")) return p.text("dataset_name");
  const PathMap map(p.list("path_map"));
  if (p.has_value("dataset_dir")) return name_of_folder(map.mapped(p.text("dataset_dir")));
  for (const char* name : {"train_files", "eval_files", "file_pattern"})
    if (const auto files = list_items(p.text(name)); !files.empty())
      return name_of_folder(std::filesystem::absolute(map.mapped(files[0])).parent_path());
  return p.text("dataset_name");
}

DatasetOptions dataset_options(const Parameters& p) {
  DatasetOptions options{.dataset_name = dataset_name(p),
                         .dataset_dir = p.text("dataset_dir"),
                         .train_files = p.text("train_files"),
                         .eval_files = p.text("eval_files"),
                         .file_pattern = p.text("file_pattern"),
                         .path_map = PathMap(p.list("path_map")),
                         .image_feature = p.text("image_feature"),
                         .label_feature = p.text("label_feature"),
                         .labels_offset = p.small_integer("labels_offset"),
                         .num_classes = p.is_set("num_classes") ? p.small_integer("num_classes") : 0};
  if (p.has_value("dataset_split_name")) {
    options.split = split_named(p.text("dataset_split_name"));
  } else if (p.program() == Program::eval) {
    const DatasetInfo* info = find_dataset(options.dataset_name);
    options.split = info != nullptr ? info->evaluation_split() : Split::validation;
  }
  return options;
}

std::string preprocessing_name(const Parameters& parameters, const NetEntry& net) {
  return parameters.has_value("preprocessing_name") ? parameters.text("preprocessing_name")
                                                    : std::string(net.preprocessing);
}

RecordSetOptions record_set_options(const Parameters& parameters) {
  using Damage = RecordSetOptions::Damage;
  return {.cache_bytes = cache_bytes(parameters),
          .index_dir = parameters.has_value("index_dir") ? parameters.text("index_dir") : "",
          .damage = policy_of(parameters) == BadRecordPolicy::fail ? Damage::fail : Damage::skip};
}

DecodeOptions decode_options(const Parameters& parameters) {
  using Orientation = DecodeOptions::Orientation;
  return {
      .jpeg_dct = parameters.text("jpeg_dct") == "fast" ? JpegDct::fast : JpegDct::accurate,
      .orientation = parameters.flag("exif_orientation") ? Orientation::from_exif : Orientation::as_stored};
}

PipelineOptions pipeline_options(const Parameters& parameters, PipelineOptions::Mode mode) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  PipelineOptions options{
      .mode = mode,
      .batch_size = parameters.small_integer("batch_size"),
      .threads = parameters.is_set("num_preprocessing_threads")
                     ? parameters.small_integer("num_preprocessing_threads")
                     : cores,
      .prefetch_batches = parameters.small_integer("prefetch_buffer_size") + batches_in_work(parameters),
      .bad_records = policy_of(parameters),
      .bad_record_limit = parameters.integer("bad_record_limit")};
  if (mode == PipelineOptions::Mode::training) {
    options.seed = static_cast<std::uint64_t>(parameters.integer("seed"));
    options.shuffle_buffer_size = parameters.small_integer("shuffle_buffer_size");
  }
  return options;
}

SaveSchedule::Options save_options(const Parameters& parameters) {
  const double seconds = optional_real(parameters, "save_interval_secs").value_or(0);
  SaveSchedule::Options options{.steps = parameters.integer("save_checkpoints_steps"), .seconds = {}};
  if (seconds == 0) return options;
  options.seconds = seconds;
  if (!parameters.is_set("save_checkpoints_steps")) options.steps.reset();
  return options;
}

std::int64_t cache_bytes(const Parameters& parameters) {
  if (parameters.program() != Program::train || !parameters.flag("datasets_use_caching")) return 0;
  constexpr std::int64_t kMebibyte = 1 << 20;
  if (parameters.has_value("record_cache_mib")) return parameters.integer("record_cache_mib") * kMebibyte;
  return static_cast<std::int64_t>(machine_memory() / 2);
}

optim::OptimizerOptions optimizer_options(const Parameters& p) {
  return {.momentum = p.real("momentum"),
          .use_nesterov = p.flag("use_nesterov") ? kernels::Nesterov::on : kernels::Nesterov::off,
          .rmsprop_momentum = p.real("rmsprop_momentum"),
          .rmsprop_decay = p.real("rmsprop_decay"),
          .opt_epsilon = real_if_set(p, "opt_epsilon"),
          .adam_beta1 = p.real("adam_beta1"),
          .adam_beta2 = p.real("adam_beta2"),
          .adadelta_rho = p.real("adadelta_rho"),
          .adagrad_initial_accumulator_value = p.real("adagrad_initial_accumulator_value"),
          .ftrl_learning_rate_power = p.real("ftrl_learning_rate_power"),
          .ftrl_initial_accumulator_value = p.real("ftrl_initial_accumulator_value"),
          .ftrl_l1 = p.real("ftrl_l1"),
          .ftrl_l2 = p.real("ftrl_l2")};
}

optim::StopOptions stop_options(const Parameters& parameters, std::int64_t samples) {
  return {.stop_at_step = integer_if_set(parameters, "stop_at_step"),
          .num_epochs = integer_if_set(parameters, "num_epochs"),
          .samples_per_epoch = samples,
          .samples_per_step = samples_per_step(parameters)};
}

optim::ScheduleOptions schedule_options(const Parameters& p, std::int64_t samples,
                                        std::int64_t stop_at_step) {
  const std::int64_t epoch = integer_if_set(p, "num_sample_per_epoch").value_or(samples);
  return {.learning_rate = p.real("learning_rate"),
          .end_learning_rate = real_if_set(p, "end_learning_rate"),
          .learning_rate_decay_type = p.text("learning_rate_decay_type"),
          .decay_scheme = p.text("decay_scheme"),
          .learning_rate_decay_factor = real_if_set(p, "learning_rate_decay_factor"),
          .learning_rate_decay_steps = integer_if_set(p, "learning_rate_decay_steps"),
          .learning_rate_boundaries = boundaries(p, epoch),
          .learning_rate_values = reals(p.list("learning_rate_values")),
          .one_cycle_rise = p.real("one_cycle_rise"),
          .one_cycle_momentum = optional_real(p, "one_cycle_momentum"),
          .momentum = p.real(p.text("optimizer") == "rmsprop" ? "rmsprop_momentum" : "momentum"),
          .base_batch_size = integer_if_set(p, "base_batch_size"),
          .warmup_steps = p.integer("warmup_steps"),
          .warmup_scheme = p.text("warmup_scheme"),
          .stop_at_step = stop_at_step,
          .num_sample_per_epoch = epoch,
          .samples_per_step = samples_per_step(p),
          .num_epochs_per_decay = p.real("num_epochs_per_decay")};
}

}  // namespace fastnn::tools

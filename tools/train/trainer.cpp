#include "tools/train/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/checkpoint/checkpoint_state.h"
#include "engine/passes/precision.h"
#include "tools/common/machine_memory.h"
#include "tools/common/progress.h"
#include "tools/train/benchmark.h"
#include "tools/train/folder_lock.h"
#include "tools/train/model_report.h"
#include "tools/train/settings.h"
#include "tools/train/step_log.h"

namespace fastnn::tools {
namespace {

/// Steps of a dry run: the first is slower than the rest.
constexpr int kDrySteps = 4;

NetOptions net_options(const Parameters& parameters, const NetEntry& entry, std::int64_t num_classes) {
  return {
      .batch_size = parameters.integer("batch_size"),
      .num_classes = num_classes,
      .image_size = image_size(parameters, entry),
      .mode = Mode::training,
      .batch_norm = parameters.flag("freeze_batch_norm") ? BatchNormMode::frozen : BatchNormMode::training,
      .label_smoothing = parameters.real("label_smoothing")};
}

std::string cache_text(std::int64_t bytes) {
  return bytes == 0 ? ""
                    : fmt::format(", kept in memory after the first epoch, at most {:.0f} MiB",
                                  static_cast<double>(bytes) / 1048576.0);
}

std::string accumulation_text(const Parameters& parameters) {
  const std::int64_t micro_batches = parameters.integer("accumulate_steps");
  return micro_batches == 1 ? "" : fmt::format(", {} of them a step", micro_batches);
}

ExtraTensors extras_of(const TrainState& state, const optim::Optimizer& optimizer,
                       const Parameters& parameters) {
  ExtraTensors extras;
  for (const auto& scalar : optimizer.checkpoint_scalars(state.step))
    extras.emplace(scalar.name, Tensor::of<float>(Shape{}, std::array{static_cast<float>(scalar.value)}));
  extras.emplace("fastnn/seed", Tensor::of<std::int64_t>(Shape{}, std::array{parameters.integer("seed")}));
  extras.emplace("fastnn/samples",
                 Tensor::of<std::int64_t>(Shape{}, std::array{state.step * samples_per_step(parameters)}));
  return extras;
}

}  // namespace

Trainer::Trainer(const Parameters& parameters, ConsoleLog& log)
    : parameters_(parameters),
      log_(log),
      folder_(parameters, log),
      entry_(find_net(parameters.text("model_name"))),
      input_(open_input(parameters, entry_, folder_.trained_on(), log)),
      device_(make_device(parameters.text("device"), compute_threads(parameters))),
      net_(build_network(entry_.name, net_options(parameters, entry_, input_.num_classes))),
      optimizer_(optim::make_optimizer(parameters.text("optimizer"), optimizer_options(parameters))),
      length_(optim::stop_of(stop_options(parameters, input_.records->size()))),
      schedule_(schedule_options(parameters, input_.records->size(), length_.step)),
      divergence_watch_(input_.num_classes) {
  folder_.require_same_run(data_record_of(input_));
  compute_in(net_.graph, compute_type(parameters, *device_, log));
  auto training = optim::differentiate(net_.graph, net_.loss);
  state_ = std::make_unique<TrainState>(training.graph, training.parameters, *device_,
                                        optim::slot_specs(optimizer_));
  step_ = std::make_unique<optim::TrainingStep>(
      std::move(training), optimizer_, *state_,
      optim::TrainingStepOptions{.weight_decay = parameters.real("weight_decay"),
                                 .max_gradient_norm = optional_real(parameters, "max_gradient_norm"),
                                 .accumulate_steps = parameters.integer("accumulate_steps"),
                                 .keep = {net_.cross_entropy, net_.correct},
                                 .disabled_passes = parameters.list("disable_pass")});
  report();
  require_memory(memory_need(), available_memory(), parameters.integer("batch_size"));
  state_->initialize(static_cast<std::uint64_t>(parameters.integer("seed")));
}

MemoryNeed Trainer::memory_need() const {
  const auto options = pipeline_options(parameters_, PipelineOptions::Mode::training);
  const auto batch_bytes =
      input_.reader->image_shape().elements() * sizeof(float) * std::size_t(options.batch_size);
  return {.plan = step_->plan().memory(),
          .state = state_->bytes(),
          .input = std::min<std::size_t>(batch_bytes * std::size_t(options.prefetch_batches + 1),
                                         std::size_t(options.max_bytes))};
}

void Trainer::report() const {
  log_.info(device_->description());
  log_.info(fmt::format("net {}: {} variables, {} classes, images {}", net_.name, state_->parameters().size(),
                        input_.num_classes, net_.graph.shape(net_.images).text()));
  log_.info(text_of(step_->passes()));
  log_.info(fmt::format("data: {} records in {} files, batch {} samples{}{}", input_.records->size(),
                        input_.records->records_per_file().size(), parameters_.integer("batch_size"),
                        accumulation_text(parameters_), cache_text(input_.cache_bytes)));
  log_.info(length_.reason);
  log_.info(schedule_.describe());
  if (const auto warning = optim::epsilon_warning(optimizer_, optimizer_options(parameters_));
      !warning.empty())
    log_.warning(warning);
  log_.info(memory_line(memory_need()));
  const auto detail =
      parameters_.text("print_model_statistics") == "layers" ? ModelDetail::layers : ModelDetail::variables;
  if (parameters_.flag("print_model_statistics")) {
    const NetOptions options = net_options(parameters_, entry_, input_.num_classes);
    for (const std::string& line : model_lines(*state_, entry_, options, detail)) log_.info(line);
    log_.info(net_line(entry_, options));
  }
  if (parameters_.flag("log_optimizer_vars_statistics"))
    for (const std::string& line : optimizer_lines(*state_, optimizer_)) log_.info(line);
  if (parameters_.flag("log_device_placement"))
    for (const std::string& line : placement_lines(step_->plan().launches(), device_->name()))
      log_.info(line);
}

std::unique_ptr<Pipeline> Trainer::open_pipeline() {
  auto options = pipeline_options(parameters_, PipelineOptions::Mode::training);
  options.first_position = state_->step * samples_per_step(parameters_);
  return std::make_unique<Pipeline>(input_.records, input_.reader, options, log_);
}

void Trainer::write_batch(const Batch& batch) {
  Plan& plan = step_->plan();
  const std::int32_t valid = batch.valid;
  plan.write(net_.images, batch.images);
  plan.write(net_.labels, batch.labels);
  plan.write(net_.valid_count, &valid);
  plan.random() = {.seed = static_cast<std::uint64_t>(parameters_.integer("seed")),
                   .step = static_cast<std::uint64_t>(state_->step),
                   .first_sample = static_cast<std::uint64_t>(batch.first_position)};
}

ExitCode Trainer::run() {
  const RunFolder& folder = folder_;
  folder.make();
  const FolderLock lock(folder.checkpoints());
  log_.copy_to(folder.log_file());
  folder.restore(*state_);
  saved_step_ = state_->step;
  folder.save_settings(state_->step);
  if (state_->step >= length_.step) {
    log_.info(fmt::format("nothing to do: the run is at step {} of {}", state_->step, length_.step));
    return ExitCode::done;
  }
  step_->load();
  return train(folder);
}

ExitCode Trainer::train(const RunFolder& folder) {
  const auto pipeline = open_pipeline();
  const bool saves = has_hook(parameters_, "CheckpointSaverHook");
  try {
    take_steps(folder, *pipeline);
  } catch (const InputError&) {
    if (saves) save_before_error(folder);
    throw;
  } catch (const EnvironmentError&) {
    if (saves) save_before_error(folder);
    throw;
  }
  log_.info(describe(pipeline->statistics()));
  if (saves) save(folder);
  if (state_->step == length_.step) return ExitCode::done;
  log_.warning(fmt::format("stopped by {} at step {} of {}{}", stop_.name(), state_->step, length_.step,
                           saves ? "; saved: the same command continues" : ""));
  return ExitCode::stopped_by_signal;
}

void Trainer::take_steps(const RunFolder& folder, Pipeline& pipeline) {
  StepLog step_log(log_, parameters_.integer("log_loss_every_n_iters"), state_->step + 1, length_.step);
  ProgressLine progress(
      log_,
      {.total = length_.step, .start = state_->step, .samples_per_step = samples_per_step(parameters_)});
  SaveSchedule save_schedule(save_options(parameters_), seconds_now());
  const bool saves = has_hook(parameters_, "CheckpointSaverHook");
  while (state_->step < length_.step && !stop_.requested()) {
    step_once(folder, pipeline, step_log);
    progress.update(state_->step);
    const bool is_due =
        saves && state_->step < length_.step && save_schedule.is_due(state_->step, seconds_now());
    if (stop_.take_save_request() || is_due) save(folder);
  }
}

void Trainer::step_once(const RunFolder& folder, Pipeline& pipeline, StepLog& step_log) {
  const BatchFigures figures = is_profiled() ? compute_with_timeline(folder, pipeline) : compute(pipeline);
  const double learning_rate = schedule_.at(state_->step);
  const optim::StepResult result = step_->update(learning_rate, schedule_.momentum_at(state_->step));
  if (!result.finite) refuse_divergence(folder, learning_rate, result);
  step_log.count(figures.samples);
  if (!step_log.is_due(state_->step) || !has_hook(parameters_, "LoggingTensorHook")) return;
  if (const auto warning = divergence_watch_.add(figures.cross_entropy); !warning.empty())
    log_.warning(warning);
  step_log.write({.step = state_->step,
                  .cross_entropy = figures.cross_entropy,
                  .l2_loss = result.l2_loss,
                  .accuracy = figures.correct / static_cast<double>(figures.samples),
                  .learning_rate = learning_rate,
                  .gradient_norm = result.gradient_norm},
                 pipeline.statistics().wait_seconds);
}

Trainer::BatchFigures Trainer::compute(Pipeline& pipeline, Profile* profile) {
  const std::int64_t micro_batches = parameters_.integer("accumulate_steps");
  BatchFigures figures;
  for (std::int64_t i = 1; i <= micro_batches; ++i) {
    const Batch& batch = *pipeline.next();
    write_batch(batch);
    step_->compute(i == micro_batches ? profile : nullptr);
    figures.samples += batch.valid;
    figures.cross_entropy +=
        step_->plan().read_scalar(net_.cross_entropy) / static_cast<double>(micro_batches);
    figures.correct += step_->plan().read_scalar(net_.correct);
  }
  return figures;
}

bool Trainer::is_profiled() const {
  const std::int64_t every = parameters_.integer("profile_every_n_iters");
  return every > 0 && (state_->step + 1) % every == 0 && has_hook(parameters_, "ProfilerHook") &&
         parameters_.integer("profile_at_task") == parameters_.integer("task_index");
}

Trainer::BatchFigures Trainer::compute_with_timeline(const RunFolder& folder, Pipeline& pipeline) {
  Profile profile(step_->plan().launches());
  const BatchFigures figures = compute(pipeline, &profile);
  profile.write_chrome_trace(folder.timeline(state_->step + 1), state_->step + 1);
  return figures;
}

void Trainer::refuse_divergence(const RunFolder& folder, double learning_rate,
                                const optim::StepResult& result) {
  const auto newest = latest_checkpoint(folder.checkpoints(), log_);
  throw DivergenceError(
      "[train] the model diverged in step {}: cross_entropy {}, gradient norm {}, learning rate {}; the step "
      "was not taken and nothing of it is saved; {}; try a lower learning_rate, max_gradient_norm or "
      "warmup_steps",
      state_->step + 1, step_->plan().read_scalar(net_.cross_entropy), result.gradient_norm, learning_rate,
      newest ? fmt::format("the newest checkpoint, {}, is from before", newest->string())
             : fmt::format("there is no checkpoint in {}", folder.checkpoints().string()));
}

void Trainer::save(const RunFolder& folder) {
  ExtraTensors extras = extras_of(*state_, optimizer_, parameters_);
  extras.merge(tensors_of(data_record_of(input_)));
  folder.save(*state_, extras);
  saved_step_ = state_->step;
}

void Trainer::save_before_error(const RunFolder& folder) {
  if (state_->step == saved_step_) return;
  try {
    save(folder);
    log_.info(fmt::format("saved at step {}: the run can go on from there", state_->step));
  } catch (const Error& error) {
    log_.warning(fmt::format("step {} could not be saved: {}", state_->step, error.what()));
  }
}

ExitCode Trainer::benchmark() {
  step_->load();
  const auto pipeline = open_pipeline();
  const auto step = [&] {
    const double loss = compute(*pipeline).cross_entropy;
    step_->update(schedule_.at(state_->step), schedule_.momentum_at(state_->step));
    return loss;
  };
  return measure(benchmark_options(parameters_, length_.step), step, stop_, log_);
}

ExitCode Trainer::dry_run() {
  if (folder_.holds_run()) folder_.restore(*state_);
  step_->load();
  const auto pipeline = open_pipeline();
  double seconds = 0;
  for (int i = 0; i < kDrySteps; ++i) {
    const double start = seconds_now();
    compute(*pipeline);
    step_->update(0.0);
    if (i > 0) seconds += seconds_now() - start;
  }
  const double per_step = seconds / (kDrySteps - 1);
  log_.info(fmt::format(
      "dry run: settings, data and memory are good; {:.4f} s a step, about {} for {} steps; nothing was "
      "written",
      per_step, duration_text(std::chrono::duration<double>(per_step * static_cast<double>(length_.step))),
      length_.step));
  return ExitCode::done;
}

}  // namespace fastnn::tools

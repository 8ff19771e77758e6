#include "tools/train/evaluator.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "data/pipeline/pipeline.h"
#include "engine/checkpoint/checkpoint_state.h"
#include "engine/checkpoint/state_checkpoint.h"
#include "engine/graph/ops/correct_count.h"
#include "engine/passes/pass_table.h"
#include "engine/passes/precision.h"
#include "nets/network.h"
#include "tools/common/machine_memory.h"
#include "tools/common/memory_check.h"
#include "tools/common/progress.h"
#include "tools/common/stop_signal.h"
#include "tools/train/input.h"
#include "tools/train/run_settings.h"
#include "tools/train/settings.h"

namespace fastnn::tools {
namespace {

constexpr std::int64_t kTop = 5;

std::filesystem::path checkpoint_prefix(const Parameters& parameters, Log& log) {
  const std::filesystem::path folder = parameters.has_value("model_dir")
                                           ? std::filesystem::path(parameters.text("model_dir"))
                                           : checkpoint_folder(parameters);
  if (parameters.has_value("ckpt_file_name")) return folder / parameters.text("ckpt_file_name");
  if (const auto newest = latest_checkpoint(folder, log)) return *newest;
  throw InputError("[eval] no checkpoint in {}; name the run's output_dir, or model_dir and ckpt_file_name",
                   folder.string());
}

/// The graph with its passes run.
Graph fused(Graph graph, std::vector<Value> keep, const Parameters& parameters) {
  run_passes(graph, {.keep = std::move(keep), .disabled = parameters.list("disable_pass")});
  return graph;
}

const Graph& computing_in(Graph& graph, Dtype type) {
  compute_in(graph, type);
  return graph;
}

/// An activation behind a layer may turn a NaN into 0, so that an accuracy would come out of broken weights.
void refuse_not_finite(const TrainState& state, const std::filesystem::path& prefix) {
  for (const ParameterEntry& entry : state.parameters()) {
    const Tensor weights = state.read_weights(entry).as(Dtype::f64);
    if (!std::ranges::all_of(weights.values<double>(), [](double value) { return std::isfinite(value); }))
      throw InputError("[eval] {}: {} holds a value that is not finite; evaluate an earlier checkpoint",
                       prefix.string(), entry.name);
  }
}

/// A net of evaluation, made ready on a device with the weights of a checkpoint.
class Evaluator {
 public:
  Evaluator(const Parameters& parameters, const NetEntry& entry, const Input& input,
            const BundleReader& checkpoint, Log& log)
      : device_(make_device(parameters.text("device"), compute_threads(parameters))),
        net_(build_network(entry.name, {.batch_size = parameters.integer("batch_size"),
                                        .num_classes = input.num_classes,
                                        .image_size = image_size(parameters, entry),
                                        .mode = Mode::evaluation})),
        k_(std::min(kTop, input.num_classes)),
        top_k_(net_.graph.add_single("correct_top_k", std::make_shared<CorrectCount>(static_cast<int>(k_)),
                                     {net_.logits, net_.labels, net_.valid_count})),
        state_(computing_in(net_.graph, compute_type(parameters, *device_, log)), net_.graph.parameters(),
               *device_),
        plan_(fused(net_.graph, kept(), parameters), state_, {.keep = kept()}) {
    log.info(device_->description());
    log.info(fmt::format("net {}: {} classes, images of {} x {} pixels, preprocessing {}", entry.name,
                         input.num_classes, image_size(parameters, entry), image_size(parameters, entry),
                         preprocessing_name(parameters, entry)));
    const MemoryNeed need{.plan = plan_.memory(), .state = state_.bytes()};
    require_memory(need, available_memory(), parameters.integer("batch_size"));
    restore_state(state_, checkpoint, RestorePart::weights);
    refuse_not_finite(state_, checkpoint.prefix());
    log.info(fmt::format("weights: {} (step {})", checkpoint.prefix().string(), state_.step));
    plan_.load();
    plan_.prepare();
  }

  void add(const Batch& batch, Evaluation& evaluation) {
    const std::int32_t valid = batch.valid;
    plan_.write(net_.images, batch.images);
    plan_.write(net_.labels, batch.labels);
    plan_.write(net_.valid_count, &valid);
    plan_.run();
    const auto rows = static_cast<double>(net_.graph.shape(net_.labels)[0]);
    evaluation.samples += valid;
    evaluation.k = k_;
    evaluation.correct += static_cast<std::int64_t>(plan_.read_scalar(net_.correct));
    evaluation.correct_top_k += static_cast<std::int64_t>(plan_.read_scalar(top_k_));
    evaluation.cross_entropy_sum += plan_.read_scalar(net_.cross_entropy) * rows;
  }

 private:
  std::vector<Value> kept() const { return {net_.cross_entropy, net_.correct, top_k_}; }

  std::unique_ptr<Device> device_;
  Network net_;
  std::int64_t k_;
  Value top_k_;
  TrainState state_;
  Plan plan_;
};

}  // namespace

std::string evaluation_line(const Evaluation& e, std::int64_t num_classes) {
  const auto share = [&](double sum) { return e.samples > 0 ? sum / static_cast<double>(e.samples) : 0.0; };
  const std::string top_k =
      e.k < num_classes ? fmt::format(", top-{} = {:.4f}", e.k, share(static_cast<double>(e.correct_top_k)))
                        : std::string();
  return fmt::format(
      "evaluated {} samples: accuracy = {:.4f} ({}){}, cross_entropy = {:.6g}, {:.1f} samples/s", e.samples,
      share(static_cast<double>(e.correct)), e.correct, top_k, share(e.cross_entropy_sum),
      e.seconds > 0 ? static_cast<double>(e.samples) / e.seconds : 0.0);
}

namespace {

ExitCode stopped(const StopSignal& stop, const Evaluation& evaluation, const Input& input, Log& log) {
  log.warning(fmt::format("stopped by {} after {} of {} samples: no result", stop.name(), evaluation.samples,
                          input.records->size()));
  return ExitCode::stopped_by_signal;
}

}  // namespace

ExitCode evaluate(const Parameters& parameters, ConsoleLog& log) {
  const StopSignal stop;
  const NetEntry& entry = find_net(parameters.text("model_name"));
  const BundleReader checkpoint(checkpoint_prefix(parameters, log));
  const Input input = open_input(parameters, entry, read_data_record(checkpoint), log);
  Evaluator evaluator(parameters, entry, input, checkpoint, log);
  Pipeline pipeline(input.records, input.reader,
                    pipeline_options(parameters, PipelineOptions::Mode::evaluation), log);
  const std::int64_t batch = parameters.integer("batch_size");
  const std::int64_t all = (input.records->size() + batch - 1) / batch;
  const std::int64_t most = integer_if_set(parameters, "max_num_batches").value_or(all);
  ProgressLine progress(log, {.total = std::min(all, most), .samples_per_step = batch});
  Evaluation evaluation;
  const double start = seconds_now();
  std::int64_t batches = 0;
  while (batches < most) {
    const Batch* next = pipeline.next();
    if (next == nullptr) break;
    if (stop.requested()) return stopped(stop, evaluation, input, log);
    evaluator.add(*next, evaluation);
    progress.update(++batches);
  }
  evaluation.seconds = seconds_now() - start;
  if (evaluation.samples == 0)
    throw InputError("[eval] none of the {} records is good; correct the data set", input.records->size());
  if (const std::int64_t left_out = input.records->size() - evaluation.samples; left_out > 0)
    log.warning(fmt::format("{} bad records are left out: {} of {} samples are evaluated", left_out,
                            evaluation.samples, input.records->size()));
  log.info(evaluation_line(evaluation, input.num_classes));
  return ExitCode::done;
}

}  // namespace fastnn::tools

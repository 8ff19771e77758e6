#include "tools/train/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/pipeline/pipeline.h"
#include "engine/passes/pass_table.h"
#include "engine/passes/precision.h"
#include "engine/plan/plan.h"
#include "nets/network.h"
#include "optim/stop.h"
#include "tools/common/machine_memory.h"
#include "tools/common/memory_check.h"
#include "tools/train/input.h"
#include "tools/train/settings.h"
#include "tools/train/trainer.h"

namespace fastnn::tools {
namespace {

/// Makes the median of a normal distribution's distances from its median its standard deviation.
constexpr double kOfNormal = 1.4826;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_error(const std::vector<double>& values) {
  const double center = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  return std::sqrt(squares) / static_cast<double>(values.size());
}

double jitter(const std::vector<double>& values) {
  const double center = median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - center));
  return kOfNormal * median(std::move(distances));
}

NetOptions net_options(const Parameters& parameters, const NetEntry& entry, const Input& input) {
  return {.batch_size = parameters.integer("batch_size"),
          .num_classes = input.num_classes,
          .image_size = image_size(parameters, entry),
          .mode = Mode::evaluation};
}

/// An evaluation net with fresh weights, made ready.
class ForwardPass {
 public:
  ForwardPass(const Parameters& parameters, const NetEntry& entry, const Input& input, Log& log)
      : device_(make_device(parameters.text("device"), compute_threads(parameters))),
        net_(build_network(entry.name, net_options(parameters, entry, input))),
        state_(in_type(net_.graph, compute_type(parameters, *device_, log)), net_.graph.parameters(),
               *device_),
        plan_(fused(net_.graph, parameters), state_, {.keep = {net_.cross_entropy}}) {
    log.info(device_->description());
    require_memory({.plan = plan_.memory(), .state = state_.bytes()}, available_memory(),
                   parameters.integer("batch_size"));
    state_.initialize(static_cast<std::uint64_t>(parameters.integer("seed")));
    plan_.load();
    plan_.prepare();
  }

  /// Returns the cross-entropy.
  double run(const Batch& batch) {
    const std::int32_t valid = batch.valid;
    plan_.write(net_.images, batch.images);
    plan_.write(net_.labels, batch.labels);
    plan_.write(net_.valid_count, &valid);
    plan_.run();
    return plan_.read_scalar(net_.cross_entropy);
  }

 private:
  static const Graph& in_type(Graph& graph, Dtype type) {
    compute_in(graph, type);
    return graph;
  }

  Graph fused(Graph graph, const Parameters& parameters) const {
    run_passes(graph, {.keep = {net_.cross_entropy}, .disabled = parameters.list("disable_pass")});
    return graph;
  }

  std::unique_ptr<Device> device_;
  Network net_;
  TrainState state_;
  Plan plan_;
};

ExitCode benchmark_forward(const Parameters& parameters, ConsoleLog& log) {
  const StopSignal stop;
  const NetEntry& entry = find_net(parameters.text("model_name"));
  const Input input = open_input(parameters, entry, std::nullopt, log);
  ForwardPass pass(parameters, entry, input, log);
  Pipeline pipeline(input.records, input.reader,
                    pipeline_options(parameters, PipelineOptions::Mode::training), log);
  BenchmarkOptions options =
      benchmark_options(parameters, optim::stop_of(stop_options(parameters, input.records->size())).step);
  options.what = "forward";
  options.samples_per_step = parameters.integer("batch_size");
  return measure(
      options, [&] { return pass.run(*pipeline.next()); }, stop, log);
}

}  // namespace

double StepTimes::rate() const {
  return samples_ / mean(seconds_);
}

std::string StepTimes::line(double loss) const {
  std::vector<double> rates;
  for (const double seconds : seconds_) rates.push_back(samples_ / seconds);
  return fmt::format("{}\timages/sec: {:.1f} +/- {:.1f} (jitter = {:.1f})\t{:.3f}", seconds_.size(), rate(),
                     standard_error(rates), jitter(rates), loss);
}

std::string StepTimes::total() const {
  return fmt::format("total images/sec: {:.2f}", seconds_.empty() ? 0 : rate());
}

BenchmarkOptions benchmark_options(const Parameters& parameters, std::int64_t steps) {
  return {.warmup = parameters.integer("num_warmup_batches"),
          .steps = steps,
          .display_every = parameters.integer("log_loss_every_n_iters"),
          .samples_per_step = samples_per_step(parameters),
          .what = "training"};
}

ExitCode measure(const BenchmarkOptions& options, const std::function<double()>& step, const StopSignal& stop,
                 Log& log) {
  log.info(
      fmt::format("benchmark: {} {} steps to warm up, then {} measured; no checkpoint is read or written",
                  options.warmup, options.what, options.steps));
  for (std::int64_t i = 0; i < options.warmup && !stop.requested(); ++i) step();
  log.info("Step\tImg/sec\ttotal_loss");
  StepTimes times(options.samples_per_step);
  for (std::int64_t i = 1; i <= options.steps && !stop.requested(); ++i) {
    const double start = seconds_now();
    const double loss = step();
    times.add(seconds_now() - start);
    if (i == 1 || i == options.steps || i % options.display_every == 0) log.info(times.line(loss));
  }
  log.info(times.total());
  return stop.requested() ? ExitCode::stopped_by_signal : ExitCode::done;
}

ExitCode benchmark(const Parameters& parameters, ConsoleLog& log) {
  return parameters.flag("forward_only") ? benchmark_forward(parameters, log)
                                         : Trainer(parameters, log).benchmark();
}

}  // namespace fastnn::tools

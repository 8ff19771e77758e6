#pragma once

#include <memory>

#include "data/pipeline/pipeline.h"
#include "engine/base/error.h"
#include "nets/net_table.h"
#include "nets/network.h"
#include "optim/schedule.h"
#include "optim/stop.h"
#include "optim/training_step.h"
#include "tools/common/console_log.h"
#include "tools/common/memory_check.h"
#include "tools/common/stop_signal.h"
#include "tools/parameters/parameters.h"
#include "tools/train/divergence_watch.h"
#include "tools/train/input.h"
#include "tools/train/run_folder.h"

namespace fastnn::tools {

/// One run of fastnn-train: data, net, device, state and step are made in the constructor, which takes all
/// that can be refused early; run() trains.
class Trainer {
 public:
  Trainer(const Parameters& parameters, ConsoleLog& log);

  /// Trains to the end of the run, from where the run folder left off. Returns done, or stopped_by_signal
  /// after saving.
  ExitCode run();

  /// Runs a few steps on real batches, changes no file, and says how long the run would take.
  ExitCode dry_run();

  /// Times training steps on real batches (benchmark.h).
  ExitCode benchmark();

 private:
  void report() const;
  MemoryNeed memory_need() const;
  std::unique_ptr<Pipeline> open_pipeline();
  void write_batch(const Batch& batch);
  ExitCode train(const RunFolder& folder);
  void take_steps(const RunFolder& folder, Pipeline& pipeline);
  /// Of all micro-batches of a step.
  struct BatchFigures {
    std::int64_t samples = 0;
    double cross_entropy = 0;
    double correct = 0;
  };

  void step_once(const RunFolder& folder, Pipeline& pipeline, class StepLog& step_log);
  /// Forward and backward of all micro-batches of a step. @param profile of the last.
  BatchFigures compute(Pipeline& pipeline, Profile* profile = nullptr);
  /// The same, with a timeline of the last in the folder.
  BatchFigures compute_with_timeline(const RunFolder& folder, Pipeline& pipeline);
  bool is_profiled() const;
  [[noreturn]] void refuse_divergence(const RunFolder& folder, double learning_rate,
                                      const optim::StepResult& result);
  void save(const RunFolder& folder);
  /// What was trained since the last checkpoint outlives an error that is about to end the run.
  void save_before_error(const RunFolder& folder);

  const Parameters& parameters_;
  ConsoleLog& log_;
  StopSignal stop_;
  RunFolder folder_;
  const NetEntry& entry_;
  Input input_;
  std::unique_ptr<Device> device_;
  Network net_;
  optim::Optimizer optimizer_;
  optim::Stop length_;
  optim::Schedule schedule_;
  DivergenceWatch divergence_watch_;
  std::unique_ptr<TrainState> state_;
  std::unique_ptr<optim::TrainingStep> step_;
  /// The last step of which there is a checkpoint.
  std::int64_t saved_step_ = 0;
};

}  // namespace fastnn::tools

#pragma once

#include <cstdint>
#include <string>

#include "engine/base/error.h"
#include "tools/common/console_log.h"
#include "tools/parameters/parameters.h"

namespace fastnn::tools {

/// What an evaluation found out about all samples of a split, each counted once.
struct Evaluation {
  std::int64_t samples = 0;
  std::int64_t correct = 0;
  /// In the k largest logits; k = min(5, classes).
  std::int64_t correct_top_k = 0;
  std::int64_t k = 5;
  double cross_entropy_sum = 0;
  double seconds = 0;
};

/// "evaluated 10000 samples: accuracy = 0.9871 (9871), top-5 = 0.9998, cross_entropy = 0.0421, 5123.4
/// samples/s". Top-k is left out where k is all classes.
std::string evaluation_line(const Evaluation& evaluation, std::int64_t num_classes);

/// fastnn-eval: the checkpoint named by model_dir and ckpt_file_name, else the newest of the run in
/// output_dir, on the data set's evaluation split. Returns done, or stopped_by_signal.
ExitCode evaluate(const Parameters& parameters, ConsoleLog& log);

}  // namespace fastnn::tools

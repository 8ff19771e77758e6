#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/philox.h"

namespace fastnn::kernels {

/// Drop-path of N samples of E elements each.
struct DropPath {
  std::int64_t N = 0, E = 0;
  /// Probability that a sample is kept, in (0, 1], once step >= steps.
  double final_keep_prob = 1;
  /// Until then the probability of dropping grows linearly from 0; above 0.
  double steps = 1;
  RandomState random;
  /// Hash of the operation's name.
  std::uint64_t operation = 0;
};

/// Probability that a sample is kept in this step.
constexpr double drop_path_keep(const DropPath& path) {
  const double part = std::min(1.0, static_cast<double>(path.random.step) / path.steps);
  return 1 - part * (1 - path.final_keep_prob);
}

/// What sample n of the batch is multiplied by: 0 or 1 / keep probability. A pure function of seed, step,
/// operation and global sample position: the same on every device and for every split of the batch, and again
/// in the backward pass.
constexpr double drop_path_scale(const DropPath& path, std::int64_t n) {
  const double keep = drop_path_keep(path);
  const auto sample = path.random.first_sample + static_cast<std::uint64_t>(n);
  const auto words = random_words(path.random, path.operation, sample, 0);
  return static_cast<double>(uniform01(words[0])) < keep ? 1 / keep : 0;
}

}  // namespace fastnn::kernels

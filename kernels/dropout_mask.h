#pragma once

#include <array>
#include <cstdint>

#include "kernels/philox.h"

namespace fastnn::kernels {

/// Dropout of N samples of E elements each.
struct Dropout {
  std::int64_t N = 0, E = 0;
  /// Probability that an element is kept, in (0, 1].
  float keep_prob = 1;
  RandomState random;
  /// Hash of the operation's name.
  std::uint64_t operation = 0;
};

/// Elements that share one call of the generator.
inline constexpr std::int64_t kDropoutBlock = 4;

/// The mask of elements 4 * block .. 4 * block + 3 of sample n of the batch: true where an element is kept.
/// A pure function of seed, step, operation, global sample position and element: the same on every device
/// and for every split of the batch, and again in the backward pass.
constexpr std::array<bool, 4> dropout_mask(const Dropout& dropout, std::int64_t n, std::int64_t block) {
  const auto sample = dropout.random.first_sample + static_cast<std::uint64_t>(n);
  const auto words =
      random_words(dropout.random, dropout.operation, sample, static_cast<std::uint32_t>(block));
  return {uniform01(words[0]) < dropout.keep_prob, uniform01(words[1]) < dropout.keep_prob,
          uniform01(words[2]) < dropout.keep_prob, uniform01(words[3]) < dropout.keep_prob};
}

}  // namespace fastnn::kernels

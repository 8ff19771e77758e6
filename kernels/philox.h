#pragma once

#include <array>
#include <cstdint>

namespace fastnn::kernels {

/// Where in the stream of samples a step stands: what every random number of the step depends on.
struct RandomState {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  /// Global position of the first sample of the batch.
  std::uint64_t first_sample = 0;
};

/// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): four 32-bit random
/// words, a pure function of a 128-bit counter and a 64-bit key. The same on every device.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::uint64_t key) {
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ k0, static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return counter;
}

/// Finaliser of splitmix64: spreads a 64-bit value over all bits.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

/// Four random words for elements 4 * block .. 4 * block + 3 of one sample in one operation of one step.
/// @param operation hash of the operation's name, which passes keep.
constexpr std::array<std::uint32_t, 4> random_words(const RandomState& state, std::uint64_t operation,
                                                    std::uint64_t sample, std::uint32_t block) {
  const std::uint64_t key = mix64(state.seed ^ mix64(operation));
  return philox(
      {block, static_cast<std::uint32_t>(state.step), static_cast<std::uint32_t>(sample),
       static_cast<std::uint32_t>(sample >> 32) ^ static_cast<std::uint32_t>(state.step >> 32) << 16},
      key);
}

/// A word as a number in [0, 1) with 24 bits, exact in float.
constexpr float uniform01(std::uint32_t word) {
  return static_cast<float>(word >> 8) * (1.0F / 16777216.0F);
}

}  // namespace fastnn::kernels

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/base/hash.h"
#include "kernels/philox.h"

namespace fastnn {

/// The random numbers of one sample of a named stream, by Philox: a pure function of (seed, stream, sample)
/// and of how many were drawn before. Integers and exact floating-point operations only, so that every
/// machine draws the same.
class SampleRandom {
 public:
  SampleRandom(std::uint64_t seed, std::string_view stream, std::int64_t sample)
      : state_{.seed = seed}, stream_(fnv1a64(stream)), sample_(static_cast<std::uint64_t>(sample)) {}

  std::uint32_t word() {
    if (next_ % 4 == 0) words_ = kernels::random_words(state_, stream_, sample_, next_ / 4);
    return words_[next_++ % 4];
  }

  /// In [low, high).
  double uniform(double low, double high) { return low + (high - low) * (word() * 0x1p-32); }

  /// In 0 .. count - 1.
  int below(int count) {
    return static_cast<int>(std::uint64_t{word()} * static_cast<unsigned>(count) >> 32);
  }

  /// About normal, mean 0 and variance 1: the centred sum of the four bytes of three words (Irwin-Hall of
  /// 12).
  double normal() {
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t w = word();
      sum += static_cast<int>((w & 255) + (w >> 8 & 255) + (w >> 16 & 255) + (w >> 24));
    }
    return (sum - 12 * 127.5) / 256.0;
  }

 private:
  kernels::RandomState state_;
  std::uint64_t stream_;
  std::uint64_t sample_;
  std::uint32_t next_ = 0;
  std::array<std::uint32_t, 4> words_{};
};

}  // namespace fastnn

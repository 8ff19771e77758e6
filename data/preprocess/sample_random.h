#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "data/pipeline/sample.h"
#include "engine/base/hash.h"
#include "kernels/philox.h"

namespace fastnn {

/// The random numbers of one sample for one purpose ("flip", "crop"): a pure function of the key and the
/// purpose's name, so that no purpose's numbers depend on how many another one drew.
class SampleRandom {
 public:
  SampleRandom(const SampleKey& key, std::string_view purpose)
      : seed_{.seed = key.seed},
        position_(static_cast<std::uint64_t>(key.position)),
        operation_(fnv1a64(purpose, fnv1a64("preprocess/"))) {}

  /// In [0, 1), 24 bits.
  float unit() { return kernels::uniform01(word()); }
  /// In [low, high).
  float uniform(float low, float high) { return low + unit() * (high - low); }
  /// 0 .. count - 1; count at least 1. Each as likely as the others within 2^-32 * count.
  int below(int count) {
    return static_cast<int>(std::uint64_t{word()} * static_cast<std::uint64_t>(count) >> 32);
  }
  /// True half of the time.
  bool coin() { return unit() < 0.5F; }

 private:
  std::uint32_t word() {
    const std::uint32_t place = drawn_++ % 4;
    if (place == 0) words_ = kernels::random_words(seed_, operation_, position_, drawn_ / 4);
    return words_[place];
  }

  kernels::RandomState seed_;
  std::uint64_t position_;
  std::uint64_t operation_;
  std::uint32_t drawn_ = 0;
  std::array<std::uint32_t, 4> words_{};
};

}  // namespace fastnn

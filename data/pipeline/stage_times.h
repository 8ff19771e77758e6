#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace fastnn {

/// What an input thread spends its time with.
enum class Stage {
  read,        ///< fetching a record and verifying its checksum
  decode,      ///< parsing the record and decoding its image
  preprocess,  ///< making the net's input of the image
  batch,       ///< waiting for room in a batch
};
inline constexpr int kStages = 4;

/// Time spent in each stage, summed over all threads. Thread-safe.
class StageTimes {
 public:
  using Clock = std::chrono::steady_clock;

  void add(Stage stage, Clock::duration time) {
    nanoseconds_[static_cast<std::size_t>(stage)].fetch_add(
        std::chrono::duration_cast<std::chrono::nanoseconds>(time).count(), std::memory_order_relaxed);
  }
  double seconds(Stage stage) const {
    return static_cast<double>(
               nanoseconds_[static_cast<std::size_t>(stage)].load(std::memory_order_relaxed)) /
           1e9;
  }

 private:
  std::array<std::atomic<std::int64_t>, kStages> nanoseconds_{};
};

/// Divides the time of one thread among stages: what passed since the start, or the last call, goes to the
/// stage named.
class StageClock {
 public:
  explicit StageClock(StageTimes& times) : times_(times), last_(StageTimes::Clock::now()) {}

  void finish(Stage stage) {
    const auto now = StageTimes::Clock::now();
    times_.add(stage, now - last_);
    last_ = now;
  }

 private:
  StageTimes& times_;
  StageTimes::Clock::time_point last_;
};

}  // namespace fastnn

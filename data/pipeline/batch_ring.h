#pragma once

#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace fastnn {

struct BatchRingOptions {
  /// Batches in memory: one that the consumer holds, the others filled ahead.
  int slots = 2;
  /// Rows of a batch.
  int rows = 1;
  /// Floats of one row's image.
  std::size_t image_elements = 0;
  /// Batches after which the stream ends.
  std::int64_t batches = 0;
};

/// A fixed ring of preallocated batches between the threads that fill rows and the one that takes batches.
/// Rows are handed out in order, only into batches the consumer has given back: fillers wait for room, the
/// consumer for full batches, and memory never grows. Batches are numbered from 0 and come out in order.
class BatchRing {
 public:
  /// One row to fill.
  struct Row {
    std::int64_t batch;
    int row;
  };

  /// Allocates and touches all memory. Throws EnvironmentError if there is not enough.
  explicit BatchRing(const BatchRingOptions& options);

  /// Bytes of 'slots' batches.
  static std::int64_t bytes_of(const BatchRingOptions& options);

  /// The next row to fill; waits for room. Nothing after stop(), after a failure and at the end of the
  /// stream.
  std::optional<Row> claim();
  /// The row is filled, or could not be: 'error' then reaches next(). A row's memory belongs to the claiming
  /// thread until then.
  void finish(const Row& row, std::exception_ptr error);

  /// Gives the batch returned before back, and waits for the next one; nothing at the end of the stream.
  /// If a row failed: returns all batches before the row's, then throws the error of the first failed row of
  /// the stream, again on each further call. Allocates nothing unless it throws.
  std::optional<std::int64_t> next();

  /// Lets waiting claim() calls return nothing.
  void stop();

  /// [rows, image_elements] of a batch that is in the ring.
  std::span<float> images(std::int64_t batch);
  /// [rows]
  std::span<std::int32_t> labels(std::int64_t batch);

  /// Seconds next() has waited for batches; for the consumer's thread.
  double wait_seconds() const { return wait_seconds_; }

 private:
  struct Free {
    void operator()(float* pointer) const { std::free(pointer); }
  };
  struct Failure {
    std::int64_t row;
    std::exception_ptr error;
  };

  std::size_t slot(std::int64_t batch) const;
  std::int64_t number_of(const Row& row) const { return row.batch * options_.rows + row.row; }
  bool nothing_left() const;
  bool has_room() const;
  bool is_ready() const;
  bool has_failed() const;
  void give_back();
  void wait_for_batch(std::unique_lock<std::mutex>& lock);

  const BatchRingOptions options_;
  const std::size_t image_stride_;
  std::unique_ptr<float[], Free> images_;
  std::vector<std::int32_t> labels_;

  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable ready_;
  /// Rows finished, of each slot.
  std::vector<int> finished_;
  /// Rows handed out since the start.
  std::int64_t claimed_ = 0;
  /// Rows handed out and not yet finished.
  int in_flight_ = 0;
  /// Batches given back, which is also the number of the batch that the consumer holds or takes next.
  std::int64_t given_back_ = 0;
  bool holds_batch_ = false;
  bool stopped_ = false;
  std::optional<Failure> failure_;
  double wait_seconds_ = 0;
};

}  // namespace fastnn

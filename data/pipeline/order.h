#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace fastnn {

enum class FileOrder { given, shuffled };

/// How the records of an epoch are ordered. The default is that of training; evaluation takes
/// {.shuffle_buffer_size = 0, .files = FileOrder::given}.
struct OrderOptions {
  std::uint64_t seed = 0;
  /// As in tf.data: a buffer of so many records is filled from the stream of files, one is drawn uniformly
  /// and replaced by the next of the stream. The buffer holds numbers of records, no payloads. 0 and 1 keep
  /// the stream's order; a value from the number of records on gives a uniform permutation.
  int shuffle_buffer_size = 1024;
  /// Whether the files are read in a new order in each epoch.
  FileOrder files = FileOrder::shuffled;
};

/// The order of one epoch: each record's number once, records numbered over the files in the order given.
/// A pure function of its arguments; takes time and memory for 4 bytes a record.
/// Throws UsageError if there are 2^32 or more records.
std::vector<std::uint32_t> epoch_order(std::span<const std::int64_t> records_per_file,
                                       const OrderOptions& options, std::int64_t epoch);

/// Which record stands at a position of the endless stream of samples; epoch = position / size().
/// Thread-safe. Holds the orders of at most two epochs, 4 bytes a record each, and computes each when it is
/// first asked for, so that any position is found in the time of one epoch's order.
class SampleOrder {
 public:
  SampleOrder(std::vector<std::int64_t> records_per_file, const OrderOptions& options);

  std::int64_t size() const { return size_; }
  std::int64_t record(std::int64_t position) const;

 private:
  struct Epoch {
    std::int64_t number = -1;
    std::vector<std::uint32_t> order;
  };

  std::vector<std::int64_t> records_per_file_;
  OrderOptions options_;
  std::int64_t size_;
  mutable std::mutex mutex_;
  mutable std::array<Epoch, 2> epochs_;
};

}  // namespace fastnn

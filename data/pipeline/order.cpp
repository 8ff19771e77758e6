#include "data/pipeline/order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/hash.h"
#include "kernels/philox.h"

namespace fastnn {
namespace {

/// Independent streams of random numbers of one epoch.
enum class Stream : std::uint64_t { files, records };

/// Uniform numbers, a pure function of (seed, epoch, stream).
class Draws {
 public:
  Draws(std::uint64_t seed, std::int64_t epoch, Stream stream)
      : state_{.seed = seed, .step = static_cast<std::uint64_t>(epoch)},
        stream_(static_cast<std::uint64_t>(stream)) {}

  /// Uniform in [0, limit) up to a bias of limit / 2^64; limit is below 2^32.
  std::uint64_t below(std::uint64_t limit) {
    if (next_ == 4) refill();
    const std::uint64_t high = words_[next_++];
    const std::uint64_t low = words_[next_++];
    return (high * limit + (low * limit >> 32)) >> 32;
  }

 private:
  void refill() {
    words_ = kernels::random_words(state_, fnv1a64("data/sample_order"), stream_, block_++);
    next_ = 0;
  }

  kernels::RandomState state_;
  std::uint64_t stream_;
  std::uint32_t block_ = 0;
  std::array<std::uint32_t, 4> words_{};
  std::size_t next_ = 4;
};

/// Swaps each value with one drawn from the window of 'buffer' values that starts at it: what a buffer of
/// that size which is refilled after each draw gives.
template <class T>
void shuffle_with_buffer(std::vector<T>& values, std::size_t buffer, Draws draws) {
  if (buffer < 2) return;
  for (std::size_t i = 0; i < values.size(); ++i)
    std::swap(values[i], values[i + draws.below(std::min(buffer, values.size() - i))]);
}

std::int64_t sum_of(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

std::vector<std::size_t> files_of_epoch(std::size_t count, const OrderOptions& options, std::int64_t epoch) {
  std::vector<std::size_t> files(count);
  std::iota(files.begin(), files.end(), std::size_t{0});
  if (options.files == FileOrder::shuffled)
    shuffle_with_buffer(files, count, Draws(options.seed, epoch, Stream::files));
  return files;
}

}  // namespace

std::vector<std::uint32_t> epoch_order(std::span<const std::int64_t> records_per_file,
                                       const OrderOptions& options, std::int64_t epoch) {
  const std::int64_t total = sum_of(records_per_file);
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw UsageError("[data] expected fewer than 2^32 records, got {}; split the data set", total);
  std::vector<std::int64_t> first_records(records_per_file.size());
  std::exclusive_scan(records_per_file.begin(), records_per_file.end(), first_records.begin(),
                      std::int64_t{0});
  std::vector<std::uint32_t> order;
  order.reserve(static_cast<std::size_t>(total));
  for (const std::size_t file : files_of_epoch(records_per_file.size(), options, epoch))
    for (std::int64_t record = 0; record < records_per_file[file]; ++record)
      order.push_back(static_cast<std::uint32_t>(first_records[file] + record));
  shuffle_with_buffer(order, static_cast<std::size_t>(std::max(0, options.shuffle_buffer_size)),
                      Draws(options.seed, epoch, Stream::records));
  return order;
}

SampleOrder::SampleOrder(std::vector<std::int64_t> records_per_file, const OrderOptions& options)
    : records_per_file_(std::move(records_per_file)), options_(options), size_(sum_of(records_per_file_)) {
  if (size_ == 0) throw UsageError("[data] expected one or more records to order, got none");
}

std::int64_t SampleOrder::record(std::int64_t position) const {
  const std::int64_t number = position / size_;
  const std::lock_guard lock(mutex_);
  Epoch& epoch = epochs_[static_cast<std::size_t>(number % 2)];
  if (epoch.number != number) epoch = {number, epoch_order(records_per_file_, options_, number)};
  return epoch.order[static_cast<std::size_t>(position % size_)];
}

}  // namespace fastnn

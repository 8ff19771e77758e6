#include "data/pipeline/batch_ring.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/base/error.h"

namespace fastnn {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kFloatsPerLine = kAlignment / sizeof(float);

/// Floats from one batch's images to the next: whole cache lines.
std::size_t stride_of(const BatchRingOptions& options) {
  const std::size_t elements = options.image_elements * static_cast<std::size_t>(options.rows);
  return (elements + kFloatsPerLine - 1) / kFloatsPerLine * kFloatsPerLine;
}

}  // namespace

std::int64_t BatchRing::bytes_of(const BatchRingOptions& options) {
  const std::size_t batch =
      stride_of(options) * sizeof(float) + static_cast<std::size_t>(options.rows) * sizeof(std::int32_t);
  return static_cast<std::int64_t>(batch) * options.slots;
}

BatchRing::BatchRing(const BatchRingOptions& options)
    : options_(options),
      image_stride_(stride_of(options)),
      labels_(static_cast<std::size_t>(options.slots) * static_cast<std::size_t>(options.rows)),
      finished_(static_cast<std::size_t>(options.slots)) {
  const std::size_t floats = image_stride_ * static_cast<std::size_t>(options.slots);
  images_.reset(static_cast<float*>(std::aligned_alloc(kAlignment, floats * sizeof(float))));
  if (images_ == nullptr)
    throw EnvironmentError(
        "[data] no memory for {} batches of input, {} bytes; lower the batch size or the batches prefetched",
        options.slots, bytes_of(options));
  std::fill_n(images_.get(), floats, 0.0F);
}

std::size_t BatchRing::slot(std::int64_t batch) const {
  return static_cast<std::size_t>(batch % options_.slots);
}

std::span<float> BatchRing::images(std::int64_t batch) {
  return {images_.get() + slot(batch) * image_stride_,
          options_.image_elements * static_cast<std::size_t>(options_.rows)};
}

std::span<std::int32_t> BatchRing::labels(std::int64_t batch) {
  const auto rows = static_cast<std::size_t>(options_.rows);
  return std::span(labels_).subspan(slot(batch) * rows, rows);
}

bool BatchRing::nothing_left() const {
  return stopped_ || failure_ || claimed_ / options_.rows >= options_.batches;
}

bool BatchRing::has_room() const {
  return claimed_ / options_.rows < given_back_ + options_.slots;
}

std::optional<BatchRing::Row> BatchRing::claim() {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [this] { return nothing_left() || has_room(); });
  if (nothing_left()) return std::nullopt;
  const Row row{.batch = claimed_ / options_.rows, .row = static_cast<int>(claimed_ % options_.rows)};
  ++claimed_;
  ++in_flight_;
  return row;
}

void BatchRing::finish(const Row& row, std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  --in_flight_;
  if (!error) {
    ++finished_[slot(row.batch)];
  } else if (!failure_ || number_of(row) < failure_->row) {
    failure_ = {number_of(row), std::move(error)};
    room_.notify_all();
  }
  if (is_ready() || has_failed()) ready_.notify_one();
}

bool BatchRing::is_ready() const {
  return finished_[slot(given_back_)] == options_.rows;
}

/// Rows are claimed in order and not after a failure, so once none is in flight the first failure is known.
bool BatchRing::has_failed() const {
  return failure_ && in_flight_ == 0;
}

void BatchRing::give_back() {
  if (!holds_batch_) return;
  holds_batch_ = false;
  finished_[slot(given_back_)] = 0;
  ++given_back_;
  room_.notify_all();
}

void BatchRing::wait_for_batch(std::unique_lock<std::mutex>& lock) {
  if (is_ready()) return;
  const auto start = std::chrono::steady_clock::now();
  ready_.wait(lock, [this] { return is_ready() || has_failed(); });
  wait_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::optional<std::int64_t> BatchRing::next() {
  std::unique_lock lock(mutex_);
  give_back();
  if (given_back_ == options_.batches) return std::nullopt;
  wait_for_batch(lock);
  if (!is_ready()) std::rethrow_exception(failure_->error);
  holds_batch_ = true;
  return given_back_;
}

void BatchRing::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  room_.notify_all();
}

}  // namespace fastnn

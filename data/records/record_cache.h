#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fastnn {

/// Keeps verified payloads in memory, first come first kept, up to a limit of bytes; never drops one.
/// Thread-safe and lock-free.
class RecordCache {
 public:
  RecordCache(std::int64_t records, std::int64_t limit_bytes);
  ~RecordCache();
  RecordCache(const RecordCache&) = delete;
  RecordCache& operator=(const RecordCache&) = delete;

  /// The kept payload of a record, or nullptr; valid as long as this object.
  const std::byte* find(std::int64_t record) const;
  /// Copies a payload if it still fits.
  void keep(std::int64_t record, std::span<const std::byte> payload);

  std::int64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  std::vector<std::atomic<const std::byte*>> payloads_;
  std::int64_t limit_bytes_;
  std::atomic<std::int64_t> bytes_ = 0;
};

}  // namespace fastnn

#include "data/records/record_cache.h"

#include <algorithm>
#include <memory>

namespace fastnn {

RecordCache::RecordCache(std::int64_t records, std::int64_t limit_bytes)
    : payloads_(static_cast<std::size_t>(records)), limit_bytes_(limit_bytes) {}

RecordCache::~RecordCache() {
  for (const auto& payload : payloads_) delete[] payload.load(std::memory_order_relaxed);
}

const std::byte* RecordCache::find(std::int64_t record) const {
  return payloads_[static_cast<std::size_t>(record)].load(std::memory_order_acquire);
}

void RecordCache::keep(std::int64_t record, std::span<const std::byte> payload) {
  const auto size = static_cast<std::int64_t>(payload.size());
  if (bytes_.fetch_add(size, std::memory_order_relaxed) + size > limit_bytes_) {
    bytes_.fetch_sub(size, std::memory_order_relaxed);
    return;
  }
  auto copy = std::make_unique<std::byte[]>(payload.size());
  std::copy(payload.begin(), payload.end(), copy.get());
  const std::byte* none = nullptr;
  auto& kept = payloads_[static_cast<std::size_t>(record)];
  if (kept.compare_exchange_strong(none, copy.get(), std::memory_order_acq_rel))
    copy.release();
  else  // another thread read the same record at the same time
    bytes_.fetch_sub(size, std::memory_order_relaxed);
}

}  // namespace fastnn

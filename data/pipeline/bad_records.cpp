#include "data/pipeline/bad_records.h"

#include <bit>

namespace fastnn {
namespace {

std::string_view text_of(BadRecordFate fate) {
  return fate == BadRecordFate::replaced ? "replaced by the next good one" : "left out";
}

}  // namespace

void BadRecords::add(std::int64_t record, const InputError& error) {
  const std::lock_guard lock(mutex_);
  if (!records_.insert(record).second) return;
  const auto count = static_cast<std::int64_t>(records_.size());
  if (count > limit_)
    throw InputError("[data] {} bad records are more than bad_record_limit allows ({}); the last: {}", count,
                     limit_, error.what());
  if (policy_ == BadRecordPolicy::report)
    log_.warning(fmt::format("bad record {}, {}: {}", count, text_of(fate_), error.what()));
  else if (std::has_single_bit(records_.size()))
    log_.warning(fmt::format("{} bad records so far, {}; the last: {}", count, text_of(fate_), error.what()));
}

std::int64_t BadRecords::count() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::int64_t>(records_.size());
}

}  // namespace fastnn

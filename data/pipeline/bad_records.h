#pragma once

#include <cstdint>
#include <mutex>
#include <set>

#include "engine/base/error.h"
#include "engine/base/log.h"

namespace fastnn {

/// What a record does that is damaged, cannot be decoded or has no label of a class.
enum class BadRecordPolicy {
  fail,    ///< ends the run
  skip,    ///< the next good record of the order stands in for it, or it is left out; the log counts
  report,  ///< likewise, and the log names each
};

/// What becomes of a bad record that does not end the run.
enum class BadRecordFate {
  replaced,  ///< by the next good one, in training
  left_out,  ///< in evaluation
};

/// The bad records of a run. Thread-safe.
class BadRecords {
 public:
  /// @param limit bad records above which the run ends after all.
  BadRecords(BadRecordPolicy policy, std::int64_t limit, BadRecordFate fate, Log& log)
      : policy_(policy), limit_(limit), fate_(fate), log_(log) {}

  BadRecordPolicy policy() const { return policy_; }

  /// Counts a record, once however often it is met. Throws InputError, with what was wrong with this one, if
  /// there are more than the limit.
  void add(std::int64_t record, const InputError& error);

  std::int64_t count() const;

 private:
  const BadRecordPolicy policy_;
  const std::int64_t limit_;
  const BadRecordFate fate_;
  Log& log_;
  mutable std::mutex mutex_;
  std::set<std::int64_t> records_;
};

}  // namespace fastnn

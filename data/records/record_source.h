#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/records/record_file.h"

namespace fastnn {

/// Numbered records, whatever they are made of. Thread-safe.
class RecordSource {
 public:
  virtual ~RecordSource() = default;

  virtual std::int64_t size() const = 0;
  /// Records of each file, in order: what the shuffle of files moves as one.
  virtual std::vector<std::int64_t> records_per_file() const = 0;

  /// A record of the source, verified. Its payload is valid as long as this object, and until 'room', which
  /// it may be read into, is used again; a room that is kept is not allocated again.
  /// Throws InputError if the record is damaged, UsageError outside [0, size()).
  virtual Record read(std::int64_t record, std::vector<std::byte>& room) const = 0;
};

}  // namespace fastnn

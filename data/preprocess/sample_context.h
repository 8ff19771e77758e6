#pragma once

#include <span>

#include "data/pipeline/sample.h"

namespace fastnn {

/// A box around an object, in units of the image's extents: 0 .. 1.
struct ObjectBox {
  float ymin = 0, xmin = 0, ymax = 0, xmax = 0;

  bool operator==(const ObjectBox&) const = default;
};

/// What the preprocessing of one sample may depend on besides the pixels.
struct SampleContext {
  SampleKey key{};
  /// Where the record's objects are; may be none.
  std::span<const ObjectBox> boxes{};
};

}  // namespace fastnn

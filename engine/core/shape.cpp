#include "engine/core/shape.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/error.h"

namespace fastnn {

Shape::Shape(std::initializer_list<std::int64_t> extents)
    : Shape(std::span<const std::int64_t>(extents.begin(), extents.size())) {}

Shape::Shape(std::span<const std::int64_t> extents) {
  if (extents.size() > kMaxRank)
    throw UsageError("[shape] at most {} dimensions, got {}", kMaxRank, extents.size());
  if (std::ranges::any_of(extents, [](std::int64_t extent) { return extent < 0; }))
    throw UsageError("[shape] extents must not be negative, got [{}]", fmt::join(extents, ","));
  std::ranges::copy(extents, extents_.begin());
  rank_ = static_cast<int>(extents.size());
}

std::int64_t Shape::operator[](int dimension) const {
  const int index = dimension < 0 ? dimension + rank_ : dimension;
  if (index < 0 || index >= rank_) throw UsageError("[shape] no dimension {} in {}", dimension, text());
  return extents_[index];
}

std::int64_t Shape::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents()) product *= extent;
  return product;
}

bool Shape::operator==(const Shape& other) const {
  return std::ranges::equal(extents(), other.extents());
}

std::string Shape::text() const {
  return fmt::format("[{}]", fmt::join(extents(), ","));
}

}  // namespace fastnn

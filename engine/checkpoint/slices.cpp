#include "engine/checkpoint/slices.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/error.h"

namespace fastnn {
namespace {

bool is_inside(const Slice& slice, const std::vector<std::int64_t>& whole) {
  if (slice.size() != whole.size()) return false;
  for (std::size_t d = 0; d < slice.size(); ++d)
    if (slice[d].length != SliceExtent::kWhole &&
        (slice[d].start > whole[d] || slice[d].length > whole[d] - slice[d].start))
      return false;
  return true;
}

bool overlap(const Slice& a, const Slice& b, const std::vector<std::int64_t>& whole) {
  const auto a_extents = extents_of(a, whole);
  const auto b_extents = extents_of(b, whole);
  for (std::size_t d = 0; d < whole.size(); ++d)
    if (a[d].start + a_extents[d] <= b[d].start || b[d].start + b_extents[d] <= a[d].start) return false;
  return true;
}

std::string text_of(const SliceExtent& extent) {
  return extent.length == SliceExtent::kWhole
             ? ":"
             : fmt::format("{}:{}", extent.start, extent.start + extent.length);
}

}  // namespace

std::vector<std::int64_t> extents_of(const Slice& slice, const std::vector<std::int64_t>& whole) {
  std::vector<std::int64_t> extents = whole;
  for (std::size_t d = 0; d < std::min(slice.size(), whole.size()); ++d)
    if (slice[d].length != SliceExtent::kWhole) extents[d] = slice[d].length;
  return extents;
}

void check_slices(const BundleEntry& entry, const std::string& where) {
  std::int64_t covered = 0;
  for (auto slice = entry.slices.begin(); slice != entry.slices.end(); ++slice) {
    if (!is_inside(*slice, entry.extents))
      throw InputError("[checkpoint] {} has the shape {}, its part {} is not inside; take another copy",
                       where, entry.shape_text(), text_of(*slice));
    const bool twice = std::any_of(entry.slices.begin(), slice, [&](const Slice& earlier) {
      return overlap(earlier, *slice, entry.extents);
    });
    if (twice)
      throw InputError("[checkpoint] {}: its part {} overlaps another; take another copy", where,
                       text_of(*slice));
    covered += *elements_of(extents_of(*slice, entry.extents));
  }
  if (covered != *elements_of(entry.extents))
    throw InputError("[checkpoint] {} has {} elements, its {} parts have {}; take another copy", where,
                     *elements_of(entry.extents), entry.slices.size(), covered);
}

void copy_into_slice(const Tensor& part, const Slice& slice, Tensor& whole) {
  if (part.elements() == 0) return;
  const int rank = whole.shape().rank();
  const std::size_t element = size_of(whole.dtype());
  const std::size_t run = rank == 0 ? element : static_cast<std::size_t>(part.shape()[-1]) * element;
  const auto* from = part.bytes().data();
  std::vector<std::int64_t> index(static_cast<std::size_t>(rank), 0);
  for (std::size_t done = 0; done < part.bytes().size(); done += run) {
    std::int64_t place = 0;
    for (int d = 0; d < rank; ++d) {
      const auto i = static_cast<std::size_t>(d);
      place = place * whole.shape()[d] + index[i] + slice[i].start;
    }
    std::copy_n(from + done, run, whole.bytes().data() + static_cast<std::size_t>(place) * element);
    for (int d = rank - 2; d >= 0 && ++index[static_cast<std::size_t>(d)] == part.shape()[d]; --d)
      index[static_cast<std::size_t>(d)] = 0;
  }
}

std::string text_of(const Slice& slice) {
  std::vector<std::string> parts;
  for (const SliceExtent& extent : slice) parts.push_back(text_of(extent));
  return fmt::format("[{}]", fmt::join(parts, ","));
}

}  // namespace fastnn

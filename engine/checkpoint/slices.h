#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/checkpoint/bundle_format.h"
#include "engine/core/tensor.h"

namespace fastnn {

/// Extents of a slice of a tensor with the extents 'whole': the slice's lengths, where it has them.
std::vector<std::int64_t> extents_of(const Slice& slice, const std::vector<std::int64_t>& whole);

/// Throws InputError unless the entry's slices lie inside its shape and cover it exactly once. 'where' names
/// the tensor.
void check_slices(const BundleEntry& entry, const std::string& where);

/// Copies the elements of 'part' to their place in 'whole': part has the shape of the slice and the type of
/// whole.
void copy_into_slice(const Tensor& part, const Slice& slice, Tensor& whole);

/// "[0:4,:]", start and end of every dimension.
std::string text_of(const Slice& slice);

}  // namespace fastnn

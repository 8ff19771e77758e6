#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "data/images/encoded_image.h"

namespace fastnn::tests {

/// Checks that 'count' random parts equal the same parts of the whole image; returns how many were compared:
/// none if the image cannot be decoded.
int compare_parts(const std::vector<std::byte>& bytes, const DecodeOptions& options, int count,
                  std::mt19937& random);

}  // namespace fastnn::tests

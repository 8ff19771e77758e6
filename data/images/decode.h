#pragma once

#include <cstddef>
#include <span>

#include "data/images/encoded_image.h"

namespace fastnn {

/// Decodes a whole image of any supported format: EncodedImage in one call, for callers that need it once.
/// Throws as EncodedImage does.
Image decode_image(std::span<const std::byte> encoded, const DecodeOptions& options = {});

}  // namespace fastnn

#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "data/images/image.h"
#include "engine/base/log.h"

namespace fastnn::tools {

struct SheetOptions {
  /// Images to draw, fewer if there are fewer records; 1 to 10,000.
  int count = 64;
  /// Draws which records, and their order.
  std::uint64_t seed = 0;
};

/// A sheet of thumbnails of at most 96 x 96 pixels, in rows of about as many as there are rows, each with its
/// label below it, and the class's name from labels.txt beside the file. In place of an image that cannot be
/// read stands a grey field with the caption "bad"; the log names it. The same input gives the same sheet.
/// Throws UsageError for a count outside 1 .. 10,000, InputError if there are no records.
Image draw_sheet(const std::vector<std::filesystem::path>& paths, const SheetOptions& options, Log& log);

/// Draws text in white, 8 pixels a character and 10 high, cut at the right edge of the image, [H, W, 3].
/// Letters are drawn as capitals; '?' stands for what is no ASCII letter, digit, blank or one of "-_.:".
void draw_text(Image& image, int top, int left, std::string_view text);

}  // namespace fastnn::tools

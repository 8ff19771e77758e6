#include "tools/fastnn_data/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/convert/class_folders.h"
#include "data/datasets/image_example.h"
#include "data/images/decode.h"
#include "engine/base/error.h"
#include "tools/fastnn_data/record_files.h"

namespace fastnn::tools {
namespace {

constexpr int kThumbnail = 96, kGap = 4, kCaption = 14;
constexpr int kCellWidth = kThumbnail + kGap, kCellHeight = kThumbnail + kCaption + kGap;
constexpr std::size_t kCaptionLetters = kCellWidth / 8;
constexpr int kMostImages = 10'000;
constexpr std::uint8_t kBadGrey = 96;

struct Cell {
  Image image;
  std::string caption;
};

/// The mean of the pixels of 'image' that a pixel of the smaller (or larger) one covers; at least one pixel.
std::uint8_t mean_of(const Image& image, int y, int x, int channel, double scale) {
  const int top = int(y / scale), left = int(x / scale);
  const int bottom = std::clamp(int((y + 1) / scale), top + 1, image.height());
  const int right = std::clamp(int((x + 1) / scale), left + 1, image.width());
  std::int64_t sum = 0;
  for (int i = top; i < bottom; ++i)
    for (int j = left; j < right; ++j) sum += image.row(i)[std::size_t(j) * 3 + channel];
  return std::uint8_t(sum / ((bottom - top) * (right - left)));
}

Image thumbnail_of(const Image& image) {
  const double scale = double(kThumbnail) / std::max(image.height(), image.width());
  Image small(std::max(1, int(image.height() * scale)), std::max(1, int(image.width() * scale)), 3);
  for (int y = 0; y < small.height(); ++y)
    for (int x = 0; x < small.width(); ++x)
      for (int c = 0; c < 3; ++c) small.row(y)[std::size_t(x) * 3 + c] = mean_of(image, y, x, c, scale);
  return small;
}

Cell bad_cell() {
  Image image(kThumbnail, kThumbnail, 3);
  std::ranges::fill(image.pixels(), kBadGrey);
  return {std::move(image), "bad"};
}

Cell cell_of(const OpenedFile& file, std::int64_t number, Log& log) {
  try {
    const Record record = file.records->read(number);
    const Example example(record.payload, record.origin);
    const ImageExample image = parse_image_example(example, {});
    std::string caption = fmt::format("{}", image.label);
    if (image.label >= 0 && image.label < std::int64_t(file.class_names.size()))
      caption += " " + file.class_names[std::size_t(image.label)];
    const bool is_raw = image.format == "raw";
    return {thumbnail_of(is_raw ? raw_image(example, {}, image.encoded, record.origin)
                                : decode_image(image.encoded)),
            std::move(caption)};
  } catch (const InputError& error) {
    log.warning(fmt::format("{}: {}", file.records->origin(number).text(), error.what()));
    return bad_cell();
  }
}

void paste(Image& sheet, int top, int left, const Cell& cell) {
  for (int y = 0; y < cell.image.height(); ++y)
    std::ranges::copy(cell.image.row(y), sheet.row(top + y).begin() + std::ptrdiff_t(left) * 3);
  draw_text(sheet, top + kThumbnail + 2, left, std::string_view(cell.caption).substr(0, kCaptionLetters));
}

}  // namespace

Image draw_sheet(const std::vector<std::filesystem::path>& paths, const SheetOptions& options, Log& log) {
  if (options.count < 1 || options.count > kMostImages)
    throw UsageError("[show] count must be 1 to {}, got {}", kMostImages, options.count);
  const OpenedFiles opened(paths, 0, log);
  for (const OpenedFile& file : opened.files())
    if (!file.fault.empty()) log.warning(file.fault);
  if (opened.records() == 0)
    throw InputError("[show] no records in {} files, the first of which is {}", paths.size(),
                     paths.front().string());
  const auto count = int(std::min<std::int64_t>(options.count, opened.records()));
  const auto columns = int(std::ceil(std::sqrt(count)));
  Image sheet((count + columns - 1) / columns * kCellHeight + kGap, columns * kCellWidth + kGap, 3);
  const std::vector<std::int64_t> order = shuffled_order(opened.records(), options.seed);
  for (int i = 0; i < count; ++i) {
    const OpenedFiles::Location at = opened.locate(order[std::size_t(i)]);
    paste(sheet, i / columns * kCellHeight + kGap, i % columns * kCellWidth + kGap,
          cell_of(opened.files()[at.file], at.record, log));
  }
  return sheet;
}

}  // namespace fastnn::tools

#include "data/images/gif.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "data/images/bytes.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

using Colors = std::array<std::array<std::uint8_t, 3>, 256>;

int read_bytes(GifFileType* gif, GifByteType* target, int count) {
  auto& left = *static_cast<std::span<const std::byte>*>(gif->UserData);
  const std::size_t read = std::min<std::size_t>(count, left.size());
  std::memcpy(target, left.data(), read);
  left = left.subspan(read);
  return static_cast<int>(read);
}

class GifReader {
 public:
  explicit GifReader(std::span<const std::byte> encoded) : size_(encoded.size()), left_(encoded) {
    int error = 0;
    gif_ = DGifOpen(&left_, read_bytes, &error);
    if (gif_ == nullptr) throw damaged(GifErrorString(error));
  }
  GifReader(const GifReader&) = delete;
  GifReader& operator=(const GifReader&) = delete;
  ~GifReader() {
    if (gif_ != nullptr) DGifCloseFile(gif_, nullptr);
  }

  /// Reads up to the pixels of the first frame.
  void seek_frame() {
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    do {
      check(DGifGetRecordType(gif_, &type));
      if (type == EXTENSION_RECORD_TYPE) read_extension();
      if (type == TERMINATE_RECORD_TYPE) throw damaged("it has no frame");
    } while (type != IMAGE_DESC_RECORD_TYPE);
    check(DGifGetImageDesc(gif_));
  }

  const GifImageDesc& frame() const { return gif_->Image; }

  Colors colors() const {
    const ColorMapObject* map = gif_->Image.ColorMap != nullptr ? gif_->Image.ColorMap : gif_->SColorMap;
    if (map == nullptr) throw damaged("its first frame has no colours");
    Colors colors{};
    for (int i = 0; i < std::min(map->ColorCount, 256); ++i)
      colors[i] = {map->Colors[i].Red, map->Colors[i].Green, map->Colors[i].Blue};
    if (transparent_ >= 0) colors[transparent_] = {};
    return colors;
  }

  void read_row(std::vector<GifPixelType>& indices) {
    check(DGifGetLine(gif_, indices.data(), static_cast<int>(indices.size())));
  }

 private:
  InputError damaged(const char* why) const {
    return InputError("[images] gif of {} bytes cannot be decoded: {}", size_,
                      why == nullptr ? "unknown" : why);
  }

  void check(int result) const {
    if (result != GIF_OK) throw damaged(GifErrorString(gif_->Error));
  }

  void read_extension() {
    int code = 0;
    GifByteType* block = nullptr;
    for (check(DGifGetExtension(gif_, &code, &block)); block != nullptr;
         check(DGifGetExtensionNext(gif_, &block))) {
      GraphicsControlBlock control;
      if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
        transparent_ = control.TransparentColor;
    }
  }

  std::size_t size_;
  std::span<const std::byte> left_;
  GifFileType* gif_ = nullptr;
  int transparent_ = NO_TRANSPARENT_COLOR;
};

/// Rows of a frame in the order in which they are stored.
std::vector<int> stored_rows(const GifImageDesc& frame) {
  std::vector<int> rows;
  const auto add = [&](int first, int step) {
    for (int y = first; y < frame.Height; y += step) rows.push_back(y);
  };
  if (!frame.Interlace) {
    add(0, 1);
    return rows;
  }
  constexpr std::pair<int, int> kPasses[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
  for (const auto& [first, step] : kPasses) add(first, step);
  return rows;
}

}  // namespace

ImageHeader read_gif_header(std::span<const std::byte> encoded) {
  constexpr std::size_t kWidth = 6, kHeight = 8, kScreenEnd = 10;
  if (encoded.size() < kScreenEnd) throw InputError("[images] gif of {} bytes is cut short", encoded.size());
  return {.height = static_cast<int>(little_endian(encoded, kHeight, 2)),
          .width = static_cast<int>(little_endian(encoded, kWidth, 2))};
}

void decode_gif(std::span<const std::byte> encoded, const DecodeRequest& request, Image& out) {
  GifReader reader(encoded);
  reader.seek_frame();
  const GifImageDesc& frame = reader.frame();
  const Colors colors = reader.colors();
  const Rectangle& part = request.part;
  out.reshape(part.height, part.width, 3);
  std::ranges::fill(out.pixels(), std::uint8_t{0});
  const int left = std::max(frame.Left, part.left);
  const int right = std::min(frame.Left + frame.Width, part.left + part.width);
  std::vector<GifPixelType> indices(frame.Width);
  for (const int row : stored_rows(frame)) {
    const int y = frame.Top + row - part.top;
    if (y >= part.height && !frame.Interlace) break;
    reader.read_row(indices);
    if (y < 0 || y >= part.height || left >= right) continue;
    auto target = out.row(y).begin() + 3 * (left - part.left);
    for (int x = left; x < right; ++x)
      target = std::ranges::copy(colors[indices[x - frame.Left]], target).out;
  }
}

}  // namespace fastnn

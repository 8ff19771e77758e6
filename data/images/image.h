#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fastnn {

/// A part of an image, in pixels from its top left corner.
struct Rectangle {
  int top = 0;
  int left = 0;
  int height = 0;
  int width = 0;

  bool operator==(const Rectangle&) const = default;
};

/// An 8-bit image that owns its pixels: [height, width, channels], dense, row-major; 1 channel is gray, 3 are
/// red, green, blue.
class Image {
 public:
  Image() = default;
  /// All zeros (black).
  Image(int height, int width, int channels);

  /// Takes other extents; the pixels are unspecified then. Allocates only if there never were that many
  /// before.
  void reshape(int height, int width, int channels);

  int height() const { return height_; }
  int width() const { return width_; }
  int channels() const { return channels_; }

  std::span<std::uint8_t> pixels() { return {pixels_.data(), row_bytes() * height_}; }
  std::span<const std::uint8_t> pixels() const { return {pixels_.data(), row_bytes() * height_}; }

  /// One row, [width, channels].
  std::span<std::uint8_t> row(int y) { return pixels().subspan(y * row_bytes(), row_bytes()); }
  std::span<const std::uint8_t> row(int y) const { return pixels().subspan(y * row_bytes(), row_bytes()); }

  /// Bytes from one row to the next.
  std::size_t row_bytes() const { return std::size_t(width_) * channels_; }

 private:
  int height_ = 0;
  int width_ = 0;
  int channels_ = 0;
  /// Never shrinks, so that growing again clears nothing.
  std::vector<std::uint8_t> pixels_;
};

}  // namespace fastnn

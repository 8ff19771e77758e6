#pragma once

#include "data/images/encoded_image.h"
#include "data/images/image.h"

namespace fastnn {

/// An image before it is decoded: a preprocessing chooses the part it needs, and only that is decoded.
class ImageSource {
 public:
  virtual ~ImageSource() = default;

  virtual int height() const = 0;
  virtual int width() const = 0;

  /// Writes a part that lies inside the image to 'out', whose buffer is reused.
  virtual void decode_crop(const Rectangle& crop, Image& out) const = 0;
};

/// An encoded image, which must outlive this object. decode_crop() throws what EncodedImage does.
class EncodedSource final : public ImageSource {
 public:
  explicit EncodedSource(const EncodedImage& image) : image_(image) {}

  int height() const override { return image_.info().height; }
  int width() const override { return image_.info().width; }
  void decode_crop(const Rectangle& crop, Image& out) const override;

 private:
  const EncodedImage& image_;
};

/// Pixels, which must outlive this object.
class PixelSource final : public ImageSource {
 public:
  explicit PixelSource(const Image& image) : image_(image) {}

  int height() const override { return image_.height(); }
  int width() const override { return image_.width(); }
  void decode_crop(const Rectangle& crop, Image& out) const override;

 private:
  const Image& image_;
};

}  // namespace fastnn

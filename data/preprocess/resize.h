#pragma once

#include <array>
#include <span>
#include <vector>

#include "data/images/image.h"

namespace fastnn {

/// TensorFlow's methods, in the order of its numbers. Positions follow its old rule, align_corners = false:
/// output pixel o lies at o * in / out of the source, without half-pixel shift; reducing does not smooth,
/// except by 'area'.
///   bilinear  floor and the next pixel
///   nearest   floor
///   bicubic   Keys' kernel with a = -0.75, fraction rounded to 1/1024, borders repeated, not clipped
///   area      average over the box of source pixels
enum class ResizeMethod { bilinear, nearest, bicubic, area };

/// One axis of a resize: 'in' pixels become 'out', of which the 'count' from 'first' on are wanted.
struct ResizeAxis {
  int in = 0;
  int out = 0;
  int first = 0;
  int count = 0;
};

/// What 'area' averages over along one axis, in source pixels; extent is end - begin before rounding.
struct SourceBox {
  float begin;
  float end;
  float extent;
};

struct ResizeOptions {
  ResizeMethod method = ResizeMethod::bilinear;
  ResizeAxis rows;
  ResizeAxis columns;
  /// Mirrored: columns from right to left.
  enum class Flip { none, left_right } flip = Flip::none;
  /// Result = resized * scale + shift[channel].
  float scale = 1;
  std::array<float, 3> shift{};
};

/// Resizes 8-bit RGB images, or parts of the result, to floats. Reading and writing are one pass over rows,
/// and tables and rows are kept: prepare() and run() allocate nothing once sizes have been seen.
/// For one thread.
///   resize.prepare({.rows = {500, 224, 0, 224}, .columns = {333, 224, 0, 224}});
///   decoder.decode_crop(resize.source(), part);
///   resize.run(part, target);
class Resize {
 public:
  void prepare(const ResizeOptions& options);

  /// The part of the image that the wanted pixels depend on.
  Rectangle source() const;

  /// part: the source() of an image, 3 channels. target: [rows.count, columns.count, 3].
  void run(const Image& part, std::span<float> target);

 private:
  /// What each output pixel of an axis is the weighted sum of: 'taps' pixels each, relative to 'origin'.
  struct Axis {
    int count = 0;
    int taps = 0;
    int origin = 0;
    int extent = 0;
    std::vector<int> index;
    std::vector<float> weight;

    void prepare(ResizeMethod method, const ResizeAxis& axis);
    void reserve(const ResizeAxis& axis, int taps_of_each);
    void set(int position, int tap, int source, float value);
    void set_kernel(int position, ResizeMethod method, float at, int in);
    void set_box(int position, const SourceBox& box, int in);
    void move_to_origin();
    void reverse();
  };

  void blend_rows(const Image& part, int y);
  template <int kTaps>
  void blend_columns(float* target) const;

  Axis rows_;
  Axis columns_;
  std::array<float, 4> shift_{};
  /// One row of the result's height and the source's width: [columns_.extent, 3] and one more.
  std::vector<float> row_;
};

}  // namespace fastnn

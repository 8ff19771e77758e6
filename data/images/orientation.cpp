#include "data/images/orientation.h"

#include <algorithm>
#include <utility>

namespace fastnn {
namespace {

/// How a pixel of the upright image is found in the stored one: transpose first, then flip.
struct Turn {
  bool transpose, flip_rows, flip_columns;
};

constexpr Turn kTurns[] = {{false, false, false}, {false, false, true}, {false, true, true},
                           {false, true, false},  {true, false, false}, {true, true, false},
                           {true, true, true},    {true, false, true}};

}  // namespace

bool swaps_sides(int orientation) {
  return kTurns[orientation - 1].transpose;
}

Rectangle stored_part(const Rectangle& part, int orientation, int stored_height, int stored_width) {
  const Turn turn = kTurns[orientation - 1];
  Rectangle stored = part;
  if (turn.transpose) {
    std::swap(stored.top, stored.left);
    std::swap(stored.height, stored.width);
  }
  if (turn.flip_rows) stored.top = stored_height - stored.top - stored.height;
  if (turn.flip_columns) stored.left = stored_width - stored.left - stored.width;
  return stored;
}

void orient(const Image& stored, int orientation, Image& out) {
  const Turn turn = kTurns[orientation - 1];
  const int channels = stored.channels();
  out.reshape(turn.transpose ? stored.width() : stored.height(),
              turn.transpose ? stored.height() : stored.width(), channels);
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x) {
      int row = turn.transpose ? x : y;
      int column = turn.transpose ? y : x;
      if (turn.flip_rows) row = stored.height() - 1 - row;
      if (turn.flip_columns) column = stored.width() - 1 - column;
      std::copy_n(stored.row(row).data() + std::size_t(column) * channels, channels,
                  out.row(y).data() + std::size_t(x) * channels);
    }
}

}  // namespace fastnn

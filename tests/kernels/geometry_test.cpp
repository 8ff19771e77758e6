#include "kernels/geometry.h"

#include "tests/support/catch.h"

using namespace fastnn::kernels;

TEST_CASE("geometry: SAME puts the odd padding pixel after, VALID takes whole windows only") {
  CHECK(window_extent(28, 5, 1, 1, Padding::same) == WindowExtent{28, 2, 2});
  CHECK(window_extent(8, 3, 2, 1, Padding::same) == WindowExtent{4, 0, 1});
  CHECK(window_extent(7, 3, 2, 1, Padding::same) == WindowExtent{4, 1, 1});
  CHECK(window_extent(6, 1, 2, 1, Padding::same) == WindowExtent{3, 0, 0});
  CHECK(window_extent(9, 3, 1, 4, Padding::same) == WindowExtent{9, 4, 4});
  CHECK(window_extent(28, 2, 2, 1, Padding::valid) == WindowExtent{14, 0, 0});
  CHECK(window_extent(8, 3, 2, 1, Padding::valid) == WindowExtent{3, 0, 0});
  CHECK(window_extent(7, 3, 1, 2, Padding::valid) == WindowExtent{3, 0, 0});
  CHECK(window_extent(2, 3, 1, 1, Padding::valid) == WindowExtent{0, 0, 0});
}

#pragma once

#include <span>
#include <string_view>

namespace fastnn {

/// A point in a shape's own frame: the shape lies inside the circle of radius 1 around the origin, y points
/// down.
struct Point {
  double x = 0;
  double y = 0;
};

/// One class of the data set "shapes": a row of the table of shapes; its index is the label.
struct ShapeClass {
  std::string_view name;
  bool (*contains)(Point point);
};

/// The ten classes, in the order of their labels.
std::span<const ShapeClass> shape_classes();

}  // namespace fastnn

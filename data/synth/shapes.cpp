#include "data/synth/shapes.h"

#include <cmath>

namespace fastnn {
namespace {

double radius2(Point p) {
  return p.x * p.x + p.y * p.y;
}

bool in_disc(Point p, double center_x, double radius) {
  return radius2({p.x - center_x, p.y}) < radius * radius;
}

bool in_box(Point p, double half_width, double half_height) {
  return std::abs(p.x) < half_width && std::abs(p.y) < half_height;
}

/// Even-odd rule: counts the edges that a ray towards +x crosses.
bool in_polygon(Point p, std::span<const Point> corners) {
  bool inside = false;
  Point previous = corners.back();
  for (const Point corner : corners) {
    if ((corner.y > p.y) != (previous.y > p.y) &&
        p.x < corner.x + (previous.x - corner.x) * (p.y - corner.y) / (previous.y - corner.y))
      inside = !inside;
    previous = corner;
  }
  return inside;
}

// Corners of a regular pentagon on the circle of radius 1, the tip up: cos and sin of multiples of 36
// degrees.
constexpr double kCos36 = 0.8090169943749475, kSin36 = 0.5877852522924731;
constexpr double kCos72 = 0.3090169943749474, kSin72 = 0.9510565162951535;
constexpr double kInner = 0.42;
constexpr Point kStar[] = {{0, -1},
                           {kInner * kSin36, -kInner* kCos36},
                           {kSin72, -kCos72},
                           {kInner * kSin72, kInner* kCos72},
                           {kSin36, kCos36},
                           {0, kInner},
                           {-kSin36, kCos36},
                           {-kInner * kSin72, kInner* kCos72},
                           {-kSin72, -kCos72},
                           {-kInner * kSin36, -kInner* kCos36}};
constexpr Point kTriangle[] = {{0, -1}, {0.8660254037844386, 0.5}, {-0.8660254037844386, 0.5}};
constexpr Point kArrow[] = {{0, -1},      {0.75, -0.15},  {0.28, -0.15}, {0.28, 0.9},
                            {-0.28, 0.9}, {-0.28, -0.15}, {-0.75, -0.15}};

bool circle(Point p) {
  return in_disc(p, 0, 0.88);
}
bool square(Point p) {
  return in_box(p, 0.7, 0.7);
}
bool triangle(Point p) {
  return in_polygon(p, kTriangle);
}
bool star(Point p) {
  return in_polygon(p, kStar);
}
bool cross(Point p) {
  return in_box(p, 0.28, 0.95) || in_box(p, 0.95, 0.28);
}
bool ring(Point p) {
  return in_disc(p, 0, 0.95) && !in_disc(p, 0, 0.55);
}
bool arrow(Point p) {
  return in_polygon(p, kArrow);
}
bool crescent(Point p) {
  return in_disc(p, 0, 0.98) && !in_disc(p, 0.45, 0.78);
}
bool hourglass(Point p) {
  return std::abs(p.y) < 0.85 && std::abs(p.x) < 0.08 + 0.68 * std::abs(p.y);
}

/// (x^2 + y^2 - 1)^3 < x^2 y^3, scaled to the circle and moved to its middle.
bool heart(Point p) {
  const double x = p.x * 1.32, y = 0.12 - p.y * 1.32;
  const double a = x * x + y * y - 1;
  return a * a * a < x * x * y * y * y;
}

constexpr ShapeClass kShapes[] = {
    {"circle", circle},     {"square", square},       {"triangle", triangle}, {"star", star},
    {"cross", cross},       {"ring", ring},           {"heart", heart},       {"arrow", arrow},
    {"crescent", crescent}, {"hourglass", hourglass},
};

}  // namespace

std::span<const ShapeClass> shape_classes() {
  return kShapes;
}

}  // namespace fastnn

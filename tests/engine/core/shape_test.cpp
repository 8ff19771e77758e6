#include "engine/core/shape.h"

#include "engine/base/error.h"
#include "tests/support/catch.h"

using fastnn::Shape;

TEST_CASE("shape: the product of no extents is one element") {
  CHECK(Shape{}.elements() == 1);
}

TEST_CASE("shape: a negative index counts from the end") {
  const Shape shape{32, 28, 28, 3};
  CHECK(shape[-1] == 3);
  CHECK(shape[0] == 32);
  CHECK_THROWS_AS(shape[4], fastnn::UsageError);
}

TEST_CASE("shape: its text names every extent") {
  CHECK(Shape{2, 3}.text() == "[2,3]");
}

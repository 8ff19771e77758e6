#include "engine/graph/ops/drop_path.h"

#include "tests/support/catch.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::tests;

TEST_CASE("drop_path: a keep probability of 0 or above 1, and no steps, are refused") {
  const auto message = [](const DropPathAttributes& attributes) {
    return message_of<UsageError>([&] { DropPath(attributes, "drop_path"); });
  };
  CHECK_THAT(message({.final_keep_probability = 0}), Catch::Contains("(0, 1], got 0"));
  CHECK_THAT(message({.final_keep_probability = 1.5}), Catch::Contains("1.5"));
  CHECK_THAT(message({.final_keep_probability = 0.5, .steps = 0}), Catch::Contains("at least 1, got 0"));
}

TEST_CASE("drop_path: its attributes tell the schedule") {
  CHECK(DropPath({.final_keep_probability = 0.6, .steps = 1000}, "drop_path").attributes() ==
        "keep 0.6 after 1000 steps");
}

#include "engine/base/names.h"

#include <array>

#include "tests/support/catch.h"

using namespace fastnn;

TEST_CASE("edit distance: counts insertions, deletions, replacements and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("abc", "abxc") == 1);
  CHECK(edit_distance("abc", "axc") == 1);
  CHECK(edit_distance("abc", "acb") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("nearest name: is the first of the least distance, and none where all are far") {
  constexpr std::array<std::string_view, 3> kKnown = {"lenet", "alexnet_v2", "vgg_16"};
  CHECK(nearest_name("lenett", kKnown) == "lenet");
  CHECK(nearest_name("vgg_19", kKnown) == "vgg_16");
  CHECK(nearest_name("resnet_v1_50", kKnown).empty());
  CHECK(nearest_name("le", {}).empty());
}

TEST_CASE("unknown name: the message begins with the nearest known one, where there is one, and lists all") {
  constexpr std::array<std::string_view, 2> kKnown = {"", "lenet"};
  CHECK(unknown_name("net", "lenett", kKnown) ==
        "did you mean lenet? There is no net \"lenett\"; known: \"\" (empty), lenet");
  CHECK(unknown_name("net", "transformer", kKnown) ==
        "There is no net \"transformer\"; known: \"\" (empty), lenet");
}

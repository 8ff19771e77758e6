#include "engine/core/names.h"

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

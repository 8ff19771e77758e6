#include "tools/common/progress.h"

#include "tests/support/catch.h"

using fastnn::tools::duration_text;
using fastnn::tools::progress_text;
using std::chrono::duration;

TEST_CASE("duration_text: two units at most") {
  CHECK(duration_text(duration<double>(8.4)) == "8 s");
  CHECK(duration_text(duration<double>(59.7)) == "1 min 0 s");
  CHECK(duration_text(duration<double>(250)) == "4 min 10 s");
  CHECK(duration_text(duration<double>(7500)) == "2 h 5 min");
  CHECK(duration_text(duration<double>(90000)) == "1 d 1 h");
}

TEST_CASE("progress_text: shows share, rate and time left") {
  CHECK(progress_text({.total = 1000, .samples_per_step = 32}, 120, duration<double>(60)) ==
        "step 120/1000 (12 %)  64.0 images/s  7 min 20 s left");
}

TEST_CASE("progress_text: steps before a resume do not count for the rate") {
  CHECK(progress_text({.total = 200, .start = 100}, 150, duration<double>(50)) ==
        "step 150/200 (75 %)  1.0 images/s  50 s left");
}

TEST_CASE("progress_text: no rate before the first step, no time left at the end or without a total") {
  CHECK(progress_text({.total = 10}, 0, duration<double>(1)) == "step 0/10 (0 %)");
  CHECK(progress_text({.total = 10}, 10, duration<double>(5)) == "step 10/10 (100 %)  2.0 images/s");
  CHECK(progress_text({.step_name = "batch"}, 10, duration<double>(5)) == "batch 10  2.0 images/s");
}

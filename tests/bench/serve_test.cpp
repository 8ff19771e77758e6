#include "bench/serve.h"

#include <sstream>

#include "tests/support/catch.h"

using namespace fastnn::bench;

TEST_CASE("serve: every line of input runs the steps of a turn and answers with their mean seconds") {
  std::istringstream in("\n\n\n");
  std::ostringstream out;
  int calls = 0;
  serve_steps([&] { ++calls; }, 4, in, out);
  CHECK(calls == 12);
  std::istringstream lines(out.str());
  std::string ready;
  std::getline(lines, ready);
  CHECK(ready == "ready");
  int answers = 0;
  for (double seconds = -1; lines >> seconds; ++answers) CHECK(seconds >= 0);
  CHECK(answers == 3);
}

#include "tests/support/golden.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "engine/base/hash.h"
#include "tests/support/catch.h"
#include "tests/support/run_command.h"

using namespace fastnn;
using namespace fastnn::tests;

TEST_CASE("golden: the generator gives the check values of the golden pages") {
  CHECK(fnv1a64("images") == 0xbbaa66fa4373e3eb);
  CHECK(golden_uniform("w", 0) == 0.7941086292266846);
  CHECK(golden_uniform("w", 2) == -0.9383955001831055);
  CHECK(golden_uniform("LeNet/conv1/weights", 0) == -0.7992289066314697);
  CHECK(golden_variable("", "LeNet/conv1/weights", {5, 5, 3, 32})[2] == Approx(0.185161725).epsilon(1e-7));
  CHECK(golden_variable("h:", "LeNet/conv1/weights", {5, 5, 3, 32})[0] == Approx(-0.185786039).epsilon(1e-7));
}

TEST_CASE("golden: a missing file is an error, not an empty comparison") {
  CHECK_THROWS(golden_json("no-such-file.json"));
}

TEST_CASE("golden: a folder without figures fails, and nothing may be missing in the source tree's own") {
  struct Folder {
    explicit Folder(const char* path) : before(golden_dir()) { setenv("FASTNN_GOLDEN_DIR", path, 1); }
    ~Folder() { setenv("FASTNN_GOLDEN_DIR", before.c_str(), 1); }
    std::filesystem::path before;
  };
  {
    const TemporaryFolder empty;
    const Folder folder(empty.path().c_str());
    CHECK_THROWS(has_golden("layers.json"));
  }
  {
    const Folder folder("/nowhere");
    CHECK_THROWS(has_golden("layers.json"));
  }
  const Folder folder(sample_dir().c_str());
  CHECK(has_golden("layers.json"));
  CHECK_THROWS(has_golden("no-such-file.json"));
}

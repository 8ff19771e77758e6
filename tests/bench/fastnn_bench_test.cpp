#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"

using namespace fastnn::tests;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

CommandResult fastnn_bench(const std::string& arguments) {
  return run_command(bin_dir() + "/fastnn-bench " + arguments + " 2>&1");
}

}  // namespace

TEST_CASE("fastnn-bench: nets measures training and inference and splits the step") {
  const TemporaryFolder folder;
  const std::string file = (folder / "figures.json").string();
  const auto result =
      fastnn_bench("nets --batch_size=2 --window_ms=20 --windows=3 --threads=1 --json=" + file);
  INFO(result.output);
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("images/s") && Contains("backward") && Contains("conv2d"));
  json report;
  std::ifstream(file) >> report;
  CHECK_FALSE(report["surroundings"]["processor"].get<std::string>().empty());
  const json& net = report["nets"][0];
  CHECK(net["model_name"] == "lenet");
  CHECK(net["batch_size"] == 2);
  CHECK(net["training"]["images_per_second"] > 0);
  CHECK(net["inference"]["images_per_second"] > net["training"]["images_per_second"]);
  double parts = 0;
  for (const char* part : {"data", "prepare", "forward", "backward", "update"}) {
    INFO(part);
    CHECK(net["step_seconds"][part] > 0);
    parts += net["step_seconds"][part].get<double>();
  }
  // The profiled steps are others than the measured ones, and machines are noisy.
  CHECK(parts < 20 * net["training"]["seconds_per_step"].get<double>());
}

TEST_CASE("fastnn-bench: a larger batch trains more images in the same step") {
  const TemporaryFolder folder;
  const auto seconds = [&](int batch) {
    const std::string file = (folder / "figures.json").string();
    const auto result = fastnn_bench("nets --window_ms=50 --windows=3 --threads=1 --kinds=no --batch_size=" +
                                     std::to_string(batch) + " --json=" + file);
    REQUIRE(result.exit_code == 0);
    json report;
    std::ifstream(file) >> report;
    return report["nets"][0]["training"]["seconds_per_step"].get<double>();
  };
  CHECK(seconds(64) > seconds(4));
}

TEST_CASE("fastnn-bench: unknown nets, flags and subcommands are refused with the nearest name") {
  CHECK(fastnn_bench("nets --model_name=lenet6").exit_code == 2);
  CHECK_THAT(fastnn_bench("nets --batch_sice=2").output, Contains("--batch_size"));
  CHECK_THAT(fastnn_bench("net").output, Contains("nets"));
  CHECK_THAT(fastnn_bench("nets --kinds=maybe").output, Contains("yes or no"));
  CHECK(fastnn_bench("nets --window_ms=1 --json=/nonexistent/folder/file.json").exit_code == 4);
}

TEST_CASE("fastnn-bench: help lists the flags with their defaults") {
  const auto help = fastnn_bench("nets --help");
  CHECK(help.exit_code == 0);
  CHECK_THAT(help.output, Contains("--batch_size") && Contains("default 32"));
  CHECK(fastnn_bench("--version").exit_code == 0);
}

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"
#include "version.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

CommandResult fastnn_bench(const std::string& arguments) {
  return run_command(bin_dir() + "/fastnn-bench " + arguments + " 2>&1");
}

/// Runs with short windows on one thread and returns what --json wrote.
json figures(const std::string& arguments, std::string* output = nullptr) {
  const TemporaryFolder folder;
  const std::string file = (folder / "figures.json").string();
  const auto result = fastnn_bench(arguments + " --window_ms=5 --windows=3 --threads=1 --json=" + file);
  INFO(result.output);
  REQUIRE(result.exit_code == 0);
  if (output != nullptr) *output = result.output;
  json report;
  std::ifstream(file) >> report;
  return report;
}

void check_fails(const std::string& arguments, int exit_code, const std::string& text) {
  CAPTURE(arguments);
  const CommandResult result = fastnn_bench(arguments);
  CHECK(result.exit_code == exit_code);
  CHECK_THAT(result.output, Contains("fastnn-bench: error: ") && Contains(text));
}

}  // namespace

TEST_CASE("fastnn-bench: nets measures training and inference and splits the step") {
  std::string output;
  const json report = figures("nets --batch_size=2 --num_classes=10", &output);
  CHECK_THAT(output, Contains("images/s") && Contains("backward") && Contains("memory"));
  REQUIRE(report["nets"].size() == 1);
  const json& net = report["nets"][0];
  CHECK(net["model_name"] == "lenet");
  CHECK(net["batch_size"] == 2);
  CHECK(net["image_size"] == 28);
  for (const char* what : {"training", "inference"}) {
    const json& measured = net[what];
    CHECK(measured["images_per_second"].get<double>() == Approx(2 / measured["seconds"].get<double>()));
    CHECK(measured["fastest_seconds"] <= measured["seconds"]);
    CHECK(measured["seconds"] <= measured["slowest_seconds"]);
    CHECK(measured["calls"] >= 3);
    CHECK(measured["steady"].is_boolean());
  }
  for (const char* part : {"data", "prepare", "forward", "backward", "update"})
    CHECK(net["step_seconds"][part] > 0);
  CHECK(net["memory_bytes"]["training"]["arena"] > net["memory_bytes"]["inference"]["arena"]);
}

TEST_CASE("fastnn-bench: figures come with versions, processor, threads and protocol") {
  const json report = figures("nets --batch_size=2 --num_classes=10");
  const json& around = report["surroundings"];
  CHECK(around["fastnn"] == kVersion);
  CHECK_THAT(around["program"].get<std::string>(), Contains("fastnn-bench"));
  CHECK_THAT(around["onednn"].get<std::string>(), Contains("."));
  CHECK(around["device"] == "cpu");
  CHECK(around["threads"] == 1);
  CHECK_FALSE(around["processor"].get<std::string>().empty());
  CHECK_THAT(around["instruction_sets"].get<std::string>(), Contains("avx2"));
  CHECK(around["windows"] == 3);
  CHECK(around["window_seconds"].get<double>() == Approx(0.005));
}

TEST_CASE("fastnn-bench: several nets are measured one after the other") {
  const json report = figures("nets --model_name=lenet,lenet --batch_size=1 --num_classes=10");
  CHECK(report["nets"].size() == 2);
}

TEST_CASE("fastnn-bench: step lists all launches by kind, and traces the last step") {
  const TemporaryFolder folder;
  const std::string trace = (folder / "trace.json").string();
  std::string output;
  const json report = figures("step --batch_size=2 --num_classes=10 --trace=" + trace, &output);
  CHECK_THAT(output, Contains("share") && Contains("conv2d: ") && Contains("update"));
  const json& step = report["steps"][0];
  double share = 0;
  int launches = 0;
  for (const json& row : step["rows"]) {
    share += row["share"].get<double>();
    launches += row["launches"].get<int>();
  }
  CHECK(share == Approx(1));
  json events;
  std::ifstream(trace) >> events;
  CHECK(events["traceEvents"].size() == static_cast<std::size_t>(launches));
  CHECK(events["traceEvents"][0]["dur"] > 0);
}

TEST_CASE("fastnn-bench: plan counts launches, bytes and FLOPs of nets and gives their roof") {
  const TemporaryFolder folder;
  const std::string file = (folder / "plan.json").string();
  const auto result = fastnn_bench(
      "plan --model_name=lenet,cifarnet --batch_size=4 --num_classes=10 --device=h200 --json=" + file);
  INFO(result.output);
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("launches") && Contains("conv2d_weight_gradient") && Contains("roof"));
  json report;
  std::ifstream(file) >> report;
  REQUIRE(report["plans"].size() == 2);
  const json& plan = report["plans"][1];
  CHECK(plan["model_name"] == "cifarnet");
  double seconds = 0;
  for (const json& row : plan["rows"]) seconds += row["roof_seconds"].get<double>();
  CHECK(plan["images_per_second_at_roof"].get<double>() == Approx(4 / seconds));
}

TEST_CASE("fastnn-bench: kernels gives time, rates and the share of the measured peak of each direction") {
  std::string output;
  const json report = figures("kernels --filter='dense 64x1024x10'", &output);
  CHECK_THAT(output, Contains("peak: ") && Contains("forward") && Contains("gradient"));
  REQUIRE(report["kernels"].size() == 1);
  const double flops_peak = report["peak"]["flops_per_second"];
  const double bytes_peak = report["peak"]["bytes_per_second"];
  for (const char* direction : {"forward", "gradient"}) {
    const json& pass = report["kernels"][0][direction];
    const double flops = pass["flops"], bytes = pass["bytes"], seconds = pass["seconds"];
    CHECK(pass["flops_per_second"].get<double>() == Approx(flops / seconds));
    CHECK(pass["bytes_per_second"].get<double>() == Approx(bytes / seconds));
    CHECK(pass["share_of_roof"].get<double>() ==
          Approx(std::max(flops / flops_peak, bytes / bytes_peak) / seconds));
  }
}

TEST_CASE("fastnn-bench: input measures each stage of real records, and serves batches") {
  const std::string flags = "input --batch_size=2 --image_size=32 --files=" + source_dir() +
                            "/tests/golden/tfrecords/digits_train_00000-of-00003.tfrecord";
  std::string output;
  const json input = figures(flags, &output);
  CHECK_THAT(output, Contains("images/s") && Contains("GB/s read and verified"));
  for (const char* stage : {"read", "decode", "preprocess", "sample", "decode_alone", "batch"}) {
    INFO(stage);
    CHECK(input["stages"][stage]["images_per_second"] > 0);
  }
  const double parts = input["stages"]["read"]["seconds"].get<double>() +
                       input["stages"]["decode"]["seconds"].get<double>() +
                       input["stages"]["preprocess"]["seconds"].get<double>();
  // Medians of three windows each; the whole holds the parts.
  CHECK(parts < 2 * input["stages"]["sample"]["slowest_seconds"].get<double>());
  CHECK(input["records"] > 0);
  const auto served = run_command("echo | " + bin_dir() + "/fastnn-bench " + flags + " --serve=2 2>&1");
  CHECK(served.exit_code == 0);
  CHECK_THAT(served.output, Contains("ready\n0."));
  check_fails("input --files=/nowhere", 3, "/nowhere");
  check_fails(flags + " --preprocessing=slim", 2, "no preprocessing \"slim\"; known: inception");
}

TEST_CASE("fastnn-bench: unknown subcommands, flags and nets fail with the nearest or all known names") {
  check_fails("", 2, "a subcommand is missing");
  check_fails("net", 2, "did you mean nets?");
  check_fails("nets --batch_sice=2", 2, "did you mean batch_size?");
  check_fails("step --trade=x", 2, "did you mean trace?");
  check_fails("kernels --filtre=x", 2, "did you mean filter?");
  check_fails("nets --model_name=lenet6", 2, "did you mean lenet?");
  check_fails("serve --phase=dreaming", 2, "training or inference");
  check_fails("serve --steps=0", 2, "--steps must be at least 1");
  check_fails("plan --device=abacus", 2, "h200");
  check_fails("plan --model_name=,", 2, "--model_name must name a net");
  check_fails("nets --model_name=,", 2, "--model_name must name a net");
  check_fails("step --model_name=all", 2, "lenet");
}

TEST_CASE("fastnn-bench: values are checked as the trainer checks its parameters") {
  check_fails("nets --batch_size=0", 2, "--batch_size must be integer");
  check_fails("nets --threads=0", 2, "--threads must be integer");
  check_fails("nets --image_size=-3", 2, "--image_size must be integer");
  check_fails("nets --num_classes=many", 2, "--num_classes must be integer");
  check_fails("kernels --device=abacus", 2, "--device must be one of");
  check_fails("step --optimizer=sdg", 2, "--optimizer must be one of");
  check_fails("nets --windows=0", 2, "--windows must be from 1 to 1000, got 0");
  check_fails("nets --window_ms=1d", 2, "--window_ms must be an integer");
  check_fails("nets --window_ms=99999999999", 2, "--window_ms must be at most");
  check_fails("kernels --filter=convolve3d", 2, "\"convolve3d\"");
}

TEST_CASE("fastnn-bench: files that cannot be written fail as the environment's fault") {
  check_fails("nets --json=/nonexistent/folder/file.json", 4, "/nonexistent/folder/file.json");
  check_fails("step --batch_size=1 --window_ms=0 --windows=1 --trace=/nonexistent/folder/file.json", 4,
              "/nonexistent/folder/file.json");
}

TEST_CASE("fastnn-bench: help lists every flag with its default, --version the version") {
  const auto help = fastnn_bench("--help");
  CHECK(help.exit_code == 0);
  CHECK_THAT(help.output, Contains("nets") && Contains("step") && Contains("kernels"));
  CHECK_THAT(fastnn_bench("nets --help").output,
             Contains("--batch_size") && Contains("Samples of one step on one device. (default 32)") &&
                 Contains("--window_ms") && Contains("(default 1000)"));
  CHECK_THAT(fastnn_bench("step --help").output, Contains("--trace"));
  CHECK_THAT(fastnn_bench("kernels --help").output, Contains("--filter") && Contains("(default 100)"));
  CHECK_THAT(fastnn_bench("--version").output, Contains(std::string("fastnn-bench ") + kVersion));
}

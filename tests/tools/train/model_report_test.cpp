#include "tools/train/model_report.h"

#include <sstream>

#include "nets/published_accuracy.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

std::string line_of(const std::string& text, const std::string& net) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with(net + " ")) return line;
  return {};
}

}  // namespace

TEST_CASE("model report: list_models tells image sizes, parameters and work of every net") {
  const auto result = run_command(bin_dir() + "/fastnn-train --list_models 2>&1");
  CHECK(result.exit_code == 0);
  CHECK(result.output == tools::model_list());
  for (const NetEntry& net : net_table()) CHECK_FALSE(line_of(result.output, std::string(net.name)).empty());
  std::istringstream columns(line_of(result.output, "mobilenet_v1"));
  std::string name, from, to, highest;
  std::int64_t size = 0, trainable = 0, all = 0;
  double mega_macs = 0, mega_activations = 0;
  columns >> name >> size >> from >> to >> highest >> trainable >> all >> mega_macs >> mega_activations;
  CHECK(size == 224);
  CHECK(from + " " + to + " " + highest == "4 to 256");
  CHECK(trainable == 4'231'976);
  CHECK(all == 4'231'976 + 21'888);
  CHECK(mega_macs == 568.7);
  CHECK(mega_activations == 5.04);
}

TEST_CASE("model report: the line of a net follows its options") {
  const std::string line = tools::net_line(find_net("inception_v3"), {.num_classes = 1001});
  CHECK_THAT(line, Catch::Contains("trainable elements: 27145970") && Catch::Contains("107 to 346"));
  CHECK_THAT(tools::net_line(find_net("lenet"), {.num_classes = 10, .image_size = 28}),
             Catch::Contains("trainable elements: 3276234, with moving averages: 3276234") &&
                 Catch::Contains("4 or more"));
}

TEST_CASE("placement: each launch is named with kind, device and implementation") {
  const fastnn::LaunchInfo launch{.name = "LeNet/conv1/Conv2D",
                                  .kind = "conv2d",
                                  .attributes = "",
                                  .implementation = "brgconv",
                                  .cost = {}};
  CHECK(fastnn::tools::placement_lines({&launch, 1}, "cpu") ==
        std::vector<std::string>{"  LeNet/conv1/Conv2D: conv2d on cpu by brgconv"});
}

TEST_CASE(
    "model report: list_models tells published accuracies with the preprocessing and size they belong to") {
  const std::string list = tools::model_list();
  const auto accuracies = list.substr(list.find("top-1"));
  for (const PublishedAccuracy& row : published_accuracies()) {
    INFO(row.net);
    CHECK_NOTHROW(find_net(row.net));
    CHECK_FALSE(line_of(accuracies, std::string(row.net)).empty());
  }
  CHECK_THAT(line_of(accuracies, "resnet_v2_50"),
             Catch::Contains("75.6   92.8  inception preprocessing, 299 pixels"));
  CHECK_THAT(line_of(accuracies, "vgg_16"),
             Catch::Contains("vgg preprocessing, 224 pixels (users measure 70.9)"));
}

TEST_CASE("model report: print_model_statistics=layers tells multiply-adds and activations of each layer") {
  const auto run = run_command(bin_dir() +
                               "/fastnn-train --model_name=lenet --num_classes=10 --dry_run --batch_size=2 "
                               "--print_model_statistics=layers 2>&1");
  CHECK(run.exit_code == 0);
  // 28 x 28 x 32 outputs of 5 x 5 x 3 products; 2,400 weights and 32 biases.
  CHECK_THAT(
      run.output,
      Catch::Contains("LeNet/conv1: 2432 elements, 1.882 million multiply-adds, 0.0251 million activations"));
  CHECK_THAT(run.output, Catch::Contains("LeNet/fc3: "));
}

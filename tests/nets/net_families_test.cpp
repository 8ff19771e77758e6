#include <algorithm>

#include "engine/graph/ops/drop_path.h"
#include "nets/net_table.h"
#include "nets/network.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

NetOptions options_of(std::int64_t image_size, Mode mode = Mode::training) {
  return {.batch_size = 2, .num_classes = 7, .image_size = image_size, .mode = mode};
}

std::vector<const DropPath*> drop_paths(const Network& net) {
  std::vector<const DropPath*> found;
  for (const Node& node : net.graph.nodes())
    if (node.operation->kind() == "drop_path")
      found.push_back(static_cast<const DropPath*>(node.operation.get()));
  return found;
}

bool has_variable(const Network& net, const std::string& name) {
  return std::ranges::any_of(net.graph.parameters(),
                             [&](Value value) { return net.graph.name(value) == name; });
}

}  // namespace

TEST_CASE("nets: each builds to [N, classes] at the ends of its range of image sizes") {
  for (const NetEntry& entry : net_table()) {
    const std::int64_t largest = std::min<std::int64_t>(entry.largest_image_size, 400);
    for (const std::int64_t size : {entry.smallest_image_size, entry.default_image_size, largest}) {
      INFO(entry.name << " at " << size);
      const Network net = build_network(entry.name, options_of(size));
      CHECK(net.graph.shape(net.logits) == Shape{2, 7});
      if (net.aux_logits) CHECK(net.graph.shape(net.aux_logits) == Shape{2, 7});
    }
  }
}

TEST_CASE("nets: an image size outside the range is refused with the range") {
  const auto message = [](std::string_view name, std::int64_t size) {
    return message_of<UsageError>([&] { build_network(name, options_of(size)); });
  };
  CHECK_THAT(message("vgg_16", 223), Catch::Contains("vgg_16") && Catch::Contains("224 to 255"));
  CHECK_THAT(message("inception_v1", 225), Catch::Contains("193 to 224"));
  CHECK_THAT(message("inception_v3", 347), Catch::Contains("107 to 346"));
  CHECK_THAT(message("nasnet_mobile", 66), Catch::Contains("67"));
}

TEST_CASE("nets: auxiliary heads stand in training, those of Inception in evaluation too") {
  for (const NetEntry& entry : net_table()) {
    INFO(entry.name);
    const bool inception =
        entry.name == "inception_v3" || entry.name == "inception_v4" || entry.name == "inception_resnet_v2";
    const bool nasnet = entry.name.find("nasnet") != std::string_view::npos;
    CHECK(static_cast<bool>(build_network(entry.name, options_of(0)).aux_logits) == (inception || nasnet));
    const Network evaluation = build_network(entry.name, options_of(0, Mode::evaluation));
    CHECK(static_cast<bool>(evaluation.aux_logits) == inception);
  }
}

TEST_CASE("inception_v3: the auxiliary head's convolution is named after its size") {
  CHECK(has_variable(build_network("inception_v3", options_of(299)),
                     "InceptionV3/AuxLogits/Conv2d_2a_5x5/weights"));
  CHECK(has_variable(build_network("inception_v3", options_of(193)),
                     "InceptionV3/AuxLogits/Conv2d_2a_2x2/weights"));
}

TEST_CASE("nasnet: drop-path grows with the cell's number, over the net's own number of steps") {
  const Network cifar = build_network("nasnet_cifar", options_of(0));
  const auto paths = drop_paths(cifar);
  // Eight branches of a normal cell and nine of a reduction cell are not the identity.
  REQUIRE(paths.size() == 18 * 8 + 2 * 9);
  CHECK(paths.front()->drop_path().final_keep_probability == Approx(1 - 0.4 / 20));
  CHECK(paths.back()->drop_path().final_keep_probability == Approx(0.6));
  CHECK(paths.front()->drop_path().steps == 937'500);
  const Network large = build_network("nasnet_large", options_of(0));
  CHECK(drop_paths(large).front()->drop_path().final_keep_probability == Approx(1 - 0.3 / 22));
  CHECK(drop_paths(large).back()->drop_path().final_keep_probability == Approx(0.7));
  CHECK(drop_paths(large).front()->drop_path().steps == 250'000);
  const Network pnasnet = build_network("pnasnet_large", options_of(0));
  CHECK(drop_paths(pnasnet).front()->drop_path().final_keep_probability == Approx(1 - 0.4 / 14));
  CHECK(drop_paths(pnasnet).back()->drop_path().final_keep_probability == Approx(0.6));
}

TEST_CASE("nasnet: no drop-path in evaluation, in the mobile nets, and where dropout is off") {
  CHECK(drop_paths(build_network("nasnet_cifar", options_of(0, Mode::evaluation))).empty());
  CHECK(drop_paths(build_network("nasnet_mobile", options_of(0))).empty());
  CHECK(drop_paths(build_network("pnasnet_mobile", options_of(0))).empty());
  NetOptions off = options_of(0);
  off.dropout = NetOptions::Dropout::off;
  CHECK(drop_paths(build_network("nasnet_cifar", off)).empty());
}

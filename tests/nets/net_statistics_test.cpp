#include "nets/net_statistics.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include "nets/net_table.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

/// A row of net_statistics.tsv.
struct Row {
  std::string model;
  std::int64_t size = 0;
  std::int64_t trainable_1000 = 0;
  std::int64_t trainable_1001 = 0;
  std::int64_t main_1000 = 0;
  std::int64_t moving = 0;
  int trainable_variables = 0;
  int variables = 0;
  double giga_macs = 0;
  double mega_activations = 0;
};

std::vector<Row> rows() {
  std::ifstream file(std::string(source_dir()) + "/tests/nets/net_statistics.tsv");
  REQUIRE(file);
  std::vector<Row> read;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("model\t")) continue;
    Row row;
    std::istringstream(line) >> row.model >> row.size >> row.trainable_1000 >> row.trainable_1001 >>
        row.main_1000 >> row.moving >> row.trainable_variables >> row.variables >> row.giga_macs >>
        row.mega_activations;
    read.push_back(row);
  }
  return read;
}

}  // namespace

TEST_CASE("net statistics: parameters, multiply-adds and activations of every net are TF-Slim's") {
  const auto table = rows();
  CHECK(table.size() == 32);
  for (const Row& row : table) {
    INFO(row.model);
    CHECK(find_net(row.model).default_image_size == row.size);
    const NetStatistics net = net_statistics(row.model, {.num_classes = 1000});
    CHECK(net.trainable_elements == row.trainable_1000);
    CHECK(net.main_elements == row.main_1000);
    CHECK(net.moving_elements == row.moving);
    CHECK(net.elements() == row.trainable_1000 + row.moving);
    CHECK(net.trainable_variables == row.trainable_variables);
    CHECK(net.variables == row.variables);
    // The file has three and two decimals.
    CHECK(std::abs(net.macs / 1e9 - row.giga_macs) <= 0.000501);
    CHECK(std::abs(static_cast<double>(net.activations) / 1e6 - row.mega_activations) <= 0.00501);
    CHECK(net_statistics(row.model, {.num_classes = 1001}).trainable_elements == row.trainable_1001);
  }
}

TEST_CASE("net statistics: resnet50_v1_5 has its published parameters and multiply-adds") {
  const NetStatistics net = net_statistics("resnet50_v1_5", {.num_classes = 1000});
  CHECK(net.trainable_elements == 25'557'032);
  CHECK(std::abs(net.macs / 1e9 - 4.089) <= 0.000501);
}

TEST_CASE("net statistics: of one image, whatever the batch and the mode") {
  const NetStatistics one = net_statistics("nasnet_cifar", {.batch_size = 1, .mode = Mode::evaluation});
  const NetStatistics many = net_statistics("nasnet_cifar", {.batch_size = 8, .mode = Mode::training});
  CHECK(one.macs == many.macs);
  CHECK(one.activations == many.activations);
  CHECK(one.trainable_elements == many.trainable_elements);
}

TEST_CASE("net statistics: the layers' sums are those of the net") {
  for (const char* name : {"lenet", "inception_v3", "mobilenet_v2", "nasnet_cifar", "resnet_v2_50"}) {
    INFO(name);
    const NetStatistics net = net_statistics(name, {.num_classes = 1000});
    LayerStatistics sum;
    for (const LayerStatistics& layer : layer_statistics(name, {.num_classes = 1000})) {
      sum.trainable_elements += layer.trainable_elements;
      sum.macs += layer.macs;
      sum.activations += layer.activations;
    }
    CHECK(sum.trainable_elements == net.trainable_elements);
    CHECK(sum.macs == net.macs);
    CHECK(sum.activations == net.activations);
  }
}

#include "bench/plan_cost.h"

#include <fstream>
#include <map>
#include <sstream>

#include "engine/base/error.h"
#include "nets/net_table.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

using namespace fastnn;
using namespace fastnn::bench;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

const Machine& h200() {
  return find_machine("h200");
}

/// What a net's training step moves, from a table beside this file.
struct Bound {
  double f1_mb = 0;
  double most_share = 0;
  int most_launches = 0;
};

std::map<std::string, Bound> bounds() {
  std::map<std::string, Bound> result;
  std::ifstream file(source_dir() + "/tests/bench/step_bytes.tsv");
  REQUIRE(file);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("model")) continue;
    std::istringstream fields(line);
    std::string model;
    Bound bound;
    fields >> model >> bound.f1_mb >> bound.most_share >> bound.most_launches;
    REQUIRE(fields);
    result[model] = bound;
  }
  return result;
}

}  // namespace

TEST_CASE("plan cost: totals are the sums of the rows, and each launch is counted") {
  const PlanCost cost = plan_cost({.model_name = "cifarnet", .batch_size = 2, .num_classes = 10}, h200());
  Cost sum;
  int launches = 0;
  double seconds = 0;
  for (const PlanCostRow& row : cost.rows) {
    sum += row.cost;
    launches += row.launches;
    seconds += row.roof_seconds;
  }
  CHECK(sum.flops == Approx(cost.total.cost.flops));
  CHECK(sum.bytes_read == Approx(cost.total.cost.bytes_read));
  CHECK(sum.bytes_written == Approx(cost.total.cost.bytes_written));
  CHECK(sum.parameter_bytes == Approx(cost.total.cost.parameter_bytes));
  CHECK(seconds == Approx(cost.total.roof_seconds));
  CHECK(launches == cost.total.launches);
}

TEST_CASE("plan cost: FLOPs and activation bytes grow with the batch, weights' bytes do not") {
  const auto cost = [](std::int64_t batch) {
    return plan_cost({.model_name = "cifarnet", .batch_size = batch, .num_classes = 10}, h200()).total;
  };
  const PlanCostRow one = cost(1), four = cost(4);
  CHECK(four.launches == one.launches);
  CHECK(four.cost.flops == Approx(4 * one.cost.flops).epsilon(0.01));
  CHECK(four.cost.activation_bytes() == Approx(4 * one.cost.activation_bytes()).epsilon(0.01));
  CHECK(four.cost.parameter_bytes == one.cost.parameter_bytes);
}

TEST_CASE("plan cost: the roof is the longer of the time for FLOPs and the time for bytes") {
  const Machine machine{.name = "slide rule", .flops_per_second = 10, .bytes_per_second = 2};
  CHECK(machine.roof_seconds({.flops = 100, .bytes_read = 4, .bytes_written = 6}) == 10);
  CHECK(machine.roof_seconds({.flops = 100, .bytes_read = 4, .bytes_written = 26, .parameter_bytes = 10}) ==
        20);
  CHECK_THROWS_WITH(find_machine("abacus"), Contains("h200") && Contains("abacus"));
}

TEST_CASE("plan cost: no net's step moves more bytes or has more launches than its row says") {
  constexpr std::int64_t kBatch = 8;
  const auto known = bounds();
  for (const NetEntry& entry : net_table()) {
    if (entry.name == "resnet50_v1_5") continue;
    CAPTURE(entry.name);
    REQUIRE(known.contains(std::string(entry.name)));
    const Bound& bound = known.at(std::string(entry.name));
    const PlanCostRow total =
        plan_cost({.model_name = std::string(entry.name), .batch_size = kBatch}, h200()).total;
    const double mb = 1e-6 * total.cost.activation_bytes() / kBatch;
    CAPTURE(mb, mb / bound.f1_mb, total.launches);
    CHECK(mb <= bound.most_share * bound.f1_mb);
    CHECK(total.launches <= bound.most_launches);
  }
}

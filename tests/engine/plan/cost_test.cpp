#include "engine/plan/cost.h"

#include "engine/graph/ops/dense.h"
#include "engine/graph/ops/reshape.h"
#include "engine/graph/ops/slice.h"
#include "tests/support/catch.h"

using namespace fastnn;

namespace {

double four_bytes(Value) {
  return 4;
}

}  // namespace

TEST_CASE("cost: a dense layer reads x, writes y and keeps its weights apart") {
  Graph graph;
  const Value x = graph.add_input("x", {8, 16});
  const Value w = graph.add_parameter("w", {16, 5}, {});
  graph.add_single("y", std::make_shared<Dense>(), {x, w});
  const Cost cost = cost_of(graph, graph.nodes()[0], four_bytes);
  CHECK(cost.flops == 2 * 8 * 16 * 5);
  CHECK(cost.bytes_read == 4 * 8 * 16);
  CHECK(cost.bytes_written == 4 * 8 * 5);
  CHECK(cost.parameter_bytes == 4 * 16 * 5);
  CHECK(cost.bytes() == 4 * (8 * 16 + 8 * 5 + 16 * 5));
}

TEST_CASE("cost: a slice reads what it writes, a view costs nothing") {
  Graph graph;
  const Value x = graph.add_input("x", {2, 4, 4, 8});
  channel_slice(graph, x, {.begin = 2, .count = 3}, "slice");
  graph.add_single("view", std::make_shared<Reshape>(Shape{2, 128}), {x});
  const Cost slice = cost_of(graph, graph.nodes()[0], four_bytes);
  CHECK(slice.bytes_read == 4 * 2 * 4 * 4 * 3);
  CHECK(slice.bytes_written == slice.bytes_read);
  CHECK(slice.flops == 0);
  CHECK(cost_of(graph, graph.nodes()[1], four_bytes).bytes() == 0);
}

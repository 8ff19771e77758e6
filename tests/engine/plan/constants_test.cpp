#include "engine/plan/constants.h"

#include "engine/graph/ops/batch_norm.h"
#include "engine/graph/ops/softmax.h"
#include "tests/support/catch.h"

using namespace fastnn;

TEST_CASE("constants: what depends on parameters alone is one, what reads an input is not") {
  Graph graph;
  const Value w = graph.add_parameter("w", {2, 3}, {});
  const Value x = graph.add_input("x", {2, 3});
  const Value a = softmax(graph, w, "a");
  softmax(graph, a, "b");
  softmax(graph, x, "c");
  CHECK(constant_nodes(graph) == std::vector{true, true, false});
}

TEST_CASE("constants: the rstd of frozen batch norms is one, moving averages in training are none") {
  for (const BatchNormMode mode : {BatchNormMode::frozen, BatchNormMode::training}) {
    Graph graph;
    const Value x = graph.add_input("x", {2, 3});
    const auto variables = add_batch_norm_variables(graph, 3, BatchNormScale::with_gamma, "norm");
    batch_norm(graph, x, variables, {.mode = mode}, "y");
    const auto constants = constant_nodes(graph);
    CHECK(std::ranges::count(constants, true) == (mode == BatchNormMode::frozen ? 1 : 0));
  }
}

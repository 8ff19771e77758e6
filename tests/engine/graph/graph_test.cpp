#include "engine/graph/graph.h"

#include "engine/graph/ops/add.h"
#include "engine/graph/ops/relu.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::tests;

TEST_CASE("graph: outputs are named like their operation, further ones with a number") {
  Graph graph;
  const Value x = graph.add_input("x", {2, 3});
  const Value y = relu(graph, x, "net/Relu");
  CHECK(graph.name(y) == "net/Relu");
  CHECK(graph.shape(y) == Shape{2, 3});
  CHECK(graph.nodes().size() == 1);
  CHECK(graph.info(y).source == Source::operation);
}

TEST_CASE("graph: a name taken is refused and named") {
  Graph graph;
  const Value x = graph.add_input("x", {2, 3});
  relu(graph, x, "y");
  CHECK_THAT(message_of<UsageError>([&] { relu(graph, x, "y"); }), Catch::Contains("y"));
  CHECK_THAT(message_of<UsageError>([&] { graph.add_input("x", {1}); }), Catch::Contains("x"));
}

TEST_CASE("graph: operands that do not fit are refused with both shapes") {
  Graph graph;
  const Value a = graph.add_input("a", {2, 3});
  const Value b = graph.add_input("b", {2, 4});
  const auto message = message_of<UsageError>([&] {
    graph.add_single("sum", std::make_shared<Add>(), {a, b});
  });
  CHECK_THAT(message, Catch::Contains("[2,3]") && Catch::Contains("[2,4]"));
}

TEST_CASE("graph: a copy goes its own way and handles stay good in both") {
  Graph graph;
  const Value x = graph.add_input("x", {2, 3});
  const Value y = relu(graph, x, "y");
  Graph copy = graph;
  const Value z = relu(copy, y, "z");
  CHECK(copy.name(z) == "z");
  CHECK(copy.nodes().size() == 2);
  CHECK(graph.nodes().size() == 1);
  CHECK(copy.name(x) == graph.name(x));
}

TEST_CASE("graph: replaced nodes must stand in an order in which they can run") {
  Graph graph;
  const Value x = graph.add_input("x", {2, 3});
  relu(graph, relu(graph, x, "y"), "z");
  std::vector<Node> nodes = graph.nodes();
  graph.replace_nodes(nodes);
  CHECK(graph.nodes().size() == 2);
  std::swap(nodes[0], nodes[1]);
  CHECK_THROWS_AS(graph.replace_nodes(nodes), UsageError);
}

#include "engine/passes/rewrite.h"

#include <array>

#include "engine/graph/ops/add.h"
#include "engine/graph/ops/relu.h"
#include "tests/support/catch.h"

using namespace fastnn;

TEST_CASE("rewrite: makers, readers and kept values are known") {
  Graph graph;
  const Value x = graph.add_input("x", {2, 3});
  const Value a = relu(graph, x, "a");
  const Value b = relu(graph, a, "b");
  const Value c = graph.add_single("c", std::make_shared<Add>(), {a, b});
  const Rewrite rewrite(graph, std::array{c});
  CHECK(rewrite.maker(x) == -1);
  CHECK(rewrite.maker(a) == 0);
  CHECK(rewrite.readers(a) == std::vector{1, 2});
  CHECK(rewrite.only_reader(a) == -1);
  CHECK(rewrite.only_reader(b) == 2);
  CHECK(rewrite.only_reader(c) == -1);
  CHECK(rewrite.reader(a, "add") == 2);
  CHECK(rewrite.maker(c, "add") != nullptr);
  CHECK(rewrite.maker(c, "relu") == nullptr);
}

TEST_CASE("rewrite: a value that is read from outside has no only reader") {
  Graph graph;
  const Value a = relu(graph, graph.add_input("x", {2, 3}), "a");
  relu(graph, a, "b");
  CHECK(Rewrite(graph, {}).only_reader(a) == 1);
  CHECK(Rewrite(graph, std::array{a}).only_reader(a) == -1);
}

TEST_CASE(
    "rewrite: the last reader of a value is the last in order, and none where it is read from outside") {
  Graph graph;
  const Value a = relu(graph, graph.add_input("x", {2, 3}), "a");
  relu(graph, a, "b");
  relu(graph, a, "c");
  CHECK_FALSE(Rewrite(graph, {}).is_last_reader(a, 1));
  CHECK(Rewrite(graph, {}).is_last_reader(a, 2));
  CHECK_FALSE(Rewrite(graph, std::array{a}).is_last_reader(a, 2));
}

TEST_CASE("rewrite: replaced and removed nodes are gone from readers and makers") {
  Graph graph;
  const Value x = graph.add_input("x", {2, 3});
  const Value a = relu(graph, x, "a");
  const Value b = relu(graph, a, "b");
  Rewrite rewrite(graph, std::array{b});
  Node direct = rewrite.node(1);
  direct.inputs = {x};
  rewrite.remove(0);
  rewrite.replace(1, direct);
  CHECK(rewrite.readers(x) == std::vector{1});
  CHECK(rewrite.readers(a).empty());
  CHECK(rewrite.maker(a) == -1);
  CHECK(rewrite.nodes().size() == 1);
  CHECK(rewrite.node(0, "relu") == nullptr);
}

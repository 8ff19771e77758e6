#include "engine/graph/autograd.h"

#include <algorithm>
#include <array>

#include "engine/graph/ops/add.h"
#include "engine/graph/ops/dense.h"
#include "engine/graph/ops/relu.h"
#include "tests/support/catch.h"

using namespace fastnn;

namespace {

auto nodes_of_kind(const Graph& graph, std::string_view kind) {
  return std::ranges::count_if(graph.nodes(),
                               [&](const Node& node) { return node.operation->kind() == kind; });
}

Value add(Graph& graph, Value a, Value b, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Add>(), {a, b});
}

}  // namespace

TEST_CASE("autograd: gradients of a value that is read twice are summed once") {
  Graph graph;
  const Value x = graph.add_input("x", {2, 3});
  const Value y = add(graph, relu(graph, x, "a"), relu(graph, x, "b"), "y");
  const Value dy = graph.add_input("dy", {2, 3});
  const auto gradients = add_gradients(graph, std::array{OutputGradient{y, dy}}, std::array{x});
  REQUIRE(gradients.contains(x));
  CHECK(graph.name(gradients.at(x)) == "x/gradient/sum1");
  CHECK(nodes_of_kind(graph, "add") == 2);
  CHECK(nodes_of_kind(graph, "relu_gradient") == 2);
}

TEST_CASE("autograd: nothing is computed for what is not wanted") {
  Graph graph;
  const Value x = graph.add_input("x", {2, 3});
  const Value w = graph.add_parameter("w", {3, 4}, {ConstantInitializer{0.0}});
  const Value y = dense(graph, relu(graph, x, "a"), w, "y");
  const Value dy = graph.add_input("dy", {2, 4});
  const auto gradients = add_gradients(graph, std::array{OutputGradient{y, dy}}, std::array{w});
  CHECK(gradients.size() == 1);
  CHECK(nodes_of_kind(graph, "relu_gradient") == 0);
}

TEST_CASE("autograd: a value that no output depends on is left out") {
  Graph graph;
  const Value x = graph.add_input("x", {2, 3});
  const Value other = graph.add_input("other", {2, 3});
  const Value y = relu(graph, x, "y");
  const Value dy = graph.add_input("dy", {2, 3});
  const auto gradients = add_gradients(graph, std::array{OutputGradient{y, dy}}, std::array{x, other});
  CHECK(gradients.contains(x));
  CHECK_FALSE(gradients.contains(other));
}

TEST_CASE("autograd: a parameter's gradient has the native layout") {
  Graph graph;
  const Value x = graph.add_input("x", {2, 3});
  const Value w = graph.add_parameter("w", {3, 4}, {ConstantInitializer{0.0}});
  const Value y = dense(graph, x, w, "y");
  const Value dy = graph.add_input("dy", {2, 4});
  const auto gradients = add_gradients(graph, std::array{OutputGradient{y, dy}}, std::array{x, w});
  CHECK(graph.info(gradients.at(w)).layout == Layout::native);
  CHECK(graph.info(gradients.at(x)).layout == Layout::dense);
}

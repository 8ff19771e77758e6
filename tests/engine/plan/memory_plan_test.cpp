#include "engine/plan/memory_plan.h"

#include <array>

#include "engine/graph/ops/add.h"
#include "engine/graph/ops/relu.h"
#include "engine/graph/ops/reshape.h"
#include "engine/graph/ops/softmax.h"
#include "engine/plan/constants.h"
#include "tests/support/catch.h"

using namespace fastnn;

namespace {

constexpr std::size_t kBytes = 64 * 64 * 4;

/// Operations that cannot work in place.
Value step(Graph& graph, Value x, const std::string& name) {
  return softmax(graph, x, name);
}

MemoryPlan plan_of(const Graph& graph, std::span<const Value> keep, MemoryReuse reuse = MemoryReuse::on) {
  static const std::unordered_set<Value> external;
  return MemoryPlan({.graph = graph,
                     .bytes = [](Value) { return kBytes; },
                     .keep = keep,
                     .external = external,
                     .constants = constant_nodes(graph),
                     .reuse = reuse});
}

}  // namespace

TEST_CASE("memory plan: values whose lifetimes do not meet share memory") {
  Graph graph;
  const Value x = graph.add_input("x", {64, 64});
  const Value a = step(graph, x, "a");
  const Value b = step(graph, a, "b");
  const Value c = step(graph, b, "c");
  const Value d = step(graph, c, "d");
  const MemoryPlan plan = plan_of(graph, std::array{d});
  CHECK(plan.offset(a) == plan.offset(c));
  CHECK(plan.offset(a) != plan.offset(b));
  CHECK(plan.arena_bytes() == 3 * kBytes);
  CHECK(plan.bytes_without_reuse() == 5 * kBytes);
  CHECK(plan.peak_live_bytes() == 3 * kBytes);
}

TEST_CASE("memory plan: without reuse every value has memory of its own") {
  Graph graph;
  const Value x = graph.add_input("x", {64, 64});
  const Value a = relu(graph, x, "a");
  const Value b = relu(graph, a, "b");
  const MemoryPlan plan = plan_of(graph, std::array{b}, MemoryReuse::off);
  CHECK(plan.arena_bytes() == 3 * kBytes);
  CHECK(plan.offset(a) != plan.offset(b));
}

TEST_CASE("memory plan: an operation works in place only where nobody reads its input later") {
  Graph graph;
  const Value x = graph.add_input("x", {64, 64});
  const Value a = step(graph, x, "a");
  const Value last_reader = relu(graph, a, "last");
  const Value b = step(graph, last_reader, "b");
  const Value early = relu(graph, b, "early");
  const Value sum = graph.add_single("sum", std::make_shared<Add>(), {early, b});
  const MemoryPlan plan = plan_of(graph, std::array{sum});
  CHECK(plan.offset(last_reader) == plan.offset(a));
  CHECK(plan.offset(early) != plan.offset(b));
}

TEST_CASE("memory plan: inputs and kept values are never taken over") {
  Graph graph;
  const Value x = graph.add_input("x", {64, 64});
  const Value a = relu(graph, x, "a");
  const Value b = relu(graph, a, "b");
  const MemoryPlan plan = plan_of(graph, std::array{a, b});
  CHECK(plan.offset(a) != plan.offset(x));
  CHECK(plan.offset(b) != plan.offset(a));
}

TEST_CASE("memory plan: a view lies on its value and keeps it alive") {
  Graph graph;
  const Value x = graph.add_input("x", {64, 64});
  const Value a = step(graph, x, "a");
  const Value view = reshape(graph, a, {64 * 64, 1}, "view");
  const Value b = step(graph, x, "b");
  const Value c = step(graph, b, "c");
  const MemoryPlan plan = plan_of(graph, std::array{view, c});
  CHECK(plan.offset(view) == plan.offset(a));
  CHECK(plan.root(view) == a);
  CHECK(plan.offset(b) != plan.offset(a));
  CHECK(plan.offset(c) != plan.offset(a));
}

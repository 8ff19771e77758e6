#include "engine/graph/graph.h"

#include "engine/graph/ops/scale.h"
#include "engine/plan/plan.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

/// A counter that doubles in each run.
struct Counter {
  Counter() {
    counter =
        graph.add_parameter("counter", {2}, {.initializer = ConstantInitializer{1}, .trainable = false});
    doubled = scale(graph, counter, 2, "doubled");
  }

  std::string refusal_of_assigning(Value parameter, Value value) {
    return message_of<UsageError>([&] { graph.assign(parameter, value); });
  }

  Graph graph;
  Value counter;
  Value doubled;
};

}  // namespace

TEST_CASE("graph: an assigned value is the variable's value after the run, sharing memory or not") {
  for (const DeviceEntry& entry : device_table())
    for (const MemoryReuse reuse : {MemoryReuse::on, MemoryReuse::off}) {
      const auto device = make_device(entry.name, 0);
      Counter c;
      c.graph.assign(c.counter, c.doubled);
      TrainState state(c.graph, c.graph.parameters(), *device);
      state.initialize(0);
      Plan plan(c.graph, state, {.keep = {c.doubled}, .reuse = reuse});
      plan.load();
      for (int run = 0; run < 3; ++run) plan.run();
      CHECK(plan.read(c.doubled).as(Dtype::f64).values<double>()[1] == 8);
      CHECK(state.read_weights(state.parameter("counter")).as(Dtype::f64).values<double>()[0] == 8);
    }
}

TEST_CASE("graph: what cannot be assigned is refused") {
  Counter c;
  const Value weights = c.graph.add_parameter("weights", {2}, {});
  const Value input = c.graph.add_input("input", {2});
  const Value small = c.graph.add_parameter("small", {1}, {.trainable = false});
  CHECK(c.refusal_of_assigning(weights, c.doubled) ==
        "[graph] only a variable that is not trainable can be assigned to, got weights");
  CHECK(c.refusal_of_assigning(c.counter, input) ==
        "[graph] counter [2] needs the result of an operation of its shape, got input [2]");
  CHECK(c.refusal_of_assigning(small, c.doubled) ==
        "[graph] small [1] needs the result of an operation of its shape, got doubled [2]");
  c.graph.assign(c.counter, c.doubled);
  CHECK(c.refusal_of_assigning(c.counter, c.doubled) ==
        "[graph] counter is assigned to twice, the second time by doubled");
}

TEST_CASE("plan: an operation that reads a variable after it was assigned to is refused") {
  const auto device = make_device("reference", 0);
  Counter c;
  c.graph.assign(c.counter, c.doubled);
  scale(c.graph, c.counter, 3, "late");
  TrainState state(c.graph, c.graph.parameters(), *device);
  CHECK(message_of<UsageError>([&] { Plan(c.graph, state, {}); }) ==
        "[plan] late reads counter after an operation has assigned to it");
}

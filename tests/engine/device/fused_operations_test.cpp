#include "tests/support/case_runner.h"
#include "tests/support/catch.h"
#include "tests/support/fused_cases.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

std::vector<Tensor> run(const FusedCase& fused_case, const FusedCase::Build& build, Device& device) {
  Graph graph;
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < fused_case.inputs.size(); ++i)
    inputs.push_back(graph.add_input(fmt::format("in{}", i), fused_case.inputs[i]));
  const std::vector<Value> outputs = build(graph, inputs);
  TrainState state(graph, {}, device);
  Plan plan(graph, state, {.keep = outputs});
  plan.load();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    plan.write(inputs[i], Tensor::of<double>(fused_case.inputs[i],
                                             golden_values(fmt::format("{}/{}", fused_case.name, i),
                                                           fused_case.inputs[i].elements())));
  plan.run();
  std::vector<Tensor> results;
  for (const Value output : outputs) results.push_back(plan.read(output).as(Dtype::f64));
  return results;
}

}  // namespace

TEST_CASE("fused operations: each gives the bits of the operations it replaces, on every device") {
  for (const DeviceEntry& entry : device_table()) {
    const auto device = make_device(entry.name, 0);
    for (const FusedCase& fused_case : fused_cases()) {
      INFO(entry.name << ": " << fused_case.name);
      const auto composed = run(fused_case, fused_case.composed, *device);
      const auto fused = run(fused_case, fused_case.fused, *device);
      REQUIRE(fused.size() == composed.size());
      for (std::size_t i = 0; i < fused.size(); ++i) CHECK(relative_difference(fused[i], composed[i]) == 0);
    }
  }
}

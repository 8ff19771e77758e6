#include "tests/support/bf16.h"
#include "tests/support/case_runner.h"
#include "tests/support/catch.h"
#include "tests/support/fused_cases.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

/// What is per channel stays f32.
std::vector<Tensor> run(const FusedCase& fused_case, const FusedCase::Build& build, Device& device,
                        Dtype type = Dtype::f32) {
  Graph graph;
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < fused_case.inputs.size(); ++i)
    inputs.push_back(graph.add_input(fmt::format("in{}", i), fused_case.inputs[i],
                                     fused_case.inputs[i].rank() > 1 ? type : Dtype::f32));
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

TEST_CASE(
    "fused operations: in bf16 each differs from what it replaces by the roundings that it leaves out") {
  // At most two results in between are not rounded: each could have changed the result by one rounding.
  constexpr double kBound = 3 * kernels::Bfloat16::kRounding;
  const auto device = make_device("cpu", 0);
  if (skip_without_bf16(*device)) return;
  for (const FusedCase& fused_case : fused_cases()) {
    INFO(fused_case.name);
    const auto composed = run(fused_case, fused_case.composed, *device, Dtype::bf16);
    const auto fused = run(fused_case, fused_case.fused, *device, Dtype::bf16);
    for (std::size_t i = 0; i < fused.size(); ++i)
      CHECK(relative_difference(fused[i], composed[i]) <= kBound);
  }
}

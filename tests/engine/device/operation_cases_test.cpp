#include <cmath>
#include <set>

#include "engine/graph/ops/fused_layer.h"
#include "tests/support/bf16.h"
#include "tests/support/case_runner.h"
#include "tests/support/catch.h"
#include "tests/support/fused_cases.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

constexpr std::string_view kReference = "reference";

/// sum(y * dy), with the runner's own dy.
double loss(const CaseResult& result) {
  const auto y = result.y.values<double>();
  const auto dy = golden_values("dy", result.y.elements());
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
  return sum;
}

/// Central differences of sum(y * dy) over every element of one operand.
Tensor central_differences(CaseRunner& runner, CaseValues values, const std::string& operand) {
  constexpr double kStep = 1e-5;
  Tensor& x = values.at(operand);
  Tensor gradient(Dtype::f64, x.shape());
  for (std::int64_t i = 0; i < x.elements(); ++i) {
    double& element = x.values<double>()[static_cast<std::size_t>(i)];
    const double center = element;
    element = center + kStep;
    const double above = loss(runner.run(values));
    element = center - kStep;
    const double below = loss(runner.run(values));
    element = center;
    gradient.values<double>()[static_cast<std::size_t>(i)] = (above - below) / (2 * kStep);
  }
  return gradient;
}

void check_same(const CaseResult& result, const CaseResult& expected, double tolerance) {
  CHECK(relative_difference(result.y, expected.y) <= tolerance);
  REQUIRE(result.gradients.size() == expected.gradients.size());
  for (const auto& [operand, gradient] : expected.gradients) {
    INFO("gradient of " << operand);
    CHECK(relative_difference(result.gradients.at(operand), gradient) <= tolerance);
  }
}

}  // namespace

TEST_CASE("operations: gradients equal central differences in double") {
  // One thread: thousands of tiny runs, whose threads would mostly wait for each other.
  const auto reference = make_device(kReference, 1);
  for (const OperationCase& operation_case : operation_cases()) {
    if (operation_case.real_layer) continue;
    INFO(operation_case.name);
    CaseRunner runner(operation_case, *reference);
    const CaseValues values = case_values(operation_case);
    const CaseResult result = runner.run(values);
    REQUIRE_FALSE(result.gradients.empty());
    for (const auto& [operand, gradient] : result.gradients) {
      INFO("gradient of " << operand);
      // Step 1e-5 in double: truncation and rounding stay below 1e-8 of values of order 1 (softmax inputs go
      // to 4).
      CHECK(relative_difference(gradient, central_differences(runner, values, operand)) <= 1e-7);
    }
  }
}

TEST_CASE("operations: every device agrees with the reference, forward and gradient") {
  const auto reference = make_device(kReference, 0);
  for (const DeviceEntry& entry : device_table()) {
    if (entry.name == kReference) continue;
    const auto device = make_device(entry.name, 0);
    for (const OperationCase& operation_case : operation_cases()) {
      INFO(entry.name << ": " << operation_case.name);
      const CaseValues values = case_values(operation_case);
      CaseRunner expected(operation_case, *reference);
      CaseRunner runner(operation_case, *device);
      check_same(runner.run(values), expected.run(values), operation_case.tolerance);
    }
  }
}

TEST_CASE("operations: in bf16 every device agrees with the reference but for the rounding of results") {
  // Operands are exact in bf16 and sums are f32, so what differs is the rounding of each operation's result.
  // A case and its gradient chain at most four of them.
  constexpr double kBound = 4 * kernels::Bfloat16::kRounding;
  const auto reference = make_device(kReference, 0);
  for (const DeviceEntry& entry : device_table()) {
    const auto device = make_device(entry.name, 0);
    if (entry.name == kReference || skip_without_bf16(*device)) continue;
    for (const OperationCase& operation_case : operation_cases()) {
      INFO(entry.name << ": " << operation_case.name);
      const CaseValues values = case_values_in_bf16(operation_case);
      CaseRunner expected(operation_case, *reference, Dtype::bf16, MemoryReuse::on);
      CaseRunner runner(operation_case, *device, Dtype::bf16, MemoryReuse::on);
      check_same(runner.run(values), expected.run(values), kBound);
    }
  }
}

TEST_CASE("operations: sharing memory changes no bit") {
  for (const DeviceEntry& entry : device_table()) {
    const auto device = make_device(entry.name, 0);
    for (const OperationCase& operation_case : operation_cases()) {
      INFO(entry.name << ": " << operation_case.name);
      const CaseValues values = case_values(operation_case);
      CaseRunner with(operation_case, *device);
      CaseRunner without(operation_case, *device, MemoryReuse::off);
      check_same(with.run(values), without.run(values), 0.0);
    }
  }
}

TEST_CASE("operations: a case runs every operation that a net may add") {
  const auto reference = make_device(kReference, 0);
  std::set<std::string> kinds;
  for (const OperationCase& operation_case : operation_cases()) {
    CaseRunner runner(operation_case, *reference);
    for (const Node& node : runner.plan().graph().nodes()) kinds.emplace(node.operation->kind());
  }
  for (const FusedCase& fused_case : fused_cases()) {
    Graph graph;
    std::vector<Value> inputs;
    for (const Shape& shape : fused_case.inputs)
      inputs.push_back(graph.add_input(fmt::format("in{}", inputs.size()), shape));
    fused_case.fused(graph, inputs);
    for (const Node& node : graph.nodes()) kinds.emplace(node.operation->kind());
  }
  // correct_count has no gradient; its own test compares it with golden/losses.json. Layers with epilogues
  // want parameters; tests/engine/device/fused_layer_test.cpp runs them.
  kinds.insert({"correct_count", "batch_norm_fold"});
  for (const LayerKind& kind : layer_kinds()) kinds.emplace(kind.fused);
  for (const std::string_view kind : reference->operation_kinds()) {
    INFO("no row of operation_cases() runs " << kind);
    CHECK(kinds.contains(std::string(kind)));
  }
}

TEST_CASE("operations: all devices run the same operations") {
  const auto reference = make_device(kReference, 0);
  for (const DeviceEntry& entry : device_table()) {
    INFO(entry.name);
    CHECK(make_device(entry.name, 0)->operation_kinds() == reference->operation_kinds());
  }
}

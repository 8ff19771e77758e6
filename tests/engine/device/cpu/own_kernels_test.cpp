#include <algorithm>
#include <iostream>

#include "engine/device/cpu/depthwise_lowering.h"
#include "engine/device/cpu/onednn.h"
#include "engine/graph/ops/conv2d.h"
#include "tests/support/case_groups.h"
#include "tests/support/case_runner.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

std::vector<OperationCase> window_cases() {
  std::vector<OperationCase> cases;
  add_window_cases(cases);
  return cases;
}

bool is_own(const std::vector<LaunchInfo>& launches) {
  return std::ranges::all_of(launches,
                             [](const LaunchInfo& launch) { return launch.implementation == "own"; });
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return std::ranges::equal(a.values<double>(), b.values<double>());
}

/// Results of all cases that our own kernels run alone, with this number of threads.
std::vector<CaseResult> own_results(int threads) {
  const auto device = make_device("cpu", threads);
  std::vector<CaseResult> results;
  for (const OperationCase& operation_case : window_cases()) {
    CaseRunner runner(operation_case, *device);
    if (is_own(runner.plan().launches())) results.push_back(runner.run(case_values(operation_case)));
  }
  return results;
}

/// A kernel far larger than its image: what oneDNN has only reference code for, in its gradients.
OperationCase kernel_larger_than_image() {
  return {.name = "conv2d 17x17 on 7x7",
          .operands = {{"x", {1, 7, 7, 1}}, {"w", {17, 17, 1, 1}, CaseOperand::Role::variable}},
          .build = [](Graph& graph, const std::vector<Value>& o) {
            return conv2d(graph, o[0], o[1], {}, "big");
          }};
}

}  // namespace

TEST_CASE("cpu windows: own kernels give the same bits with one and with three threads") {
  const auto one = own_results(1), three = own_results(3);
  REQUIRE(one.size() > 50);
  REQUIRE(one.size() == three.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(same_bits(one[i].y, three[i].y));
    for (const auto& [operand, gradient] : one[i].gradients)
      CHECK(same_bits(gradient, three[i].gradients.at(operand)));
  }
}

TEST_CASE("cpu windows: no layer of our nets falls to oneDNN's reference code") {
  const auto device = make_device("cpu", 0);
  for (const OperationCase& operation_case : window_cases())
    for (const LaunchInfo& launch : CaseRunner(operation_case, *device).plan().launches()) {
      INFO(operation_case.name << ": " << launch.name << " by " << launch.implementation);
      CHECK_FALSE(contains(launch.implementation, "ref"));
    }
}

TEST_CASE(
    "cpu windows: a convolution that oneDNN has only reference code for is refused when the plan is made") {
  const auto device = make_device("cpu", 0);
  const cpu::OneDnn onednn;
  const auto conv = place_convolution({1, 7, 7, 1}, {17, 17, 1, 1}, {});
  if (!cpu::convolution_weight_gradient(onednn, conv).is_reference_implementation()) {
    std::cout << "skipped: this oneDNN has fast code for a 17x17 kernel on 7x7 pixels\n";
    return;
  }
  const std::string message =
      message_of<UsageError>([&] { CaseRunner(kernel_larger_than_image(), *device); });
  INFO(message);
  CHECK(contains(message, "[cpu] oneDNN has only its reference code for big/gradient/"));
  CHECK(contains(message, "change the layer or its batch size"));
}

TEST_CASE("cpu depthwise: with one output per channel, weights are never padded to whole groups") {
  const cpu::OneDnn onednn;
  for (const std::int64_t size : {3, 5, 7}) {
    const Shape w{size, size, 48, 1};
    INFO(w.text());
    const auto conv = place_depthwise({1, 28, 28, 48}, w, {});
    CHECK(cpu::depthwise_weights(onednn, conv, Dtype::f32).bytes() ==
          static_cast<std::size_t>(w.elements()) * sizeof(float));
  }
}

TEST_CASE("cpu depthwise: oneDNN runs what it has code for and depth multipliers, own kernels the rest") {
  const auto device = make_device("cpu", 0);
  for (const OperationCase& operation_case : window_cases()) {
    if (!operation_case.name.starts_with("depthwise")) continue;
    const bool multiplier = operation_case.operands[1].shape[3] > 1;
    for (const LaunchInfo& launch : CaseRunner(operation_case, *device).plan().launches()) {
      INFO(operation_case.name << ": " << launch.name << " by " << launch.implementation);
      CHECK((multiplier ? launch.implementation != "own"
                        : launch.implementation == "own" || contains(launch.implementation, "dw")));
    }
  }
}

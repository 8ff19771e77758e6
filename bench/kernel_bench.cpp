#include "bench/kernel_bench.h"

#include <algorithm>

#include "bench/net_run.h"
#include "engine/base/error.h"
#include "tests/support/case_runner.h"

namespace fastnn::bench {
namespace {

void add_launch(const LaunchInfo& launch, KernelPass& pass) {
  ++pass.launches;
  pass.flops += launch.cost.flops;
  pass.bytes += launch.cost.bytes();
  auto& known = pass.implementations;
  if (std::ranges::find(known, launch.implementation) == known.end()) known.push_back(launch.implementation);
}

}  // namespace

std::vector<const tests::OperationCase*> kernel_cases(std::string_view filter) {
  std::vector<const tests::OperationCase*> cases;
  for (const tests::OperationCase& row : tests::operation_cases())
    if (row.real_layer && row.name.find(filter) != std::string::npos) cases.push_back(&row);
  if (cases.empty())
    throw UsageError(
        "[bench] no real layer of the case table has \"{}\" in its name; without --filter all run", filter);
  return cases;
}

KernelResult bench_kernel(const tests::OperationCase& operation_case, Device& device,
                          const ProtocolOptions& protocol) {
  tests::CaseRunner runner(operation_case, device);
  runner.run(tests::case_values(operation_case));
  Profile profile(runner.plan().launches());
  KernelResult result{.name = operation_case.name};
  for (const LaunchInfo& launch : profile.launches())
    add_launch(launch, is_backward(launch) ? result.gradient : result.forward);
  const auto call = [&](std::span<double> seconds) {
    profile.clear();
    runner.plan().run(&profile);
    for (std::size_t i = 0; i < profile.launches().size(); ++i)
      seconds[is_backward(profile.launches()[i]) ? 1 : 0] += profile.seconds(i);
  };
  const auto parts = measure_parts(call, 2, protocol).parts;
  result.forward.time = parts[0];
  result.gradient.time = parts[1];
  return result;
}

}  // namespace fastnn::bench

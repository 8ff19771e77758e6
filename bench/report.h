#pragma once

#include <string>
#include <vector>

#include "bench/kernel_bench.h"
#include "bench/machine_peak.h"
#include "bench/net_bench.h"
#include "bench/plan_cost.h"
#include "bench/step_bench.h"

namespace fastnn::bench {

/// Lines for people.
using Lines = std::vector<std::string>;

/// Rates, split of the step, memory.
Lines text_of(const NetResult& result);

/// A table of the launches of a step by kind and implementation.
Lines text_of(const StepBenchResult& result);

/// A table of the launches of a step by kind, per image, and the roof.
Lines text_of(const PlanCost& result);

std::string text_of(const MachinePeak& peak);

/// Head of the table that text_of(KernelResult) fills, a line for each direction.
std::string kernel_head();
Lines text_of(const KernelResult& result, const MachinePeak& peak);

}  // namespace fastnn::bench

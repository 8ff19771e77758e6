#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bench/kernel_bench.h"
#include "bench/machine_peak.h"
#include "bench/net_bench.h"
#include "bench/plan_cost.h"
#include "bench/step_bench.h"

namespace fastnn::bench {

/// What a figure is worth only together with: versions of fastnn, compiler and oneDNN, processor, instruction
/// sets, device, threads, and the protocol.
nlohmann::json surroundings(const Device& device, const ProtocolOptions& protocol);

/// Seconds, bytes, operations: units as the types have them, shares from 0 to 1.
nlohmann::json to_json(const NetResult& result);
nlohmann::json to_json(const StepBenchResult& result);
nlohmann::json to_json(const PlanCost& result);
nlohmann::json to_json(const MachinePeak& peak);
nlohmann::json to_json(const KernelResult& result, const MachinePeak& peak);

}  // namespace fastnn::bench

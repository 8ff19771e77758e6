#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/net_run.h"
#include "engine/plan/cost.h"

namespace fastnn::bench {

/// What a machine can do at most.
struct Machine {
  std::string_view name;
  /// Of 16-bit matrix products, dense.
  double flops_per_second = 0;
  /// Of a copy in device memory, read and written.
  double bytes_per_second = 0;
  /// Bytes of one element of a floating-point activation.
  int activation_bytes = 2;

  /// The longer of the time for its FLOPs and the time for its bytes.
  double roof_seconds(const Cost& cost) const;
};

/// Throws UsageError for an unknown name, with the known ones.
const Machine& find_machine(std::string_view name);
/// "h200, ...".
const std::string& machine_names();

/// Launches of one operation kind in a step.
struct PlanCostRow {
  std::string kind;
  int launches = 0;
  Cost cost;
  /// Sum of the launches' roofs.
  double roof_seconds = 0;
};

/// What a training step moves and computes, the optimizer's update left out.
struct PlanCost {
  NetRunOptions options;
  std::int64_t image_size = 0;
  Machine machine;
  /// The longest roof first.
  std::vector<PlanCostRow> rows;
  PlanCostRow total = {.kind = "total"};
};

/// Counts the launches of a net's training step after all passes, without running anything. Throws UsageError
/// as build_network does.
PlanCost plan_cost(const NetRunOptions& options, const Machine& machine);

}  // namespace fastnn::bench

#include "bench/plan_cost.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/plan/constants.h"
#include "optim/training_graph.h"

namespace fastnn::bench {
namespace {

/// H200: dense 16-bit tensor-core rate and copy bandwidth as measured on one, below its data sheet.
constexpr Machine kMachines[] = {
    {.name = "h200", .flops_per_second = 790e12, .bytes_per_second = 4.3e12, .activation_bytes = 2},
};

std::string list_machines() {
  std::vector<std::string_view> names;
  for (const Machine& machine : kMachines) names.push_back(machine.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Weights and per-channel figures stay float32.
ElementSize element_size(const Graph& graph, const Machine& machine) {
  return [&graph, &machine](Value value) -> double {
    const ValueInfo& info = graph.info(value);
    const bool is_activation =
        info.spec.dtype == Dtype::f32 && info.layout == Layout::dense && info.spec.shape.rank() > 1;
    return is_activation ? machine.activation_bytes : static_cast<double>(size_of(info.spec.dtype));
  };
}

void add(PlanCostRow& row, const Cost& cost, const Machine& machine) {
  ++row.launches;
  row.cost += cost;
  row.roof_seconds += machine.roof_seconds(cost);
}

PlanCostRow& row_of(std::vector<PlanCostRow>& rows, std::string_view kind) {
  const auto known = std::ranges::find(rows, kind, &PlanCostRow::kind);
  return known != rows.end() ? *known : rows.emplace_back(PlanCostRow{.kind = std::string(kind)});
}

}  // namespace

double Machine::roof_seconds(const Cost& cost) const {
  return std::max(cost.flops / flops_per_second, cost.bytes() / bytes_per_second);
}

const Machine& find_machine(std::string_view name) {
  const auto* known = std::ranges::find(kMachines, name, &Machine::name);
  if (known == std::end(kMachines))
    throw UsageError("--device must be one of {}, got \"{}\"", machine_names(), name);
  return *known;
}

const std::string& machine_names() {
  static const std::string names = list_machines();
  return names;
}

PlanCost plan_cost(const NetRunOptions& options, const Machine& machine) {
  Network net = build_net(options, Mode::training);
  PlanCost result{.options = options, .image_size = net.graph.shape(net.images)[1], .machine = machine};
  optim::TrainingGraph training = optim::differentiate(std::move(net.graph), net.loss);
  optim::rewrite(training, {.keep = {net.cross_entropy, net.correct}, .disabled = {}});
  const ElementSize size = element_size(training.graph, machine);
  const std::vector<bool> is_constant = constant_nodes(training.graph);
  for (std::size_t i = 0; i < is_constant.size(); ++i) {
    const Node& node = training.graph.nodes()[i];
    if (node.operation->is_view() || is_constant[i]) continue;
    const Cost cost = cost_of(training.graph, node, size);
    add(row_of(result.rows, node.operation->kind()), cost, machine);
    add(result.total, cost, machine);
  }
  std::ranges::stable_sort(result.rows, std::ranges::greater(), &PlanCostRow::roof_seconds);
  return result;
}

}  // namespace fastnn::bench

#include "engine/plan/memory_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/core/align.h"

namespace fastnn {
namespace {

constexpr int kForever = std::numeric_limits<int>::max();

std::size_t index(Value value) {
  return static_cast<std::size_t>(value.id);
}

}  // namespace

MemoryPlan::MemoryPlan(const MemoryRequest& request) {
  resolve_views(request);
  find_last_uses(request);
  make_groups(request);
  place_groups();
  measure_peak(static_cast<int>(request.graph.nodes().size()));
}

std::optional<std::size_t> MemoryPlan::offset(Value value) const {
  const int group = group_of_[index(root(value))];
  if (group < 0) return std::nullopt;
  return groups_[static_cast<std::size_t>(group)].offset;
}

void MemoryPlan::resolve_views(const MemoryRequest& request) {
  roots_.resize(static_cast<std::size_t>(request.graph.value_count()));
  for (std::size_t id = 0; id < roots_.size(); ++id) roots_[id] = {static_cast<int>(id)};
  for (const Node& node : request.graph.nodes())
    if (node.operation->is_view()) roots_[index(node.outputs[0])] = root(node.inputs[0]);
}

void MemoryPlan::find_last_uses(const MemoryRequest& request) {
  last_uses_.assign(roots_.size(), -1);
  const auto& nodes = request.graph.nodes();
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    for (const Value output : nodes[static_cast<std::size_t>(i)].outputs) last_uses_[index(root(output))] = i;
    for (const Value input : nodes[static_cast<std::size_t>(i)].inputs) last_uses_[index(root(input))] = i;
  }
  for (const Value kept : request.keep) last_uses_[index(root(kept))] = kForever;
}

bool MemoryPlan::takes_over(const MemoryRequest& request, int node_index) const {
  const Node& node = request.graph.nodes()[static_cast<std::size_t>(node_index)];
  const auto input = node.operation->in_place_input();
  if (request.reuse == MemoryReuse::off || !input) return false;
  const Value source = node.inputs[static_cast<std::size_t>(*input)];
  const int group = group_of_[index(root(source))];
  if (group < 0) return false;
  const Group& memory = groups_[static_cast<std::size_t>(group)];
  return !memory.pinned && memory.last == node_index &&
         memory.bytes >= aligned(request.bytes(node.outputs[0]));
}

void MemoryPlan::make_groups(const MemoryRequest& request) {
  group_of_.assign(roots_.size(), -1);
  const auto add = [&](Value value, int first) {
    const std::size_t bytes = aligned(request.bytes(value));
    bytes_without_reuse_ += bytes;
    const bool pinned =
        request.reuse == MemoryReuse::off || last_uses_[index(value)] == kForever || first < 0;
    group_of_[index(value)] = static_cast<int>(groups_.size());
    groups_.push_back({bytes, first, pinned ? kForever : last_uses_[index(value)], pinned});
  };
  for (const Value input : request.graph.inputs()) add(input, -1);
  const auto& nodes = request.graph.nodes();
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    const Node& node = nodes[static_cast<std::size_t>(i)];
    for (std::size_t o = 0; o < node.outputs.size(); ++o) {
      const Value output = node.outputs[o];
      if (root(output) != output || request.external.contains(output)) continue;
      const bool is_constant = request.constants[static_cast<std::size_t>(i)];
      if (o == 0 && !is_constant && takes_over(request, i)) {
        const auto source = node.inputs[static_cast<std::size_t>(*node.operation->in_place_input())];
        const int group = group_of_[index(root(source))];
        group_of_[index(output)] = group;
        Group& memory = groups_[static_cast<std::size_t>(group)];
        memory.last = last_uses_[index(output)];
        memory.pinned = memory.last == kForever;
        bytes_without_reuse_ += aligned(request.bytes(output));
      } else {
        add(output, is_constant ? -1 : i);
      }
    }
  }
}

/// Largest first, each at the lowest offset that is free during its whole life.
void MemoryPlan::place_groups() {
  std::vector<std::size_t> order(groups_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return groups_[i].bytes; });
  std::vector<std::size_t> placed;
  for (const std::size_t i : order) {
    Group& group = groups_[i];
    std::size_t offset = 0;
    for (const std::size_t j : placed) {
      const Group& other = groups_[j];
      const bool alive_together = group.first <= other.last && other.first <= group.last;
      if (!alive_together) continue;
      if (offset + group.bytes <= other.offset) break;
      offset = std::max(offset, other.offset + other.bytes);
    }
    group.offset = offset;
    arena_bytes_ = std::max(arena_bytes_, offset + group.bytes);
    placed.insert(
        std::ranges::upper_bound(placed, offset, {}, [&](std::size_t j) { return groups_[j].offset; }), i);
  }
}

void MemoryPlan::measure_peak(int node_count) {
  std::vector<std::int64_t> change(static_cast<std::size_t>(node_count) + 2);
  for (const Group& group : groups_) {
    change[static_cast<std::size_t>(std::max(group.first, 0))] += static_cast<std::int64_t>(group.bytes);
    change[static_cast<std::size_t>(std::min(group.last, node_count)) + 1] -=
        static_cast<std::int64_t>(group.bytes);
  }
  std::int64_t live = 0;
  for (const std::int64_t step : change) {
    live += step;
    peak_live_bytes_ = std::max(peak_live_bytes_, static_cast<std::size_t>(live));
  }
}

}  // namespace fastnn

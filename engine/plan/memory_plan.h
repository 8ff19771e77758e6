#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/graph/graph.h"

namespace fastnn {

/// off gives every value memory of its own: the reference of the aliasing tests.
enum class MemoryReuse { on, off };

struct MemoryRequest {
  const Graph& graph;
  /// Bytes of a value on the device.
  std::function<std::size_t(Value)> bytes;
  /// Values that must still be there after the run.
  std::span<const Value> keep;
  /// Values that live outside the arena: parameters and their gradients.
  const std::unordered_set<Value>& external;
  /// Per node: it runs before the run, and its results stay for all runs.
  const std::vector<bool>& constants;
  MemoryReuse reuse = MemoryReuse::on;
};

/// Where each value of a graph lies in one arena. Values whose lifetimes do not meet share memory; an
/// operation that can work in place takes over its input's memory when nobody reads that memory later. Inputs
/// and constants keep theirs for good.
class MemoryPlan {
 public:
  explicit MemoryPlan(const MemoryRequest& request);

  /// Byte of the arena at which a value starts; nothing for external and unused values. A view of an external
  /// value is external too.
  std::optional<std::size_t> offset(Value value) const;
  /// The value whose memory this one shares as a view; itself if it is none.
  Value root(Value value) const { return roots_[static_cast<std::size_t>(value.id)]; }

  std::size_t arena_bytes() const { return arena_bytes_; }
  /// Bytes that all values of the arena would take without sharing.
  std::size_t bytes_without_reuse() const { return bytes_without_reuse_; }
  /// The most bytes alive at any one operation: no plan can need less.
  std::size_t peak_live_bytes() const { return peak_live_bytes_; }

 private:
  /// Values that share one stretch of memory, alive from the node 'first' to the node 'last'.
  struct Group {
    std::size_t bytes = 0;
    int first = 0;
    int last = 0;
    bool pinned = false;
    std::size_t offset = 0;
  };

  void resolve_views(const MemoryRequest& request);
  void find_last_uses(const MemoryRequest& request);
  void make_groups(const MemoryRequest& request);
  bool takes_over(const MemoryRequest& request, int node_index) const;
  void place_groups();
  void measure_peak(int node_count);

  std::vector<Value> roots_;
  std::vector<int> last_uses_;
  /// Index into groups_; -1 for values outside the arena.
  std::vector<int> group_of_;
  std::vector<Group> groups_;
  std::size_t arena_bytes_ = 0;
  std::size_t bytes_without_reuse_ = 0;
  std::size_t peak_live_bytes_ = 0;
};

}  // namespace fastnn

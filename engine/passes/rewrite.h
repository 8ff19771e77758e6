#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "engine/graph/graph.h"

namespace fastnn {

/// The nodes of a graph while a pass changes them: who makes and who reads each value. Indices of nodes stay
/// good; a node put in the place of another must find its inputs made before it.
class Rewrite {
 public:
  /// @param kept values that are read from outside, so that they must go on to exist.
  Rewrite(const Graph& graph, std::span<const Value> kept);

  int size() const { return static_cast<int>(nodes_.size()); }
  bool is_kept(Value value) const { return kept_.contains(value); }

  /// Null if the node is removed, or of another kind.
  const Node* node(int index, std::string_view kind) const;
  const Node& node(int index) const { return *nodes_[static_cast<std::size_t>(index)]; }

  /// Index of the node that makes a value; -1 for inputs and parameters.
  int maker(Value value) const { return makers_[static_cast<std::size_t>(value.id)]; }
  /// The node that makes a value if it is of this kind, else null.
  const Node* maker(Value value, std::string_view kind) const;
  /// Indices of the nodes that read a value; twice where one reads it twice.
  const std::vector<int>& readers(Value value) const { return readers_[static_cast<std::size_t>(value.id)]; }
  /// Index of the only node that reads a value, which is not kept; -1 if there is none such.
  int only_reader(Value value) const;
  /// Does no node behind this one read a value, nor anyone from outside? Then it may take over its memory.
  bool is_last_reader(Value value, int index) const;
  /// The first reader of this kind, -1 if there is none.
  int reader(Value value, std::string_view kind) const;

  void remove(int index);
  void replace(int index, Node node);

  /// What is left, for Graph::replace_nodes().
  std::vector<Node> nodes() const;

 private:
  void connect(int index);

  std::vector<std::optional<Node>> nodes_;
  std::unordered_set<Value> kept_;
  std::vector<int> makers_;
  std::vector<std::vector<int>> readers_;
};

}  // namespace fastnn

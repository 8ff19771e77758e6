#include "engine/passes/rewrite.h"

#include <algorithm>

namespace fastnn {
namespace {

std::size_t id_of(Value value) {
  return static_cast<std::size_t>(value.id);
}

}  // namespace

Rewrite::Rewrite(const Graph& graph, std::span<const Value> kept)
    : nodes_(graph.nodes().begin(), graph.nodes().end()),
      kept_(kept.begin(), kept.end()),
      makers_(static_cast<std::size_t>(graph.value_count()), -1),
      readers_(static_cast<std::size_t>(graph.value_count())) {
  for (int i = 0; i < size(); ++i) connect(i);
}

void Rewrite::connect(int index) {
  for (const Value input : node(index).inputs) readers_[id_of(input)].push_back(index);
  for (const Value output : node(index).outputs) makers_[id_of(output)] = index;
}

const Node* Rewrite::node(int index, std::string_view kind) const {
  if (index < 0) return nullptr;
  const auto& node = nodes_[static_cast<std::size_t>(index)];
  return node && node->operation->kind() == kind ? &*node : nullptr;
}

const Node* Rewrite::maker(Value value, std::string_view kind) const {
  return node(maker(value), kind);
}

int Rewrite::only_reader(Value value) const {
  const auto& all = readers(value);
  return all.size() == 1 && !is_kept(value) ? all.front() : -1;
}

bool Rewrite::is_last_reader(Value value, int index) const {
  return !is_kept(value) &&
         std::ranges::all_of(readers(value), [index](int reader) { return reader <= index; });
}

int Rewrite::reader(Value value, std::string_view kind) const {
  const auto& all = readers(value);
  const auto found = std::ranges::find_if(all, [&](int index) { return node(index, kind) != nullptr; });
  return found == all.end() ? -1 : *found;
}

void Rewrite::remove(int index) {
  for (const Value input : node(index).inputs) std::erase(readers_[id_of(input)], index);
  for (const Value output : node(index).outputs)
    if (makers_[id_of(output)] == index) makers_[id_of(output)] = -1;
  nodes_[static_cast<std::size_t>(index)].reset();
}

void Rewrite::replace(int index, Node node) {
  remove(index);
  nodes_[static_cast<std::size_t>(index)] = std::move(node);
  connect(index);
}

std::vector<Node> Rewrite::nodes() const {
  std::vector<Node> left;
  for (const auto& node : nodes_)
    if (node) left.push_back(*node);
  return left;
}

}  // namespace fastnn

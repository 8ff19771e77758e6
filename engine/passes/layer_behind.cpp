#include "engine/passes/layer_behind.h"

#include "engine/graph/ops/fused_layer.h"

namespace fastnn {

int layer_behind(const Rewrite& rewrite, Value value, int reader) {
  const int maker = rewrite.maker(value);
  if (maker < 0 || rewrite.only_reader(value) != reader) return -1;
  const Node& node = rewrite.node(maker);
  return layer_of(node) == node.operation.get() ? maker : -1;
}

}  // namespace fastnn

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/graph/graph.h"

namespace fastnn::tests {

/// A fused operation and the operations it replaces, over the same inputs.
struct FusedCase {
  using Build = std::function<std::vector<Value>(Graph&, const std::vector<Value>&)>;

  std::string name;
  std::vector<Shape> inputs;
  /// Both return values of the same meaning, in the same order.
  Build composed;
  Build fused;
};

/// All fused operations, at vector-sized and ugly shapes. A new one is tested on every device by its rows.
const std::vector<FusedCase>& fused_cases();

}  // namespace fastnn::tests

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/graph/graph.h"

namespace fastnn::tests {

/// An operand of a case: how it gets its values.
struct CaseOperand {
  std::string name;
  Shape shape;
  /// variable: a parameter of the graph, in the device's native layout, as weights are. moving: one that is
  /// not trainable. Labels: s32 below 'scale'.
  enum class Role { input, variable, moving, labels, valid_count } role = Role::input;
  /// Values are offset + scale * u, u uniform in [-1, 1); no two nearly equal, none near 0 (kinks), where
  /// distinct is set.
  double scale = 1.0;
  bool distinct = false;
  double offset = 0.0;
};

/// One operation at one shape: a row of the table that drives forward, gradient, device against reference and
/// speed.
struct OperationCase {
  std::string name;
  std::vector<CaseOperand> operands;
  /// Adds the operation and returns its output.
  std::function<Value(Graph&, const std::vector<Value>&)> build;
  /// |difference| <= tolerance * largest |value| for float32 devices: the bound of golden/README.md
  /// section 4.
  double tolerance = 1e-5;
  /// Real layers of nets: too large for central differences over every element.
  bool real_layer = false;
};

/// All cases. A new operation is tested on every device by its rows here.
const std::vector<OperationCase>& operation_cases();

}  // namespace fastnn::tests

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/dtype.h"
#include "engine/core/shape.h"
#include "engine/graph/initializer.h"

namespace fastnn {

/// A handle to one value of a Graph; stays good through all passes. Default-constructed: no value.
struct Value {
  int id = -1;

  explicit operator bool() const { return id >= 0; }
  auto operator<=>(const Value&) const = default;
};

/// Type and extents of an operand.
struct OperandSpec {
  Shape shape;
  Dtype dtype = Dtype::f32;

  bool operator==(const OperandSpec&) const = default;
};

/// Where a value comes from.
enum class Source { input, parameter, operation };

/// How the elements lie in memory. dense: row-major in the order of the shape (NHWC for activations). native:
/// as the device likes it best; parameters, their gradients and slots, see ParameterLayout.
enum class Layout { dense, native };

/// What a variable is, besides its name and shape.
struct ParameterSpec {
  Initializer initializer;
  /// weight_decay * sum(w^2) / 2 is part of the loss.
  bool l2 = false;
  /// Has a gradient, which an optimizer follows. Others change by Graph::assign() alone: moving averages.
  bool trainable = true;
};

struct ValueInfo {
  std::string name;
  OperandSpec spec;
  Source source = Source::input;
  Layout layout = Layout::dense;
  /// Only of parameters.
  ParameterSpec parameter;
};

}  // namespace fastnn

template <>
struct std::hash<fastnn::Value> {
  std::size_t operator()(fastnn::Value value) const noexcept { return std::hash<int>()(value.id); }
};

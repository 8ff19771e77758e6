#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/graph/ops/window.h"
#include "nets/network.h"

namespace fastnn {

/// Variables' settings of a layer, as Slim's arg_scope sets them.
struct LayerDefaults {
  Initializer weights = TruncatedNormalInitializer{0.0, 0.1};
  Initializer biases = ConstantInitializer{0.0};
  bool l2 = true;
};

/// TF-Slim's layers over a graph: each opens a scope of its name, makes variables in it, and registers its
/// output as an end point. A net is written with these alone.
class Layers {
 public:
  /// @param scope the net's own, "LeNet": prefix of all names.
  Layers(Graph& graph, std::string scope, const NetOptions& options, LayerDefaults defaults);

  /// slim.conv2d without normaliser: relu(conv(x) + biases), same padding. kernel = {R, S}.
  Value conv2d(Value x, std::int64_t channels, std::array<int, 2> kernel, const std::string& name);
  /// slim.max_pool2d: valid padding.
  Value max_pool2d(Value x, std::array<int, 2> kernel, int stride, const std::string& name);
  /// slim.flatten: [N, H * W * C].
  Value flatten(Value x, const std::string& name);

  enum class Activation { relu, none };
  /// slim.fully_connected: activation(x w + biases).
  Value fully_connected(Value x, std::int64_t channels, const std::string& name,
                        Activation activation = Activation::relu);
  /// slim.dropout: the identity in evaluation, and where the options say so.
  Value dropout(Value x, double keep_probability, const std::string& name);

  /// Registers an end point.
  Value end_point(const std::string& name, Value value);

  const std::vector<EndPoint>& end_points() const { return end_points_; }
  Graph& graph() { return graph_; }
  std::string scoped(const std::string& name) const { return scope_ + "/" + name; }

 private:
  Value weights(const std::string& layer, Shape shape);
  Value biased(Value x, const std::string& layer, Activation activation);

  Graph& graph_;
  std::string scope_;
  NetOptions options_;
  LayerDefaults defaults_;
  std::vector<EndPoint> end_points_;
};

}  // namespace fastnn

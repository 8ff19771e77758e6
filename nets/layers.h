#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/graph/ops/batch_norm.h"
#include "engine/graph/ops/drop_path.h"
#include "engine/graph/ops/lrn.h"
#include "engine/graph/ops/window.h"
#include "kernels/activation.h"
#include "nets/network.h"

namespace fastnn {

using kernels::Activation;

/// Whether a variable is part of the L2 loss.
enum class L2 { no, yes };

/// slim.batch_norm's settings of a net.
struct BatchNormDefaults {
  double decay = 0.999;
  double epsilon = 0.001;
  BatchNormScale scale = BatchNormScale::without_gamma;
};

/// Which layers Slim registers as end points: those the net names itself, or all.
enum class EndPoints { named, all_layers };

/// A net's arg_scope: what its layers do where a call does not say otherwise.
struct LayerDefaults {
  Initializer weights = TruncatedNormalInitializer{0.0, 0.1};
  Initializer biases = ConstantInitializer{0.0};
  L2 weights_l2 = L2::yes;
  L2 biases_l2 = L2::no;
  Padding padding = Padding::same;
  Padding pool_padding = Padding::valid;
  Activation activation = Activation::relu;
  /// The normaliser of convolutions; without one they have biases.
  std::optional<BatchNormDefaults> batch_norm;
  EndPoints end_points = EndPoints::named;
};

/// What stands between the sum of a layer and its activation: the net's batch norm if it has one, biases, or
/// nothing.
enum class Normalizer { by_default, biases, none };

/// Where one convolution differs from the net's defaults.
struct ConvOptions {
  int stride = 1;
  /// Dilation.
  int rate = 1;
  std::optional<Padding> padding;
  /// Instead of a padding rule.
  std::optional<Pads> pads;
  std::optional<Activation> activation;
  Normalizer normalizer = Normalizer::by_default;
  std::optional<Initializer> weights;
  std::optional<Initializer> biases;
  std::optional<L2> weights_l2;
};

using Kernel = std::array<int, 2>;

/// TF-Slim's layers over a graph, in Slim's words: each makes its variables in a scope of its name below the
/// scopes that are open. A net is written with these alone.
class Layers {
 public:
  /// @param scope the net's own, "LeNet": prefix of all names; may be empty.
  Layers(Graph& graph, const std::string& scope, const NetOptions& options, LayerDefaults defaults);

  /// Opens a variable scope as long as the object lives.
  class Scope {
   public:
    Scope(Layers& layers, const std::string& name);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Layers& layers_;
    std::size_t length_;
  };
  [[nodiscard]] Scope scope(const std::string& name) { return Scope(*this, name); }

  /// slim.conv2d: activation(normaliser(conv(x))). kernel = {R, S}.
  Value conv2d(Value x, std::int64_t channels, Kernel kernel, const std::string& name,
               ConvOptions options = {});
  /// resnet_utils.conv2d_same: as conv2d, but padded by kernel - 1, the smaller half before, whatever the
  /// stride.
  Value conv2d_same(Value x, std::int64_t channels, int kernel, int stride, const std::string& name,
                    ConvOptions options = {});
  /// slim.separable_conv2d without pointwise part: activation(normaliser(depthwise conv(x))).
  Value depthwise_conv2d(Value x, Kernel kernel, const std::string& name, ConvOptions options = {});
  /// slim.separable_conv2d: depthwise with this multiplier, then 1x1, then normaliser and activation.
  Value separable_conv2d(Value x, std::int64_t channels, Kernel kernel, int depth_multiplier,
                         const std::string& name, ConvOptions options = {});
  /// slim.batch_norm with its variables below 'name', and an activation.
  Value batch_norm(Value x, const std::string& name, Activation activation = Activation::none);
  Value activate(Value x, Activation activation, const std::string& name);

  Value max_pool2d(Value x, Kernel kernel, int stride, const std::string& name,
                   std::optional<Padding> padding = {});
  Value avg_pool2d(Value x, Kernel kernel, int stride, const std::string& name,
                   std::optional<Padding> padding = {});
  /// Mean over all pixels: [N,1,1,C].
  Value global_avg_pool(Value x, const std::string& name);
  /// Local response normalisation over channels: tf.nn.lrn.
  Value lrn(Value x, LrnAttributes attributes, const std::string& name);
  /// x + scale * r.
  Value residual(Value x, Value r, const std::string& name, double scale = 1.0);
  Value concat(std::vector<Value> values, const std::string& name);
  /// slim.flatten: [N, H * W * C].
  Value flatten(Value x, const std::string& name);
  /// Removes the two spatial extents, which must be 1: [N, C]. Throws UsageError otherwise.
  Value spatial_squeeze(Value x, const std::string& name);
  /// slim.fully_connected of [N, C]: activation(x w + biases).
  Value fully_connected(Value x, std::int64_t channels, const std::string& name, ConvOptions options = {});
  /// slim.dropout: the identity in evaluation, and where the options say so.
  Value dropout(Value x, double keep_probability, const std::string& name);

  /// The part of an image whose right lower neighbours these are: pixels moved up and left by one, zeros
  /// following, then every step-th. NASNet's factorised reduction.
  Value shifted_slice(Value x, int step, const std::string& name);
  /// NASNet's drop-path of a branch; the identity in evaluation, and where the options switch dropout off.
  Value drop_path(Value x, DropPathAttributes attributes, const std::string& name);

  /// Registers an end point under exactly this name, in place of an earlier one; returns the value.
  Value end_point(const std::string& name, Value value);

  const std::vector<EndPoint>& end_points() const { return end_points_; }
  Graph& graph() { return graph_; }
  std::int64_t channels(Value x) const { return graph_.shape(x)[-1]; }
  /// A kernel as large as the image x.
  Kernel whole_image(Value x) const;
  const NetOptions& options() const { return options_; }
  bool is_training() const { return options_.mode == Mode::training; }
  /// The name below all open scopes.
  std::string scoped(const std::string& name) const;
  /// The open scopes, "resnet_v1_50/block1". One must be open.
  std::string open_scope() const;

 private:
  WindowAttributes window_of(const ConvOptions& options) const;
  Value weights(const std::string& layer, const std::string& name, Shape shape, const ConvOptions& options);
  /// Normaliser and activation behind the sum of the layer.
  Value finished(Value sum, const std::string& layer, const ConvOptions& options);
  Value biased(Value x, const std::string& layer, const ConvOptions& options);
  Value normalized(Value x, const std::string& scope);
  Value layer_output(const std::string& layer, Value value);

  Graph& graph_;
  std::string scope_;
  NetOptions options_;
  LayerDefaults defaults_;
  std::vector<EndPoint> end_points_;
};

}  // namespace fastnn

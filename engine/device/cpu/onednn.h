#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "engine/core/dtype.h"
#include "kernels/activation.h"
#include "kernels/depthwise.h"
#include "kernels/geometry.h"

namespace fastnn::cpu {

/// The one oneDNN engine and stream of a CPU device; everything below refers to it and must not outlive it.
/// Operations of one context run one after the other, on one thread's OpenMP team.
class OneDnn {
 public:
  /// Throws EnvironmentError if oneDNN cannot use this processor.
  OneDnn();
  ~OneDnn();
  OneDnn(const OneDnn&) = delete;
  OneDnn& operator=(const OneDnn&) = delete;

  /// Version of the library that is loaded, such as "2.6.3".
  static std::string version();

  /// Whether it multiplies bf16 with instructions made for it: the processor has them, and no limit that the
  /// environment sets (ONEDNN_MAX_CPU_ISA) keeps oneDNN from them.
  static bool multiplies_bf16();

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// How a weight tensor lies in memory: plain as TensorFlow has it, or blocked as oneDNN chose it. A
/// blocked layout may hold padding, which is zero in every tensor that a reorder or a weight gradient wrote
/// (so elementwise optimizers and norms can run over all of bytes()). A cheap value.
class WeightLayout {
 public:
  /// Plain [R,S,C,K] of a convolution.
  static WeightLayout plain(const kernels::Conv2d& conv);
  /// Plain [R,S,C,M] of a depthwise convolution.
  static WeightLayout plain(const kernels::DepthwiseConv2d& conv);
  /// Plain [C,K] of a dense layer.
  static WeightLayout plain(const kernels::Dense& dense);

  /// The plain layout of a tensor with this one's extents.
  WeightLayout as_plain() const;

  /// Bytes of a tensor in this layout, padding included.
  std::size_t bytes() const;
  /// The same places for the same elements: no reorder is needed between the two.
  bool operator==(const WeightLayout& other) const;
  /// Its type first: "f32 [64,32,5,5] strides ... blocks ...": extents in oneDNN's order K, C, R, S; of
  /// depthwise weights C, M, 1, R, S.
  std::string describe() const;

  struct Impl;
  explicit WeightLayout(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

enum class Bias { none, add };
/// What y holds before: nothing of interest, or a residual that is added to.
enum class Residual { none, in_y };
using kernels::Activation;

/// What a forward operation does after the sum: y = activation(scale * (sum + bias) + residual).
struct ForwardOptions {
  /// Of activations and weights: f32 or bf16. Biases are f32.
  Dtype type = Dtype::f32;
  Bias bias = Bias::none;
  double scale = 1;
  Residual residual = Residual::none;
  Activation activation = Activation::none;
};

struct WeightGradientOptions {
  /// Of activations: f32 or bf16. Gradients of weights and biases are f32.
  Dtype type = Dtype::f32;
  Bias bias = Bias::none;
};

/// Memory of one operation; each names the ones it needs. Shapes as in kernels/geometry.h, weights and
/// d_weights in the operation's weights() layout, bias and d_bias [K].
struct OneDnnOperands {
  const void* x = nullptr;
  const void* weights = nullptr;
  const float* bias = nullptr;
  void* y = nullptr;
  const void* dy = nullptr;
  void* dx = nullptr;
  float* d_weights = nullptr;
  float* d_bias = nullptr;
  /// scratch_bytes() bytes, 64-byte aligned; shared by all operations, which run one after the other.
  void* scratch = nullptr;
};

/// A prepared oneDNN operation: construct (slow, once per plan), query, bind to memory (once), execute (each
/// step, without any allocation of ours). Activations are dense NHWC or [N,C].
///
/// Constructors throw UsageError for an extent below 1 or an output that does not fit the input, and for what
/// oneDNN refuses; EnvironmentError if oneDNN fails otherwise. The message holds the geometry.
class OneDnnOperation {
 public:
  OneDnnOperation(OneDnnOperation&&) noexcept;
  OneDnnOperation& operator=(OneDnnOperation&&) noexcept;
  ~OneDnnOperation();

  std::size_t scratch_bytes() const;
  /// Layout of 'weights' (forward, input gradient) or 'd_weights' (weight gradient), chosen by oneDNN.
  const WeightLayout& weights() const;
  /// oneDNN's name of the code it chose, such as "brgconv:avx512_core".
  const std::string& implementation() const;
  /// oneDNN fell back to its reference code, which is about 1000 times slower: plans refuse that.
  bool is_reference_implementation() const;

  /// Throws UsageError naming an operand that is needed and missing. May be called again.
  void bind(const OneDnnOperands& operands);
  /// Throws UsageError before bind(), EnvironmentError if oneDNN fails.
  void execute() const;

  struct Impl;
  explicit OneDnnOperation(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

/// y = activation(conv2d(x, weights) + bias). Operands: x, weights, y, bias if added.
OneDnnOperation convolution_forward(const OneDnn& onednn, const kernels::Conv2d& conv,
                                    ForwardOptions options = {});
/// Operands: dy, weights, dx.
OneDnnOperation convolution_input_gradient(const OneDnn& onednn, const kernels::Conv2d& conv,
                                           Dtype type = Dtype::f32);
/// Operands: x, dy, d_weights, and d_bias with Bias::add. Its weights() is the layout of the master weights.
OneDnnOperation convolution_weight_gradient(const OneDnn& onednn, const kernels::Conv2d& conv,
                                            WeightGradientOptions options = {});

/// The same of a depthwise convolution. Where implementation() holds no "dw", oneDNN runs it as a grouped
/// convolution with each group padded to whole vectors of channels.
OneDnnOperation convolution_forward(const OneDnn& onednn, const kernels::DepthwiseConv2d& conv,
                                    ForwardOptions options = {});
OneDnnOperation convolution_input_gradient(const OneDnn& onednn, const kernels::DepthwiseConv2d& conv,
                                           Dtype type = Dtype::f32);
OneDnnOperation convolution_weight_gradient(const OneDnn& onednn, const kernels::DepthwiseConv2d& conv,
                                            WeightGradientOptions options = {});

/// y = activation(x * weights + bias). An NHWC tensor is given flattened. Operands as for convolutions.
OneDnnOperation dense_forward(const OneDnn& onednn, const kernels::Dense& dense, ForwardOptions options = {});
OneDnnOperation dense_input_gradient(const OneDnn& onednn, const kernels::Dense& dense,
                                     Dtype type = Dtype::f32);
OneDnnOperation dense_weight_gradient(const OneDnn& onednn, const kernels::Dense& dense,
                                      WeightGradientOptions options = {});

/// Copies a weight tensor from one layout to another of the same extents, and from f32 to bf16. A prepared
/// operation like the above.
class WeightReorder {
 public:
  /// Throws UsageError if the extents differ.
  WeightReorder(const OneDnn& onednn, const WeightLayout& from, const WeightLayout& to);
  WeightReorder(WeightReorder&&) noexcept;
  WeightReorder& operator=(WeightReorder&&) noexcept;
  ~WeightReorder();

  std::size_t scratch_bytes() const;
  const std::string& implementation() const;
  /// from and to: bytes() of their layouts, not overlapping.
  void bind(const void* from, void* to, void* scratch);
  void execute() const;

 private:
  std::unique_ptr<OneDnnOperation::Impl> impl_;
};

/// Converts a weight tensor at once, scratch included: for start-up and checkpoints, not for a step.
void convert_weights(const OneDnn& onednn, const WeightLayout& from, const float* source,
                     const WeightLayout& to, float* destination);

}  // namespace fastnn::cpu

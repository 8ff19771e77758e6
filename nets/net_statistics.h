#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nets/network.h"

namespace fastnn {

/// Sizes of a net. Variables are those of the training graph, with its auxiliary head; work is that of one
/// image in the evaluation graph, with an auxiliary head where evaluation builds one.
struct NetStatistics {
  int trainable_variables = 0;
  /// Moving averages included.
  int variables = 0;
  std::int64_t trainable_elements = 0;
  std::int64_t moving_elements = 0;
  /// Trainable elements that the logits depend on: without the auxiliary head.
  std::int64_t main_elements = 0;
  /// Multiply-adds of convolutions and fully connected layers.
  double macs = 0;
  /// Elements that convolutions put out.
  std::int64_t activations = 0;

  std::int64_t elements() const { return trainable_elements + moving_elements; }
};

/// Counts on graphs of a single image; batch size and mode of the options do not matter. Throws like
/// build_network.
NetStatistics net_statistics(std::string_view name, NetOptions options);

/// The share of a layer in the statistics of its net. A layer is the scope of variables or of a convolution
/// or fully connected operation: LeNet/conv1.
struct LayerStatistics {
  std::string layer;
  std::int64_t trainable_elements = 0;
  double macs = 0;
  std::int64_t activations = 0;
};

/// All layers in the order of the training graph; their sums are those of net_statistics().
std::vector<LayerStatistics> layer_statistics(std::string_view name, NetOptions options);

}  // namespace fastnn

#pragma once

#include <string_view>
#include <vector>

#include "nets/layers.h"

namespace fastnn {

/// Both [N, num_classes].
struct NetOutputs {
  Value logits;
  /// Empty where there is no auxiliary head.
  Value aux_logits = {};
};

/// Builds the layers of a net from the images.
using NetBuilder = NetOutputs (*)(Layers& layers, Value images, const NetOptions& options);

/// Largest image size of a net that takes all.
inline constexpr std::int64_t kAnyImageSize = 1 << 15;

/// One net: what it is and how it is trained by default.
struct NetEntry {
  std::string_view name;
  /// Prefix of its variables' names.
  std::string_view scope;
  NetBuilder build;
  LayerDefaults defaults;
  std::int64_t default_image_size;
  std::int64_t smallest_image_size;
  std::int64_t largest_image_size;
  /// Name of its preprocessing.
  std::string_view preprocessing;
  /// Slim's name of the end point with the softmax; empty where it registers none.
  std::string_view predictions = "Predictions";
  /// What the table's reader should know: paper or origin.
  std::string_view origin;
};

/// All nets, by name.
const std::vector<NetEntry>& net_table();

/// Throws UsageError naming the known nets if there is none of that name.
const NetEntry& find_net(std::string_view name);

}  // namespace fastnn

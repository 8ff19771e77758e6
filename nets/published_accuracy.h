#pragma once

#include <string_view>
#include <vector>

namespace fastnn {

/// What the authors of a net's TF-Slim checkpoint measured on the 50,000 validation images of ImageNet, in
/// percent, one central crop an image. A figure belongs to a preprocessing and an image size: other ones give
/// another. Source: the README files of TF-Slim and of its mobilenet and nasnet folders; for resnet_v2_200
/// the paper.
struct PublishedAccuracy {
  std::string_view net;
  double top_1;
  double top_5;
  std::string_view preprocessing;
  int image_size;
  /// What users have found instead, or where the figure is not of a TF-Slim checkpoint.
  std::string_view note = {};
};

/// By name; nets without a published checkpoint are not among them.
const std::vector<PublishedAccuracy>& published_accuracies();

}  // namespace fastnn

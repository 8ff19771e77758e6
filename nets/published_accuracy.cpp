#include "nets/published_accuracy.h"

namespace fastnn {

const std::vector<PublishedAccuracy>& published_accuracies() {
  static const std::vector<PublishedAccuracy> table = {
      {"inception_resnet_v2", 80.4, 95.3, "inception", 299},
      {"inception_v1", 69.8, 89.6, "inception", 224},
      {"inception_v2", 73.9, 91.8, "inception", 224},
      {"inception_v3", 78.0, 93.9, "inception", 299},
      {"inception_v4", 80.2, 95.2, "inception", 299},
      {"mobilenet_v1", 70.9, 89.9, "inception", 224, "the release of 2018; that of 2017 says 70.7 and 89.5"},
      {"mobilenet_v1_025", 49.8, 74.2, "inception", 224},
      {"mobilenet_v1_050", 63.3, 84.9, "inception", 224},
      {"mobilenet_v1_075", 68.4, 88.2, "inception", 224},
      {"mobilenet_v2", 71.9, 91.0, "inception", 224},
      {"mobilenet_v2_035", 60.3, 82.9, "inception", 224},
      {"mobilenet_v2_140", 74.9, 92.5, "inception", 224},
      {"nasnet_large", 82.7, 96.2, "inception", 331},
      {"nasnet_mobile", 74.0, 91.6, "inception", 224},
      {"pnasnet_large", 82.9, 96.2, "inception", 331},
      {"pnasnet_mobile", 74.2, 91.9, "inception", 224},
      {"resnet_v1_101", 76.4, 92.9, "vgg", 224},
      {"resnet_v1_152", 76.8, 93.2, "vgg", 224},
      {"resnet_v1_50", 75.2, 92.2, "vgg", 224},
      {"resnet_v2_101", 77.0, 93.7, "inception", 299},
      {"resnet_v2_152", 77.8, 94.1, "inception", 299},
      {"resnet_v2_200", 79.9, 95.2, "inception", 299, "of the paper; there is no checkpoint"},
      {"resnet_v2_50", 75.6, 92.8, "inception", 299},
      {"vgg_16", 71.5, 89.8, "vgg", 224, "users measure 70.9"},
      {"vgg_19", 71.1, 89.8, "vgg", 224},
  };
  return table;
}

}  // namespace fastnn

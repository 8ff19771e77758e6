#pragma once

#include "nets/net_table.h"

namespace fastnn {

// The Inception family as TF-Slim has it; each builder in the file of its name.

/// Szegedy et al., "Going deeper with convolutions", 2014, with batch norm; without the two auxiliary heads.
NetOutputs build_inception_v1(Layers& n, Value images, const NetOptions& options);
/// Ioffe, Szegedy, "Batch normalization", 2015. The first convolution is separable.
NetOutputs build_inception_v2(Layers& n, Value images, const NetOptions& options);
/// Szegedy et al., "Rethinking the Inception architecture for computer vision", 2015.
NetOutputs build_inception_v3(Layers& n, Value images, const NetOptions& options);
/// Szegedy et al., "Inception-v4, Inception-ResNet and the impact of residual connections on learning", 2016.
NetOutputs build_inception_v4(Layers& n, Value images, const NetOptions& options);
/// The same paper's second residual net.
NetOutputs build_inception_resnet_v2(Layers& n, Value images, const NetOptions& options);

/// All five.
std::vector<NetEntry> inception_entries();

namespace inception {

/// A layer whose output is an end point of its own name.
Value conv2d(Layers& n, Value x, std::int64_t channels, Kernel kernel, const std::string& name,
             ConvOptions options = {});
Value max_pool2d(Layers& n, Value x, Kernel kernel, int stride, const std::string& name, Padding padding);

/// 'kernel', or all of a smaller image.
Kernel reduced_kernel(const Layers& n, Value x, Kernel kernel);

/// The dense layer that gives the logits.
Value logits(Layers& n, Value x, const std::string& name, const NetOptions& options);
/// The same as a 1x1 convolution of one pixel.
Value convolved_logits(Layers& n, Value x, const std::string& name, const NetOptions& options,
                       std::optional<Initializer> weights = {});

}  // namespace inception
}  // namespace fastnn

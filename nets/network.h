#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/graph/ops/batch_norm.h"

namespace fastnn {

enum class Mode { training, evaluation };

struct NetOptions {
  std::int64_t batch_size = 32;
  std::int64_t num_classes = 1000;
  /// Height and width of the images; 0: the net's default.
  std::int64_t image_size = 0;
  Mode mode = Mode::training;
  /// off makes dropout the identity in training too: the golden figures are made so.
  enum class Dropout { on, off } dropout = Dropout::on;
  /// frozen: batch norms use their moving averages in training too.
  BatchNormMode batch_norm = BatchNormMode::training;
  /// y * (1 - s) + s / num_classes, of both losses.
  double label_smoothing = 0;
};

/// A value of the net that Slim registers under this name.
struct EndPoint {
  std::string name;
  Value value;
};

/// A net as a graph: from images to logits, and on to the loss.
///   inputs: "images" f32 [N,H,W,3], "labels" s32 [N], "valid_count" s32 [] (rows that are samples; the
///   others are padding of an evaluation's last batch)
struct Network {
  std::string name;
  Graph graph;
  Value images;
  Value labels;
  Value valid_count;
  Value logits;
  /// Of the auxiliary head, empty where the net builds none: NASNet and PNASNet do only in training.
  Value aux_logits;
  /// Softmax of the logits.
  Value predictions;
  /// Mean softmax cross-entropy, a scalar.
  Value cross_entropy;
  /// The same of aux_logits; empty without.
  Value aux_cross_entropy;
  /// What is minimised, besides the L2 part: cross_entropy + 0.4 * aux_cross_entropy.
  Value loss;
  /// Rows whose first largest logit is the label, s32 [].
  Value correct;
  std::vector<EndPoint> end_points;
};

/// Builds a net with its loss. Throws UsageError for an unknown name, an image size outside the net's range,
/// or a batch size or class count below 1.
Network build_network(std::string_view name, const NetOptions& options);

}  // namespace fastnn

#pragma once

#include <array>
#include <vector>

#include "nets/net_table.h"

/// What NASNet-A and PNASNet-5 share: cells of five combinations, stems, heads.
namespace fastnn::nasnet {

/// What a combination does to one of the cell's states.
struct CellOperation {
  enum class Kind {
    /// Twice ReLU, separable convolution, batch norm.
    separable,
    average_pool,
    max_pool,
    /// As it is, or where channels or stride differ: ReLU, 1x1 convolution, batch norm.
    identity
  };

  /// 0: the cell's input; 1: the input of the cell before; 2 to 6: the combinations.
  int state = 0;
  Kind kind = Kind::identity;
  int kernel = 3;
};

/// A cell: each combination is the sum of two operations, and the output the concatenation of some states.
struct CellPlan {
  std::array<std::array<CellOperation, 2>, 5> combinations;
  std::vector<int> outputs;
};

/// Where pictures enter: ImageNet's stem (a 3x3 convolution of stride 2, two reducing cells) or CIFAR's (a
/// 3x3 convolution).
enum class Stem { imagenet, cifar };

/// Which output the cell behind a reduction cell reads besides the reduction's: the one the reduction reads
/// (kept), or the one before that (skipped: Slim's skip_reduction_layer_input).
enum class ReductionInput { kept, skipped };

/// The numbers of one net, as in TF-Slim's configurations.
struct Settings {
  /// Normal cells.
  int cells = 12;
  /// Channels of the operations of the first cells; they double with each reduction.
  int filters = 44;
  /// Channels of the stem's convolution: this times 32 (ImageNet) or times 'filters' (CIFAR).
  int stem_multiplier = 1;
  double drop_path_keep_probability = 1.0;
  /// Steps over which drop-path grows from nothing to its full strength.
  std::int64_t drop_path_steps = 250'000;
  double dropout_keep_probability = 0.5;
  ReductionInput reduction_input = ReductionInput::kept;
  Stem stem = Stem::imagenet;
};

/// One cell of a net.
struct CellPlace {
  std::string name;
  /// Channels of each operation.
  std::int64_t channels = 0;
  int stride = 1;
  /// Number of the cell of all that count for drop-path, from 0, and how many these are.
  int number = 0;
  int count = 1;
};

/// Outputs of the cells so far: a cell reads the last two.
struct CellOutputs {
  /// Empty before the first cell.
  Value previous;
  Value last;

  void push(Value output) {
    previous = last;
    last = output;
  }
};

/// Output of a cell that reads x and 'previous' (x where empty).
Value cell(Layers& n, const CellPlan& plan, const CellPlace& place, Value x, Value previous,
           const Settings& settings);

/// conv0, cell_stem_0, cell_stem_1: an eighth of the image's height and width.
CellOutputs imagenet_stem(Layers& n, const CellPlan& reducing, Value images, const Settings& settings,
                          int cell_count);

/// Numbers of the normal cells that a reduction stands before.
std::array<int, 2> reduction_indices(int cells);

/// The auxiliary head behind a normal cell, where the net trains; else no value.
Value auxiliary_head(Layers& n, Value x, int cell_number);

/// ReLU, mean over all pixels, dropout, dense layer.
Value final_layer(Layers& n, Value x, const Settings& settings);

/// 1x1 or other convolution, then a batch norm of its own name.
Value conv_batch_norm(Layers& n, Value x, std::int64_t channels, Kernel kernel, const std::string& name,
                      const std::string& batch_norm_name, ConvOptions options = {});

/// TF-Slim's settings of all layers.
LayerDefaults layer_defaults(const BatchNormDefaults& batch_norm);
NetEntry imagenet_entry(std::string_view name, NetBuilder build, std::int64_t image_size,
                        std::string_view origin);

}  // namespace fastnn::nasnet

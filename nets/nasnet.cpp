#include "nets/nasnet.h"

#include <algorithm>

#include "nets/nasnet_cell.h"

namespace fastnn {
namespace {

using namespace nasnet;
using Kind = CellOperation::Kind;

/// The paper's figure 4, left.
const CellPlan& normal_cell() {
  static const CellPlan plan = {{{
                                    {{{0, Kind::separable, 5}, {1, Kind::separable, 3}}},
                                    {{{1, Kind::separable, 5}, {1, Kind::separable, 3}}},
                                    {{{0, Kind::average_pool}, {1, Kind::identity}}},
                                    {{{1, Kind::average_pool}, {1, Kind::average_pool}}},
                                    {{{0, Kind::separable, 3}, {0, Kind::identity}}},
                                }},
                                {1, 2, 3, 4, 5, 6}};
  return plan;
}

/// Figure 4, right.
const CellPlan& reduction_cell() {
  static const CellPlan plan = {{{
                                    {{{0, Kind::separable, 5}, {1, Kind::separable, 7}}},
                                    {{{0, Kind::max_pool}, {1, Kind::separable, 7}}},
                                    {{{0, Kind::average_pool}, {1, Kind::separable, 5}}},
                                    {{{3, Kind::identity}, {2, Kind::average_pool}}},
                                    {{{2, Kind::separable, 3}, {0, Kind::max_pool}}},
                                }},
                                {3, 4, 5, 6}};
  return plan;
}

constexpr Settings kCifar = {.cells = 18,
                             .filters = 32,
                             .stem_multiplier = 3,
                             .drop_path_keep_probability = 0.6,
                             .drop_path_steps = 937'500,
                             .dropout_keep_probability = 1.0,
                             .stem = Stem::cifar};
constexpr Settings kMobile = {.cells = 12, .filters = 44, .stem_multiplier = 1};
constexpr Settings kLarge = {.cells = 18,
                             .filters = 168,
                             .stem_multiplier = 3,
                             .drop_path_keep_probability = 0.7,
                             .reduction_input = ReductionInput::skipped};

CellOutputs stem(Layers& n, Value images, const Settings& settings, int cell_count) {
  if (settings.stem == Stem::imagenet)
    return imagenet_stem(n, reduction_cell(), images, settings, cell_count);
  const std::int64_t channels = settings.stem_multiplier * settings.filters;
  return {.previous = {}, .last = conv_batch_norm(n, images, channels, {3, 3}, "l1_stem_3x3", "l1_stem_bn")};
}

NetOutputs build(Layers& n, Value images, const Settings& settings) {
  const int stem_cells = settings.stem == Stem::imagenet ? 2 : 0;
  const int cell_count = settings.cells + 2 + stem_cells;
  CellOutputs outputs = stem(n, images, settings, cell_count);
  n.end_point("Stem", outputs.last);
  const auto reductions = reduction_indices(settings.cells);
  CellPlace place{.channels = settings.filters, .number = stem_cells, .count = cell_count};
  Value aux_logits;
  for (int i = 0; i < settings.cells; ++i) {
    Value previous = outputs.previous;
    if (const auto reduction = std::ranges::find(reductions, i); reduction != reductions.end()) {
      const auto number = reduction - reductions.begin();
      place.name = fmt::format("reduction_cell_{}", number);
      place.channels *= 2;
      place.stride = 2;
      outputs.push(cell(n, reduction_cell(), place, outputs.last, outputs.previous, settings));
      n.end_point(fmt::format("Reduction_Cell_{}", number), outputs.last);
      ++place.number;
      if (settings.reduction_input == ReductionInput::kept) previous = outputs.previous;
    }
    place.name = fmt::format("cell_{}", i);
    place.stride = 1;
    outputs.push(cell(n, normal_cell(), place, outputs.last, previous, settings));
    n.end_point(fmt::format("Cell_{}", i), outputs.last);
    ++place.number;
    if (i == reductions[1] - 1) aux_logits = auxiliary_head(n, outputs.last, i);
  }
  return {final_layer(n, outputs.last, settings), aux_logits};
}

NetOutputs build_nasnet_cifar(Layers& n, Value images, const NetOptions&) {
  return build(n, images, kCifar);
}

NetOutputs build_nasnet_mobile(Layers& n, Value images, const NetOptions&) {
  return build(n, images, kMobile);
}

NetOutputs build_nasnet_large(Layers& n, Value images, const NetOptions&) {
  return build(n, images, kLarge);
}

}  // namespace

std::vector<NetEntry> nasnet_entries() {
  // TensorFlow 1.x's fused batch norm raised cifar's 1e-5 to its own least epsilon.
  const LayerDefaults cifar =
      layer_defaults({.decay = 0.9, .epsilon = 1.001e-5, .scale = BatchNormScale::with_gamma});
  return {{.name = "nasnet_cifar",
           .scope = "",
           .build = build_nasnet_cifar,
           .defaults = cifar,
           .default_image_size = 32,
           .smallest_image_size = 9,
           .largest_image_size = kAnyImageSize,
           .preprocessing = "cifarnet",
           .origin = "Zoph et al. 2017, as in TF-Slim"},
          imagenet_entry("nasnet_mobile", build_nasnet_mobile, 224, "Zoph et al. 2017, as in TF-Slim"),
          imagenet_entry("nasnet_large", build_nasnet_large, 331, "Zoph et al. 2017, as in TF-Slim")};
}

}  // namespace fastnn

#include "nets/pnasnet.h"

#include <algorithm>

#include "nets/nasnet_cell.h"

namespace fastnn {
namespace {

using namespace nasnet;
using Kind = CellOperation::Kind;

/// The paper's figure 1, for all cells: those of stride 2 reduce.
const CellPlan& normal_cell() {
  static const CellPlan plan = {{{
                                    {{{1, Kind::separable, 5}, {1, Kind::max_pool}}},
                                    {{{0, Kind::separable, 7}, {0, Kind::max_pool}}},
                                    {{{0, Kind::separable, 5}, {0, Kind::separable, 3}}},
                                    {{{4, Kind::separable, 3}, {0, Kind::max_pool}}},
                                    {{{1, Kind::separable, 3}, {0, Kind::identity}}},
                                }},
                                {2, 3, 4, 5, 6}};
  return plan;
}

constexpr Settings kLarge = {
    .cells = 12, .filters = 216, .stem_multiplier = 3, .drop_path_keep_probability = 0.6};
constexpr Settings kMobile = {.cells = 9, .filters = 54, .stem_multiplier = 1};

NetOutputs build(Layers& n, Value images, const Settings& settings) {
  const int cell_count = settings.cells + 2;
  CellOutputs outputs = imagenet_stem(n, normal_cell(), images, settings, cell_count);
  n.end_point("Stem", outputs.last);
  const auto reductions = reduction_indices(settings.cells);
  CellPlace place{.channels = settings.filters, .number = 2, .count = cell_count};
  Value aux_logits;
  for (int i = 0; i < settings.cells; ++i) {
    const bool reduces = std::ranges::count(reductions, i) > 0;
    place.name = fmt::format("cell_{}", i);
    place.stride = reduces ? 2 : 1;
    if (reduces) place.channels *= 2;
    outputs.push(cell(n, normal_cell(), place, outputs.last, outputs.previous, settings));
    n.end_point(fmt::format("Cell_{}", i), outputs.last);
    ++place.number;
    if (i == reductions[1] - 1) aux_logits = auxiliary_head(n, outputs.last, i);
  }
  return {final_layer(n, outputs.last, settings), aux_logits};
}

NetOutputs build_pnasnet_large(Layers& n, Value images, const NetOptions&) {
  return build(n, images, kLarge);
}

NetOutputs build_pnasnet_mobile(Layers& n, Value images, const NetOptions&) {
  return build(n, images, kMobile);
}

}  // namespace

std::vector<NetEntry> pnasnet_entries() {
  return {imagenet_entry("pnasnet_large", build_pnasnet_large, 331, "Liu et al. 2017, as in TF-Slim"),
          imagenet_entry("pnasnet_mobile", build_pnasnet_mobile, 224, "Liu et al. 2017, as in TF-Slim")};
}

}  // namespace fastnn

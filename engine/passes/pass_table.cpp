#include "engine/passes/pass_table.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/names.h"
#include "engine/passes/fold_batch_norm.h"
#include "engine/passes/fuse_batch_norm.h"
#include "engine/passes/fuse_bias.h"
#include "engine/passes/fuse_epilogue.h"
#include "engine/passes/fuse_moving_average.h"
#include "engine/passes/fuse_residual.h"
#include "engine/passes/remove_dead.h"

namespace fastnn {
namespace {

constexpr Pass kPasses[] = {
    {"remove_dead", "operations whose results nobody needs", remove_dead},
    {"fuse_batch_norm", "batch norm with the sum and ReLU behind it, and their gradients", fuse_batch_norm},
    {"fuse_moving_average", "batch-norm statistics with the update of their moving averages",
     fuse_moving_average},
    {"fuse_residual", "a scaled residual sum with the ReLU behind it, and their gradients", fuse_residual},
    {"fuse_bias", "a bias with the ReLU behind it, and their gradients", fuse_bias},
    {"fold_batch_norm", "layers with the batch norm of fixed statistics behind them", fold_batch_norm},
    {"fuse_epilogue", "layers with their bias, activation and scaled residual sum", fuse_epilogue},
};

void check_names(std::span<const std::string> disabled) {
  std::vector<std::string_view> known;
  for (const Pass& pass : kPasses) known.push_back(pass.name);
  for (const std::string& name : disabled)
    if (std::ranges::count(known, name) == 0)
      throw UsageError("[passes] {}", unknown_name("pass", name, known));
}

}  // namespace

std::span<const Pass> pass_table() {
  return kPasses;
}

std::vector<PassResult> run_passes(Graph& graph, const PassOptions& options) {
  check_names(options.disabled);
  std::vector<PassResult> results;
  for (const Pass& pass : kPasses)
    if (std::ranges::count(options.disabled, pass.name) == 0)
      results.push_back({pass.name, pass.run(graph, options.keep)});
  return results;
}

std::string text_of(std::span<const PassResult> results) {
  std::vector<std::string> parts;
  for (const PassResult& result : results)
    parts.push_back(fmt::format("{} {}", result.name, result.rewrites));
  return fmt::format("passes: {}", fmt::join(parts, ", "));
}

}  // namespace fastnn

#include "engine/graph/ops/batch_norm_apply.h"

#include <algorithm>

#include "engine/graph/ops/batch_norm_gradient.h"
#include "engine/graph/ops/channels.h"

namespace fastnn {
namespace {

constexpr std::size_t kX = 0, kMean = 1, kRstd = 2, kBeta = 3, kGamma = 4;

}  // namespace

std::vector<OperandSpec> BatchNormApply::outputs(std::span<const OperandSpec> inputs) const {
  require_input_count(kind(), inputs.size(), kGamma, 1);
  require_per_channel(kind(), inputs[kX], inputs.subspan(kMean));
  return {inputs[kX]};
}

std::vector<Value> BatchNormApply::gradient(const GradientRequest& request) const {
  const auto& inputs = request.node.inputs;
  const Value dy = request.output_gradients[0];
  const bool through_statistics = statistics_ == BatchStatistics::batch && request.wanted[kX];
  const bool of_parameters = std::ranges::any_of(request.wanted.subspan(kBeta), std::identity());
  std::vector<Value> gradients(inputs.size());
  std::vector<Value> sums;
  if (through_statistics || of_parameters)
    sums = request.graph.add(request.name("sums"), std::make_shared<BatchNormGradientReduce>(),
                             {dy, inputs[kX], inputs[kMean], inputs[kRstd]});
  for (std::size_t i = kBeta; i < inputs.size(); ++i)
    if (request.wanted[i]) gradients[i] = sums[i - kBeta];
  if (!request.wanted[kX]) return gradients;
  std::vector<Value> operands =
      through_statistics ? std::vector{dy, inputs[kX], inputs[kMean], inputs[kRstd], sums[0], sums[1]}
                         : std::vector{dy, inputs[kRstd]};
  if (inputs.size() > kGamma) operands.push_back(inputs[kGamma]);
  std::shared_ptr<const Operation> operation;
  if (through_statistics)
    operation = std::make_shared<BatchNormGradientApply>();
  else
    operation = std::make_shared<BatchNormFixedGradient>();
  gradients[kX] = request.graph.add_single(request.name("input"), operation, std::move(operands));
  return gradients;
}

double BatchNormApply::flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec>) const {
  return 3.0 * static_cast<double>(inputs[kX].shape.elements());
}

}  // namespace fastnn

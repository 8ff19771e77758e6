#include "engine/graph/ops/dense.h"

namespace fastnn {
namespace {

double dense_flops(std::int64_t n, std::int64_t c, std::int64_t k) {
  return 2.0 * static_cast<double>(n) * static_cast<double>(c) * static_cast<double>(k);
}

/// Throws unless a and b are matrices and the given dimensions agree.
void require_matrices(std::string_view kind, const Shape& a, int dimension_a, const Shape& b,
                      int dimension_b) {
  if (a.rank() != 2 || b.rank() != 2 || a[dimension_a] != b[dimension_b])
    throw UsageError(
        "[{}] expected matrices with dimension {} of the first equal to dimension {} of the second, got {} and {}",
        kind, dimension_a, dimension_b, a.text(), b.text());
}

}  // namespace

std::vector<OperandSpec> Dense::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  require_matrices(kind(), inputs[0].shape, 1, inputs[1].shape, 0);
  return {{Shape{inputs[0].shape[0], inputs[1].shape[1]}, inputs[0].dtype}};
}

std::vector<Value> Dense::gradient(const GradientRequest& request) const {
  const auto [x, w] = std::pair(request.node.inputs[0], request.node.inputs[1]);
  const Value dy = request.output_gradients[0];
  std::vector<Value> gradients(2);
  if (request.wanted[0])
    gradients[0] =
        request.graph.add_single(request.name("input"), std::make_shared<DenseInputGradient>(), {dy, w});
  if (request.wanted[1])
    gradients[1] =
        request.graph.add_single(request.name("weights"), std::make_shared<DenseWeightGradient>(), {x, dy});
  return gradients;
}

double Dense::flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec>) const {
  return dense_flops(inputs[0].shape[0], inputs[1].shape[0], inputs[1].shape[1]);
}

std::vector<OperandSpec> DenseInputGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  require_matrices(kind(), inputs[0].shape, 1, inputs[1].shape, 1);
  return {{Shape{inputs[0].shape[0], inputs[1].shape[0]}, inputs[0].dtype}};
}

double DenseInputGradient::flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec>) const {
  return dense_flops(inputs[0].shape[0], inputs[1].shape[0], inputs[1].shape[1]);
}

std::vector<OperandSpec> DenseWeightGradient::outputs(std::span<const OperandSpec> inputs) const {
  require_inputs(inputs, 2);
  require_matrices(kind(), inputs[0].shape, 0, inputs[1].shape, 0);
  return {{Shape{inputs[0].shape[1], inputs[1].shape[1]}}};
}

double DenseWeightGradient::flops(std::span<const OperandSpec> inputs, std::span<const OperandSpec>) const {
  return dense_flops(inputs[0].shape[0], inputs[0].shape[1], inputs[1].shape[1]);
}

Value dense(Graph& graph, Value x, Value w, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Dense>(), {x, w});
}

}  // namespace fastnn

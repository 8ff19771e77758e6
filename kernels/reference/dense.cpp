#include "kernels/reference/dense.h"

#include <algorithm>

#include "kernels/reference/matmul.h"

namespace fastnn::kernels::reference {
namespace {

/// y = a * b, y dense; threads share the columns of y, of which a dense layer has many and rows few.
void matmul(const Product& product, const MatrixView& a, const MatrixView& b, double* y) {
  constexpr std::int64_t kColumns = 64;
  const std::int64_t stride = product.columns;
  std::fill_n(y, product.rows * stride, 0.0);
#pragma omp parallel for schedule(static)
  for (std::int64_t j = 0; j < stride; j += kColumns)
    matmul_add({product.rows, std::min(kColumns, stride - j), product.depth}, a,
               {b.data + j * b.column_stride, b.row_stride, b.column_stride}, y + j, stride);
}

}  // namespace

void dense(const Dense& extents, const double* x, const double* w, double* y) {
  const auto [N, C, K] = extents;
  matmul({N, K, C}, {x, C, 1}, {w, K, 1}, y);
}

void dense_input_gradient(const Dense& extents, const double* w, const double* dy, double* dx) {
  const auto [N, C, K] = extents;
  matmul({N, C, K}, {dy, K, 1}, MatrixView{w, K, 1}.transposed(), dx);
}

void dense_weight_gradient(const Dense& extents, const double* x, const double* dy, double* dw) {
  const auto [N, C, K] = extents;
  matmul({C, K, N}, MatrixView{x, C, 1}.transposed(), {dy, K, 1}, dw);
}

}  // namespace fastnn::kernels::reference

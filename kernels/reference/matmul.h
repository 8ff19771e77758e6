#pragma once

#include <cstdint>

namespace fastnn::kernels::reference {

/// A matrix somewhere in memory: element (i, j) is data[i * row_stride + j * column_stride].
struct MatrixView {
  const double* data;
  std::int64_t row_stride;
  std::int64_t column_stride;

  MatrixView transposed() const { return {data, column_stride, row_stride}; }
};

/// Extents of a product c [rows, columns] = a [rows, depth] * b [depth, columns].
struct Product {
  std::int64_t rows, columns, depth;
};

/// c[i * c_stride + j] += sum over k of a(i, k) * b(k, j). On the calling thread; each sum in one order that
/// depends on 'depth' alone.
void matmul_add(const Product& product, const MatrixView& a, const MatrixView& b, double* c,
                std::int64_t c_stride);

}  // namespace fastnn::kernels::reference

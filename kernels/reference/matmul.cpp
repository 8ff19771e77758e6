#include "kernels/reference/matmul.h"

#include <algorithm>

namespace fastnn::kernels::reference {
namespace {

// Four columns at a time: gcc does not keep plain arrays of sums in registers.
using Lanes [[gnu::vector_size(4 * sizeof(double))]] = double;
constexpr std::int64_t kLanes = 4;

// Sums of a tile stay in registers (8 of 16), a panel of b in the first cache.
constexpr std::int64_t kTileRows = 4, kTileColumns = 2 * kLanes, kDepth = 256;

struct Panel {
  Lanes rows[kDepth][2];
};

// Columns of b, side by side; zeros where there are fewer than kTileColumns.
void pack(const MatrixView& b, std::int64_t depth, std::int64_t columns, Panel& panel) {
  for (std::int64_t k = 0; k < depth; ++k)
    for (std::int64_t j = 0; j < kTileColumns; ++j)
      panel.rows[k][j / kLanes][j % kLanes] =
          j < columns ? b.data[k * b.row_stride + j * b.column_stride] : 0.0;
}

template <std::int64_t Rows>
void add_tile(const MatrixView& a, const Panel& panel, std::int64_t depth, std::int64_t columns, double* c,
              std::int64_t c_stride) {
  Lanes sums[Rows][2] = {};
  for (std::int64_t k = 0; k < depth; ++k)
    for (std::int64_t i = 0; i < Rows; ++i) {
      const double value = a.data[i * a.row_stride + k * a.column_stride];
      sums[i][0] += value * panel.rows[k][0];
      sums[i][1] += value * panel.rows[k][1];
    }
  for (std::int64_t i = 0; i < Rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) c[i * c_stride + j] += sums[i][j / kLanes][j % kLanes];
}

void add_panel(const MatrixView& a, const Panel& panel, const Product& product, double* c,
               std::int64_t c_stride) {
  std::int64_t i = 0;
  for (; i + kTileRows <= product.rows; i += kTileRows)
    add_tile<kTileRows>({a.data + i * a.row_stride, a.row_stride, a.column_stride}, panel, product.depth,
                        product.columns, c + i * c_stride, c_stride);
  for (; i < product.rows; ++i)
    add_tile<1>({a.data + i * a.row_stride, a.row_stride, a.column_stride}, panel, product.depth,
                product.columns, c + i * c_stride, c_stride);
}

}  // namespace

void matmul_add(const Product& product, const MatrixView& a, const MatrixView& b, double* c,
                std::int64_t c_stride) {
  Panel panel;
  for (std::int64_t k = 0; k < product.depth; k += kDepth) {
    const std::int64_t depth = std::min(kDepth, product.depth - k);
    const MatrixView part{a.data + k * a.column_stride, a.row_stride, a.column_stride};
    for (std::int64_t j = 0; j < product.columns; j += kTileColumns) {
      const std::int64_t columns = std::min(kTileColumns, product.columns - j);
      pack({b.data + k * b.row_stride + j * b.column_stride, b.row_stride, b.column_stride}, depth, columns,
           panel);
      add_panel(part, panel, {product.rows, columns, depth}, c + j, c_stride);
    }
  }
}

}  // namespace fastnn::kernels::reference

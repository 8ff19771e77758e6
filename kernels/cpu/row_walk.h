#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/cpu/parallel.h"

namespace fastnn::kernels::cpu {

/// Most columns of a panel: four or five arrays of per-column figures then stay in the first-level cache.
inline constexpr std::int64_t kPanelColumns = 1024;
/// Pixels are joined to rows of about this length where they have fewer channels, for the inner loop's sake.
inline constexpr std::int64_t kLongRow = 128;

/// Neighbouring columns of the rows of a RowWalk.
struct Panel {
  std::int64_t first = 0;
  std::int64_t columns = 0;
};

/// How kernels with per-channel figures go through a dense [rows, channels]: in memory order, one row after
/// the other. A row of the walk is one pixel or, where channels are few, several; where they are many, the
/// walk is cut into panels of columns. Column j belongs to channel j % channels.
class RowWalk {
 public:
  RowWalk(std::int64_t pixels, std::int64_t channels)
      : channels_(channels),
        stride_(channels * std::max<std::int64_t>(1, kLongRow / channels)),
        elements_(pixels * channels) {}

  std::int64_t channels() const { return channels_; }
  std::int64_t stride() const { return stride_; }
  std::int64_t elements() const { return elements_; }
  std::int64_t rows() const { return (elements_ + stride_ - 1) / stride_; }
  std::int64_t panels() const { return (stride_ + kPanelColumns - 1) / kPanelColumns; }
  Panel panel(std::int64_t i) const {
    return {i * kPanelColumns, std::min(kPanelColumns, stride_ - i * kPanelColumns)};
  }

  /// Calls f(offset of the first element, number of elements) for the panel's part of each row of a range.
  template <class F>
  void for_each_row(std::int64_t begin, std::int64_t end, const Panel& panel, const F& f) const {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t offset = row * stride_ + panel.first;
      f(offset, std::min(panel.columns, elements_ - offset));
    }
  }

  /// values[j] = f(channel of the panel's column j).
  template <class F>
  void spread(const Panel& panel, float* values, const F& f) const {
    std::int64_t c = panel.first % channels_;
    for (std::int64_t j = 0; j < panel.columns; ++j) {
      values[j] = f(c);
      if (++c == channels_) c = 0;
    }
  }

 private:
  std::int64_t channels_;
  std::int64_t stride_;
  std::int64_t elements_;
};

/// Elementwise work: Row(operands, walk, panel) is made once per thread and panel and called for each row
/// with (offset, width).
template <class Row, class Operands>
void for_each_row(const RowWalk& walk, std::int64_t bytes, const Operands& operands) {
  parallel_ranges(walk.rows(), bytes, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = 0; p < walk.panels(); ++p) {
      const Row row(operands, walk, walk.panel(p));
      walk.for_each_row(begin, end, walk.panel(p), row);
    }
  });
}

// Sums are taken over a number of chunks of rows that depends on the shape alone, so that results do not
// depend on the number of threads; within a chunk in float over short blocks of rows, which are added up in
// double.
inline constexpr std::int64_t kMaxSumChunks = 64;
inline constexpr std::int64_t kMinSumRows = 128;
inline constexpr std::int64_t kSumBlockRows = 128;

inline std::int64_t sum_chunks(const RowWalk& walk) {
  return std::clamp<std::int64_t>(walk.rows() / kMinSumRows, 1, kMaxSumChunks);
}

/// Bytes of the scratch of sum_columns().
inline std::size_t sum_scratch_bytes(const RowWalk& walk) {
  return static_cast<std::size_t>(sum_chunks(walk) * 2 * walk.stride()) * sizeof(double);
}

/// Two sums per channel.
struct ColumnSums {
  const double* first;
  const double* second;
};

/// Adds partial sums [chunks, 2, stride] up over the chunks, and over the pixels of a row.
inline ColumnSums fold_sums(const RowWalk& walk, double* partial) {
  const std::int64_t stride = walk.stride(), channels = walk.channels();
  for (std::int64_t chunk = 1; chunk < sum_chunks(walk); ++chunk) {
    const double* from = partial + chunk * 2 * stride;
#pragma omp simd
    for (std::int64_t j = 0; j < 2 * stride; ++j) partial[j] += from[j];
  }
  for (double* sums : {partial, partial + stride})
    for (std::int64_t j = channels; j < stride; ++j) sums[j % channels] += sums[j];
  return {partial, partial + stride};
}

/// Overwrites total [2, stride], in the panel's columns, with the sums over a range of rows.
template <class Row>
void sum_rows(const RowWalk& walk, const Panel& panel, std::int64_t begin, std::int64_t end, const Row& row,
              double* total) {
  alignas(64) float first[kPanelColumns], second[kPanelColumns];
  double* const first_total = total + panel.first;
  double* const second_total = first_total + walk.stride();
  std::fill_n(first_total, panel.columns, 0.0);
  std::fill_n(second_total, panel.columns, 0.0);
  for (std::int64_t r = begin; r < end; r += kSumBlockRows) {
    std::fill_n(first, panel.columns, 0.0F);
    std::fill_n(second, panel.columns, 0.0F);
    walk.for_each_row(r, std::min(end, r + kSumBlockRows), panel,
                      [&](std::int64_t offset, std::int64_t width) { row(offset, width, first, second); });
#pragma omp simd
    for (std::int64_t j = 0; j < panel.columns; ++j) {
      first_total[j] += first[j];
      second_total[j] += second[j];
    }
  }
}

/// Row(operands, walk, panel) is made once per thread and panel and called for each row with (offset, width,
/// first, second); it adds its terms to the two sums of each column. The result lies in the scratch.
template <class Row, class Operands>
ColumnSums sum_columns(const RowWalk& walk, std::int64_t bytes, const Operands& operands, void* scratch) {
  const std::int64_t chunks = sum_chunks(walk);
  double* const partial = static_cast<double*>(scratch);
  parallel_ranges(chunks, bytes, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = 0; p < walk.panels(); ++p) {
      const Panel panel = walk.panel(p);
      const Row row(operands, walk, panel);
      for (std::int64_t chunk = begin; chunk < end; ++chunk)
        sum_rows(walk, panel, walk.rows() * chunk / chunks, walk.rows() * (chunk + 1) / chunks, row,
                 partial + chunk * 2 * walk.stride());
    }
  });
  return fold_sums(walk, partial);
}

}  // namespace fastnn::kernels::cpu

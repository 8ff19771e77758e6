#pragma once

#include <numeric>

#include "kernels/cuda/map.cuh"

namespace fastnn::kernels::cuda {

/// How kernels with figures per channel go through a dense [rows, channels]: a thread stays at kWidth
/// neighbouring columns, whose figures it keeps in registers, and goes down the rows. For rows to begin on 16
/// bytes whatever the channels, a row of the walk is as many pixels as make whole vectors: lcm(channels,
/// kWidth) elements. Element j of a row belongs to channel j % channels; the last row may be short.
struct RowWalk {
  std::int64_t elements = 0;
  std::uint32_t channels = 1, stride = 1;
  BlockShape block;
  /// Rows of the walk that a block takes; blocks one below the other.
  std::uint32_t block_rows = 1, chunks = 1;

  dim3 grid() const { return {chunks, block.pieces, 1}; }
  dim3 threads() const { return {block.columns, block.lines, 1}; }
  /// Pixels of a row of the walk.
  constexpr std::uint32_t pixels() const { return stride / channels; }
};

inline RowWalk row_walk(std::int64_t rows, std::int64_t channels) {
  RowWalk walk{.elements = rows * channels,
               .channels = static_cast<std::uint32_t>(channels),
               .stride = static_cast<std::uint32_t>(std::lcm(channels, std::int64_t{kWidth}))};
  walk.block = block_shape(walk.stride / kWidth);
  const std::int64_t walk_rows = blocks_of(walk.elements, walk.stride);
  const std::int64_t wanted = blocks_of(walk_rows * walk.block.pieces, walk.block.lines * kEnoughBlocks);
  walk.block_rows = static_cast<std::uint32_t>(std::clamp(wanted, kMinRows, kMaxRows)) * walk.block.lines;
  walk.chunks = static_cast<std::uint32_t>(blocks_of(walk_rows, walk.block_rows));
  return walk;
}

/// Calls f(offset, number of elements) for the vectors of the calling thread; the number is kWidth but in the
/// last row. Offsets count from the returned 64-bit base, in 32 bits.
template <class F>
__device__ inline void for_each_vector(const RowWalk& walk, std::uint32_t column, const F& f) {
  const std::int64_t base = std::int64_t{blockIdx.x} * walk.block_rows * walk.stride + column;
  const std::int64_t left = walk.elements - base;
  const std::uint32_t limit = left < 0            ? 0
                              : left < 0x7FFFFFFF ? static_cast<std::uint32_t>(left)
                                                  : 0x7FFFFFFF;
  for (std::uint32_t r = threadIdx.y; r < walk.block_rows; r += blockDim.y) {
    const std::uint32_t offset = r * walk.stride;
    if (offset >= limit) break;
    f(base, offset, limit - offset < kWidth ? limit - offset : kWidth);
  }
}

/// The first column of the calling thread; at least walk.stride if it has none.
__device__ inline std::uint32_t column_of_thread() {
  return (blockIdx.y * blockDim.x + threadIdx.x) * kWidth;
}

/// The figures of the thread's channels: f.at(channel).
template <class F>
struct ChannelFigures {
  typename F::Channel at[kWidth];

  __device__ ChannelFigures(const F& f, std::uint32_t column, std::uint32_t channels) {
    std::uint32_t c = column % channels;
    for (int i = 0; i < kWidth; ++i) {
      at[i] = f.at(c);
      if (++c == channels) c = 0;
    }
  }
};

template <class A, int kIn, int kOut, class F>
__global__ void __launch_bounds__(kBlockThreads)
    map_rows_kernel(RowWalk walk, Tensors<A, kIn, kOut> tensors, F f) {
  const std::uint32_t column = column_of_thread();
  if (column >= walk.stride) return;
  const ChannelFigures<F> figures(f, column, walk.channels);
  for_each_vector(walk, column, [&](std::int64_t base, std::uint32_t offset, std::uint32_t count) {
    if (count == kWidth) {
      apply<kWidth>(tensors, base + offset,
                    [&](int i, const float(&in)[kIn], float(&out)[kOut]) { f(figures.at[i], in, out); });
    } else {
      for (std::uint32_t j = 0; j < kWidth; ++j)
        if (j < count)
          apply<1>(tensors, base + offset + j,
                   [&](int, const float(&in)[kIn], float(&out)[kOut]) { f(figures.at[j], in, out); });
    }
  });
}

/// f(figures of the channel, in, out) for each element of [rows, channels], with f.at(channel) the figures.
template <class A, int kIn, int kOut, class F>
void map_rows(std::int64_t rows, std::int64_t channels, const Tensors<A, kIn, kOut>& tensors, const F& f,
              Stream stream) {
  if (rows * channels == 0) return;
  const RowWalk walk = row_walk(rows, channels);
  tensors.require_alignment();
  launch(map_rows_kernel<A, kIn, kOut, F>, walk.grid(), walk.threads(), 0, stream, walk, tensors, f);
}

}  // namespace fastnn::kernels::cuda

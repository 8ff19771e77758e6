#pragma once

#include "kernels/cuda/row_walk.cuh"

namespace fastnn::kernels::cuda {

// Two sums per channel over all rows, in an order that the shape alone decides: each thread in float over its
// rows, the threads of a block as a tree, the blocks in double.

/// Adds up, over the block's lines, kValues figures of each of its columns; they end in those of line 0.
/// shared: kValues * the block's threads.
template <int kValues>
__device__ inline void sum_lines(float (&values)[kValues], float* shared) {
  const std::uint32_t threads = blockDim.x * blockDim.y;
  float* mine = shared + threadIdx.y * blockDim.x + threadIdx.x;
  for (int k = 0; k < kValues; ++k) mine[k * threads] = values[k];
  for (std::uint32_t lines = blockDim.y; lines > 1;) {
    const std::uint32_t half = (lines + 1) / 2;
    __syncthreads();
    if (threadIdx.y + half < lines)
      for (int k = 0; k < kValues; ++k) mine[k * threads] += mine[k * threads + half * blockDim.x];
    lines = half;
  }
  for (int k = 0; k < kValues; ++k) values[k] = mine[k * threads];
}

template <class A, int kIn, int kOut, class F>
__global__ void __launch_bounds__(kBlockThreads)
    sum_rows_kernel(RowWalk walk, Tensors<A, kIn, kOut> tensors, F f, float* partial) {
  const std::uint32_t column = column_of_thread();
  float sums[2 * kWidth] = {};
  if (column < walk.stride) {
    const ChannelFigures<F> figures(f, column, walk.channels);
    for_each_vector(walk, column, [&](std::int64_t base, std::uint32_t offset, std::uint32_t count) {
      if (count == kWidth) {
        apply<kWidth>(tensors, base + offset, [&](int i, const float(&in)[kIn], float(&out)[kOut]) {
          f(figures.at[i], in, out, sums[i], sums[kWidth + i]);
        });
      } else {
        for (std::uint32_t j = 0; j < kWidth; ++j)
          if (j < count)
            apply<1>(tensors, base + offset + j, [&](int, const float(&in)[kIn], float(&out)[kOut]) {
              f(figures.at[j], in, out, sums[j], sums[kWidth + j]);
            });
      }
    });
  }
  sum_lines(sums, shared_memory<float>());
  if (threadIdx.y != 0 || column >= walk.stride) return;
  float* to = partial + std::int64_t{blockIdx.x} * 2 * walk.stride + column;
  for (int k = 0; k < 2; ++k) {
    Vector<kWidth> values;
    for (int i = 0; i < kWidth; ++i) values.at[i] = sums[k * kWidth + i];
    store(to + k * walk.stride, values);
  }
}

inline constexpr int kFinishChannels = 32, kFinishLines = 8;

template <class Finish>
__global__ void __launch_bounds__(kFinishChannels* kFinishLines)
    finish_sums_kernel(RowWalk walk, const float* partial, Finish finish) {
  const std::uint32_t c = blockIdx.x * kFinishChannels + threadIdx.x;
  double first = 0, second = 0;
  if (c < walk.channels)
    for (std::uint32_t e = threadIdx.y; e < walk.chunks * walk.pixels(); e += kFinishLines) {
      const float* from =
          partial + std::int64_t{e / walk.pixels()} * 2 * walk.stride + e % walk.pixels() * walk.channels;
      first += from[c];
      second += from[c + walk.stride];
    }
  double* shared = shared_memory<double>() + threadIdx.x;
  shared[threadIdx.y * kFinishChannels] = first;
  shared[(kFinishLines + threadIdx.y) * kFinishChannels] = second;
  __syncthreads();
  if (threadIdx.y != 0 || c >= walk.channels) return;
  for (int line = 1; line < kFinishLines; ++line) {
    first += shared[line * kFinishChannels];
    second += shared[(kFinishLines + line) * kFinishChannels];
  }
  finish(c, first, second);
}

/// Bytes of the scratch of sum_rows(); 16-byte aligned.
inline std::size_t sum_rows_scratch_bytes(std::int64_t rows, std::int64_t channels) {
  const RowWalk walk = row_walk(rows, channels);
  return std::size_t{walk.chunks} * 2 * walk.stride * sizeof(float);
}

/// As map_rows(), with f(figures, in, out, first, second) adding to two sums of its channel, and then
/// finish(channel, first, second) for each channel.
template <class A, int kIn, int kOut, class F, class Finish>
void sum_rows(std::int64_t rows, std::int64_t channels, const Tensors<A, kIn, kOut>& tensors, const F& f,
              const Finish& finish, void* scratch, Stream stream) {
  const RowWalk walk = row_walk(rows, channels);
  auto* partial = static_cast<float*>(scratch);
  tensors.require_alignment();
  const std::size_t shared = std::size_t{walk.block.columns} * walk.block.lines * 2 * kWidth * sizeof(float);
  launch(sum_rows_kernel<A, kIn, kOut, F>, walk.grid(), walk.threads(), shared, stream, walk, tensors, f,
         partial);
  const dim3 channel_blocks{static_cast<unsigned>(blocks_of(channels, kFinishChannels))};
  launch(finish_sums_kernel<Finish>, channel_blocks, dim3{kFinishChannels, kFinishLines},
         2 * kFinishChannels * kFinishLines * sizeof(double), stream, walk,
         static_cast<const float*>(partial), finish);
}

}  // namespace fastnn::kernels::cuda

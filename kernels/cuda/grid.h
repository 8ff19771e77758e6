#pragma once

#include <algorithm>
#include <cstdint>

/// How work is cut into blocks and threads. By shape alone, never by the card: a sum has one order
/// everywhere.
namespace fastnn::kernels::cuda {

/// Eight warps: enough blocks fit a multiprocessor of every card (1024 to 2048 threads) to hide the latency
/// of memory, and each thread may use up to 255 registers.
inline constexpr int kBlockThreads = 256;

/// Vectors of a thread in elementwise work: 32 bytes in flight per operand saturate memory at half occupancy.
inline constexpr int kVectorsPerThread = 2;

/// Blocks that fill the largest cards a few times over; more only add launches of blocks.
inline constexpr std::int64_t kEnoughBlocks = 1024;

/// Rows of a thread, where it keeps figures of its channels in registers. At least so many that reading the
/// figures does not dominate, at most so many that floats can sum them.
inline constexpr std::int64_t kMinRows = 4, kMaxRows = 256;

constexpr std::int64_t blocks_of(std::int64_t work, std::int64_t per_block) {
  return (work + per_block - 1) / per_block;
}

/// Columns and lines of a block that works on [lines, columns]: neighbouring threads take neighbouring
/// columns.
struct BlockShape {
  std::uint32_t columns = 1, lines = 1;
  /// Blocks side by side that cover all columns.
  std::uint32_t pieces = 1;
};

constexpr BlockShape block_shape(std::int64_t columns) {
  const std::int64_t pieces = blocks_of(columns, kBlockThreads);
  const std::int64_t per_block = blocks_of(columns, pieces);
  return {static_cast<std::uint32_t>(per_block), static_cast<std::uint32_t>(kBlockThreads / per_block),
          static_cast<std::uint32_t>(pieces)};
}

}  // namespace fastnn::kernels::cuda

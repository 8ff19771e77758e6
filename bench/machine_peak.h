#pragma once

#include "bench/protocol.h"

namespace fastnn::bench {

/// What this machine can do at most, measured by this program: shares of it outlive the machine.
struct MachinePeak {
  /// float32: independent fused multiply-adds in the widest registers, on all compute threads.
  Measurement fma;
  double flops_per_second = 0;
  /// a = b + s * c over arrays larger than the caches, each counted once.
  Measurement triad;
  double bytes_per_second = 0;

  /// Seconds that work takes at least: those of its arithmetic or of its bytes, whichever are more. Operands
  /// that lie in the caches can be faster than this.
  double roof_seconds(double flops, double bytes) const;
  /// The bytes are more.
  bool is_memory_bound(double flops, double bytes) const;
};

MachinePeak measure_peak(const ProtocolOptions& options);

}  // namespace fastnn::bench

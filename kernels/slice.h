#pragma once

#include <cstdint>

namespace fastnn::kernels {

/// Pixels and channels taken out of x [N,H,W,C], dense, into y [N,P,Q,K], dense:
/// y[n,p,q,k] = x[n, begin_h + p * step_h, begin_w + q * step_w, begin_c + k], and 0 where that lies outside
/// x, so that a negative begin or a large extent pads.
struct Slice {
  std::int64_t N = 1, H = 1, W = 1, C = 1;
  std::int64_t P = 1, Q = 1, K = 1;
  std::int64_t begin_h = 0, begin_w = 0, begin_c = 0;
  std::int64_t step_h = 1, step_w = 1;

  bool operator==(const Slice&) const = default;
};

/// One input of a concatenation: [rows,channels].
template <class Element>
struct ConcatPart {
  const Element* x = nullptr;
  std::int64_t channels = 0;
};

}  // namespace fastnn::kernels

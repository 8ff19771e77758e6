#pragma once

#include <cmath>
#include <cstdint>

namespace fastnn::kernels {

/// Index of the first maximum of C logits. NaN is never a maximum; -1 if there is nothing else.
template <class T>
std::int64_t first_maximum(const T* logits, std::int64_t C) {
  std::int64_t best = -1;
  for (std::int64_t c = 0; c < C; ++c)
    if (best < 0 ? !std::isnan(logits[c]) : logits[c] > logits[best]) best = c;
  return best;
}

/// TensorFlow's in_top_k: fewer than k of the C logits are strictly larger than the label's. False if the
/// label is outside [0, C) or any logit is not finite.
template <class T>
bool in_top_k(const T* logits, std::int64_t C, std::int32_t label, std::int64_t k) {
  if (label < 0 || label >= C) return false;
  std::int64_t larger = 0;
  for (std::int64_t c = 0; c < C; ++c) {
    if (!std::isfinite(logits[c])) return false;
    larger += logits[c] > logits[label] ? 1 : 0;
  }
  return larger < k;
}

/// Number of the given rows of logits [rows,C] whose first maximum stands at the label.
template <class T>
std::int64_t correct_count(std::int64_t rows, std::int64_t C, const T* logits, const std::int32_t* labels) {
  std::int64_t count = 0;
  for (std::int64_t n = 0; n < rows; ++n) count += first_maximum(logits + n * C, C) == labels[n] ? 1 : 0;
  return count;
}

/// Number of the given rows of logits [rows,C] for which in_top_k() is true.
template <class T>
std::int64_t top_k_count(std::int64_t rows, std::int64_t C, std::int64_t k, const T* logits,
                         const std::int32_t* labels) {
  std::int64_t count = 0;
  for (std::int64_t n = 0; n < rows; ++n) count += in_top_k(logits + n * C, C, labels[n], k) ? 1 : 0;
  return count;
}

}  // namespace fastnn::kernels

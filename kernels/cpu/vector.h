#pragma once

#include <immintrin.h>

#include "kernels/bfloat16.h"

namespace fastnn::kernels::cpu {

/// Stores one element. Where loops store: gcc vectorises none that assigns a Bfloat16 made in it.
inline void store(float& to, float value) {
  to = value;
}

inline void store(Bfloat16& to, float value) {
  to.bits = Bfloat16(value).bits;
}

inline void store(Bfloat16& to, Bfloat16 value) {
  to.bits = value.bits;
}

/// Eight neighbouring elements as floats.
inline __m256 load8(const float* x) {
  return _mm256_loadu_ps(x);
}

inline __m256 load8(const Bfloat16* x) {
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}

/// The inverse, rounded as Bfloat16 rounds.
inline void store8(float* y, __m256 values) {
  _mm256_storeu_ps(y, values);
}

inline void store8(Bfloat16* y, __m256 values) {
  const __m256i words = _mm256_castps_si256(values);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(words, 16), _mm256_set1_epi32(1));
  const __m256i nearest = _mm256_add_epi32(words, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7FFF)));
  const __m256i quiet = _mm256_or_si256(words, _mm256_set1_epi32(0x00400000));
  const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(values, values, _CMP_UNORD_Q));
  const __m256i halves = _mm256_srli_epi32(_mm256_blendv_epi8(nearest, quiet, is_nan), 16);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(y),
                   _mm_packus_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1)));
}

}  // namespace fastnn::kernels::cpu

#include "kernels/cpu/dropout.h"

#include <immintrin.h>

#include <algorithm>

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/vector.h"

namespace fastnn::kernels::cpu {
namespace {

// philox() on the counters of four blocks at once. Each 64-bit lane holds one 32-bit word in its low half;
// the high half is never read, because vpmuludq multiplies the low halves only.
struct Philox4 {
  __m256i word[4];

  void run(std::uint64_t key) {
    auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
      const __m256i p0 = _mm256_mul_epu32(word[0], _mm256_set1_epi64x(0xD2511F53));
      const __m256i p1 = _mm256_mul_epu32(word[2], _mm256_set1_epi64x(0xCD9E8D57));
      word[0] = mix(p1, word[1], k0);
      word[1] = p1;
      word[2] = mix(p0, word[3], k1);
      word[3] = p0;
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
  }

 private:
  static __m256i mix(__m256i product, __m256i other, std::uint32_t key) {
    const __m256i high = _mm256_srli_epi64(product, 32);
    return _mm256_xor_si256(_mm256_xor_si256(high, other), _mm256_set1_epi64x(key));
  }
};

constexpr std::int64_t kBlocks = 4;
constexpr std::int64_t kGroup = kBlocks * kDropoutBlock;

// random_words() of four blocks of a sample, one 32-bit lane per element in order.
struct GroupWords {
  __m256i low, high;
};

GroupWords random_group(const Dropout& options, std::uint64_t sample, std::int64_t first_block) {
  const std::uint64_t step = options.random.step;
  const auto high = static_cast<std::uint32_t>(sample >> 32) ^ static_cast<std::uint32_t>(step >> 32) << 16;
  Philox4 lanes{{_mm256_add_epi64(_mm256_set1_epi64x(first_block), _mm256_setr_epi64x(0, 1, 2, 3)),
                 _mm256_set1_epi64x(static_cast<std::uint32_t>(step)),
                 _mm256_set1_epi64x(static_cast<std::uint32_t>(sample)), _mm256_set1_epi64x(high)}};
  lanes.run(mix64(options.random.seed ^ mix64(options.operation)));
  const auto pair = [](__m256i even, __m256i odd) {
    return _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
  };
  const __m256i front = pair(lanes.word[0], lanes.word[1]), back = pair(lanes.word[2], lanes.word[3]);
  const __m256i even = _mm256_unpacklo_epi64(front, back), odd = _mm256_unpackhi_epi64(front, back);
  return {_mm256_permute2x128_si256(even, odd, 0x20), _mm256_permute2x128_si256(even, odd, 0x31)};
}

// y[0..7] = x * scale where uniform01(word) < keep_prob, else 0.
template <class A>
void apply(__m256i words, float keep_prob, const A* x, A* y) {
  const __m256 uniform =
      _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(words, 8)), _mm256_set1_ps(1.0F / 16777216.0F));
  const __m256 keep = _mm256_cmp_ps(uniform, _mm256_set1_ps(keep_prob), _CMP_LT_OQ);
  const __m256 scaled = _mm256_mul_ps(load8(x), _mm256_set1_ps(1 / keep_prob));
  store8(y, _mm256_and_ps(keep, scaled));
}

template <class A>
void apply(const GroupWords& words, float keep_prob, const A* x, A* y) {
  apply(words.low, keep_prob, x, y);
  apply(words.high, keep_prob, x + 8, y + 8);
}

template <class A>
void dropout_sample(const Dropout& options, std::int64_t n, const A* x, A* y) {
  const auto sample = options.random.first_sample + static_cast<std::uint64_t>(n);
  std::int64_t e = 0;
  for (; e + kGroup <= options.E; e += kGroup)
    apply(random_group(options, sample, e / kDropoutBlock), options.keep_prob, x + e, y + e);
  if (e == options.E) return;
  A tail[kGroup] = {};
  std::copy(x + e, x + options.E, tail);
  apply(random_group(options, sample, e / kDropoutBlock), options.keep_prob, tail, tail);
  std::copy_n(tail, options.E - e, y + e);
}

}  // namespace

template <class A>
void dropout(const Dropout& options, const A* x, A* y) {
  const std::int64_t bytes = 4 * options.N * options.E * kElementBytes<A>;
  parallel_ranges(options.N, bytes, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n)
      dropout_sample(options, n, x + n * options.E, y + n * options.E);
  });
}

template void dropout(const Dropout&, const float*, float*);
template void dropout(const Dropout&, const Bfloat16*, Bfloat16*);

}  // namespace fastnn::kernels::cpu

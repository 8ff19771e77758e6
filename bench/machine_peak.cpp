#include "bench/machine_peak.h"

#include <immintrin.h>

#include <algorithm>
#include <vector>

#include "bench/machine.h"

namespace fastnn::bench {
namespace {

/// More than latency times throughput of any processor asks for, and few enough for 16 registers.
constexpr int kChains = 12;
constexpr int kRepeats = 1 << 16;
/// Three of them are larger than the last-level caches of servers.
constexpr std::int64_t kTriadFloats = 32 << 20;

float fma_avx2() {
  __m256 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm256_set1_ps(static_cast<float>(i));
  const __m256 factor = _mm256_set1_ps(0.5F);
  for (int repeat = 0; repeat < kRepeats; ++repeat)
    for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, factor, factor);
  float total = 0;
  for (const __m256& sum : sums) total += _mm256_cvtss_f32(sum);
  return total;
}

__attribute__((target("avx512f"))) float fma_avx512() {
  __m512 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 factor = _mm512_set1_ps(0.5F);
  for (int repeat = 0; repeat < kRepeats; ++repeat)
    for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, factor, factor);
  float total = 0;
  for (const __m512& sum : sums) total += _mm512_cvtss_f32(sum);
  return total;
}

struct FmaLoop {
  float (*run)();
  int lanes;
};

FmaLoop widest_loop() {
  return __builtin_cpu_supports("avx512f") ? FmaLoop{fma_avx512, 16} : FmaLoop{fma_avx2, 8};
}

Measurement measure_fma(const FmaLoop& loop, const ProtocolOptions& options) {
  float sink = 0;
  return measure(
      [&] {
#pragma omp parallel reduction(+ : sink)
        sink += loop.run();
      },
      options);
}

Measurement measure_triad(const ProtocolOptions& options) {
  const auto floats = static_cast<std::size_t>(kTriadFloats);
  std::vector<float> a(floats), b(floats, 1.0F), c(floats, 2.0F);
  return measure(
      [&] {
#pragma omp parallel for schedule(static)
        for (std::int64_t i = 0; i < kTriadFloats; ++i)
          a[std::size_t(i)] = b[std::size_t(i)] + 0.5F * c[std::size_t(i)];
      },
      options);
}

}  // namespace

double MachinePeak::roof_seconds(double flops, double bytes) const {
  return std::max(flops / flops_per_second, bytes / bytes_per_second);
}

bool MachinePeak::is_memory_bound(double flops, double bytes) const {
  return bytes / bytes_per_second > flops / flops_per_second;
}

MachinePeak measure_peak(const ProtocolOptions& options) {
  const FmaLoop loop = widest_loop();
  MachinePeak peak{.fma = measure_fma(loop, options), .triad = measure_triad(options)};
  const double flops = 2.0 * loop.lanes * kChains * kRepeats * compute_threads();
  peak.flops_per_second = flops / peak.fma.median;
  peak.bytes_per_second = 3.0 * sizeof(float) * static_cast<double>(kTriadFloats) / peak.triad.median;
  return peak;
}

}  // namespace fastnn::bench

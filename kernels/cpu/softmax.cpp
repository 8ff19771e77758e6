#include "kernels/cpu/softmax.h"

#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/cpu/exp.h"
#include "kernels/cpu/parallel.h"

namespace fastnn::kernels::cpu {
namespace {

constexpr std::int64_t kFloat = sizeof(float);

struct RowSums {
  float maximum;
  float exp_sum;
};

// Largest element; NaN counts as nothing.
float row_maximum(std::int64_t C, const float* x) {
  float maximum = -std::numeric_limits<float>::infinity();
  __m256 lanes = _mm256_set1_ps(maximum);
  std::int64_t c = 0;
  for (; c + 8 <= C; c += 8) lanes = _mm256_max_ps(_mm256_loadu_ps(x + c), lanes);
  float lane[8];
  _mm256_storeu_ps(lane, lanes);
  for (const float value : lane) maximum = std::max(maximum, value);
  for (; c < C; ++c) maximum = std::max(maximum, x[c]);
  return maximum;
}

// y = softmax(x) of one row of C elements.
RowSums softmax_row(std::int64_t C, const float* x, float* y) {
  const float maximum = row_maximum(C, x);
#pragma omp simd
  for (std::int64_t c = 0; c < C; ++c) {
    const float below = x[c] - maximum;
    y[c] = below < kExpLowest ? kExpLowest : below;
  }
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t c = 0; c < C; ++c) {
    const float e = exp_negative(y[c]);
    y[c] = e;
    sum += e;
  }
  const float scale = 1 / sum;
#pragma omp simd
  for (std::int64_t c = 0; c < C; ++c) y[c] *= scale;
  return {maximum, sum};
}

double row_loss(const CrossEntropy& options, const float* x, RowSums sums, std::int32_t label) {
  if (label < 0 || label >= options.C) return std::numeric_limits<double>::quiet_NaN();
  const double smooth = options.label_smoothing, maximum = sums.maximum;
  double loss = std::log(static_cast<double>(sums.exp_sum)) - (1 - smooth) * (x[label] - maximum);
  if (smooth == 0) return loss;
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t c = 0; c < options.C; ++c) sum += x[c] - maximum;
  return loss - smooth * sum / static_cast<double>(options.C);
}

void gradient_row(std::int64_t C, const float* p, float target, float scale, float* d_logits) {
#pragma omp simd
  for (std::int64_t c = 0; c < C; ++c) d_logits[c] = (p[c] - target) * scale;
}

void gradient_of_softmax_row(std::int64_t C, const float* y, const float* dy, float* dx) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t c = 0; c < C; ++c) sum += dy[c] * y[c];
#pragma omp simd
  for (std::int64_t c = 0; c < C; ++c) dx[c] = y[c] * (dy[c] - sum);
}

// Softmax of all rows, and the loss from that of each valid row, loss_of(n, logits of the row, its sums).
template <class LossOf>
float mean_loss(const CrossEntropy& options, const float* logits, float* probabilities, float* row_losses,
                LossOf&& loss_of) {
  const std::int64_t N = options.N, C = options.C;
  parallel_ranges(N, 2 * N * C * kFloat, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) {
      const float* x = logits + n * C;
      const RowSums sums = softmax_row(C, x, probabilities + n * C);
      row_losses[n] = n < options.valid_rows ? static_cast<float>(loss_of(n, x, sums)) : 0;
    }
  });
  double loss = 0;
  for (std::int64_t n = 0; n < N; ++n) loss += row_losses[n];
  return static_cast<float>(loss / options.divisor);
}

}  // namespace

void softmax(std::int64_t N, std::int64_t C, const float* x, float* y) {
  parallel_ranges(N, 2 * N * C * kFloat, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) softmax_row(C, x + n * C, y + n * C);
  });
}

void softmax_gradient(std::int64_t N, std::int64_t C, const float* y, const float* dy, float* dx) {
  parallel_ranges(N, 3 * N * C * kFloat, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) gradient_of_softmax_row(C, y + n * C, dy + n * C, dx + n * C);
  });
}

float softmax_cross_entropy(const CrossEntropy& options, const float* logits, const std::int32_t* labels,
                            float* probabilities, float* row_losses) {
  return mean_loss(
      options, logits, probabilities, row_losses,
      [&](std::int64_t n, const float* x, RowSums sums) { return row_loss(options, x, sums, labels[n]); });
}

void softmax_cross_entropy_gradient(const CrossEntropy& options, const float* probabilities,
                                    const std::int32_t* labels, float d_loss, float* d_logits) {
  const std::int64_t N = options.N, C = options.C;
  const auto scale = static_cast<float>(d_loss / options.divisor);
  const auto smooth = static_cast<float>(options.label_smoothing / static_cast<double>(C));
  const auto hot =
      static_cast<float>(1 - options.label_smoothing + options.label_smoothing / static_cast<double>(C));
  parallel_ranges(N, 2 * N * C * kFloat, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) {
      const float* p = probabilities + n * C;
      float* out = d_logits + n * C;
      const std::int32_t label = labels[n];
      if (n >= options.valid_rows) {
        std::fill_n(out, C, 0.0F);
      } else if (label < 0 || label >= C) {
        std::fill_n(out, C, std::numeric_limits<float>::quiet_NaN());
      } else {
        const float at_label = (p[label] - hot) * scale;
        gradient_row(C, p, smooth, scale, out);
        out[label] = at_label;
      }
    }
  });
}

float mixed_cross_entropy(const CrossEntropy& options, const float* logits, const MixedLabels<float>& labels,
                          float* probabilities, float* row_losses) {
  return mean_loss(options, logits, probabilities, row_losses,
                   [&](std::int64_t n, const float* x, RowSums sums) {
                     const double lambda = labels.lambda[n];
                     return lambda * row_loss(options, x, sums, labels.label_a[n]) +
                            (1 - lambda) * row_loss(options, x, sums, labels.label_b[n]);
                   });
}

void mixed_cross_entropy_gradient(const CrossEntropy& options, const float* probabilities,
                                  const MixedLabels<float>& labels, float d_loss, float* d_logits) {
  const std::int64_t N = options.N, C = options.C;
  const auto scale = static_cast<float>(d_loss / options.divisor);
  const auto smooth = static_cast<float>(options.label_smoothing / static_cast<double>(C));
  const auto hot = static_cast<float>(1 - options.label_smoothing);
  parallel_ranges(N, 2 * N * C * kFloat, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) {
      float* out = d_logits + n * C;
      const std::int32_t a = labels.label_a[n], b = labels.label_b[n];
      if (n >= options.valid_rows) {
        std::fill_n(out, C, 0.0F);
      } else if (std::min(a, b) < 0 || std::max(a, b) >= C) {
        std::fill_n(out, C, std::numeric_limits<float>::quiet_NaN());
      } else {
        gradient_row(C, probabilities + n * C, smooth, scale, out);
        out[a] -= labels.lambda[n] * hot * scale;
        out[b] -= (1 - labels.lambda[n]) * hot * scale;
      }
    }
  });
}

}  // namespace fastnn::kernels::cpu

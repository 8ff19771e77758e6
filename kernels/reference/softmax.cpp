#include "kernels/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fastnn::kernels::reference {

void softmax(std::int64_t N, std::int64_t C, const double* x, double* y) {
  for (std::int64_t n = 0; n < N; ++n, x += C, y += C) {
    const double maximum = *std::max_element(x, x + C);
    double sum = 0;
    for (std::int64_t c = 0; c < C; ++c) sum += y[c] = std::exp(x[c] - maximum);
    for (std::int64_t c = 0; c < C; ++c) y[c] /= sum;
  }
}

void softmax_gradient(std::int64_t N, std::int64_t C, const double* y, const double* dy, double* dx) {
  for (std::int64_t n = 0; n < N; ++n, y += C, dy += C, dx += C) {
    double product = 0;
    for (std::int64_t c = 0; c < C; ++c) product += dy[c] * y[c];
    for (std::int64_t c = 0; c < C; ++c) dx[c] = y[c] * (dy[c] - product);
  }
}

namespace {

double row_loss(const CrossEntropy& options, const double* x, std::int32_t label) {
  if (label < 0 || label >= options.C) return std::numeric_limits<double>::quiet_NaN();
  const double maximum = *std::max_element(x, x + options.C);
  double exp_sum = 0, sum = 0;
  for (std::int64_t c = 0; c < options.C; ++c) {
    exp_sum += std::exp(x[c] - maximum);
    sum += x[c] - maximum;
  }
  const double smooth = options.label_smoothing;
  return std::log(exp_sum) - (1 - smooth) * (x[label] - maximum) -
         smooth * sum / static_cast<double>(options.C);
}

}  // namespace

double softmax_cross_entropy(const CrossEntropy& options, const double* logits, const std::int32_t* labels,
                             double* probabilities) {
  softmax(options.N, options.C, logits, probabilities);
  double loss = 0;
  for (std::int64_t n = 0; n < options.valid_rows; ++n)
    loss += row_loss(options, logits + n * options.C, labels[n]);
  return loss / options.divisor;
}

void softmax_cross_entropy_gradient(const CrossEntropy& options, const double* probabilities,
                                    const std::int32_t* labels, double d_loss, double* d_logits) {
  const std::int64_t C = options.C;
  const double smooth = options.label_smoothing / static_cast<double>(C);
  for (std::int64_t n = 0; n < options.N; ++n) {
    const bool bad_label = labels[n] < 0 || labels[n] >= C;
    for (std::int64_t c = 0; c < C; ++c) {
      const double target = (c == labels[n] ? 1 - options.label_smoothing : 0) + smooth;
      const double p = bad_label ? std::numeric_limits<double>::quiet_NaN() : probabilities[n * C + c];
      d_logits[n * C + c] = n < options.valid_rows ? (p - target) * d_loss / options.divisor : 0;
    }
  }
}

double mixed_cross_entropy(const CrossEntropy& options, const double* logits,
                           const MixedLabels<double>& labels, double* probabilities) {
  softmax(options.N, options.C, logits, probabilities);
  double loss = 0;
  for (std::int64_t n = 0; n < options.valid_rows; ++n) {
    const double* x = logits + n * options.C;
    const double lambda = labels.lambda[n];
    loss += lambda * row_loss(options, x, labels.label_a[n]) +
            (1 - lambda) * row_loss(options, x, labels.label_b[n]);
  }
  return loss / options.divisor;
}

void mixed_cross_entropy_gradient(const CrossEntropy& options, const double* probabilities,
                                  const MixedLabels<double>& labels, double d_loss, double* d_logits) {
  const std::int64_t C = options.C;
  const double smooth = options.label_smoothing / static_cast<double>(C);
  for (std::int64_t n = 0; n < options.N; ++n) {
    const std::int32_t a = labels.label_a[n], b = labels.label_b[n];
    const bool bad_label = a < 0 || a >= C || b < 0 || b >= C;
    for (std::int64_t c = 0; c < C; ++c) {
      const double hot = (c == a ? labels.lambda[n] : 0) + (c == b ? 1 - labels.lambda[n] : 0);
      const double target = hot * (1 - options.label_smoothing) + smooth;
      const double p = bad_label ? std::numeric_limits<double>::quiet_NaN() : probabilities[n * C + c];
      d_logits[n * C + c] = n < options.valid_rows ? (p - target) * d_loss / options.divisor : 0;
    }
  }
}

}  // namespace fastnn::kernels::reference

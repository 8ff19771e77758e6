#pragma once

#include <cstdint>

#include "kernels/batch_norm.h"
#include "kernels/drop_path.h"
#include "kernels/dropout_mask.h"
#include "kernels/loss.h"
#include "kernels/ranking.h"

namespace fastnn::host {

/// Kernels of this processor as lowerings want them: scalars that change from step to step are read and
/// written where they lie.
/// @tparam Kernels the kernels themselves, with scalars as arguments and results.
template <class Kernels>
struct HostKernels : Kernels {
  using Element = typename Kernels::Element;
  using Figure = typename Kernels::Figure;

  static void dropout(kernels::Dropout options, const kernels::RandomState* random, const Element* x,
                      Element* y) {
    options.random = *random;
    Kernels::dropout(options, x, y);
  }
  static void drop_path(kernels::DropPath path, const kernels::RandomState* random, const Element* x,
                        Element* y) {
    path.random = *random;
    Kernels::drop_path(path, x, y);
  }

  static void softmax_cross_entropy(kernels::CrossEntropy options, const std::int32_t* valid_rows,
                                    const Element* logits, const std::int32_t* labels, Element* probabilities,
                                    Element* row_losses, Element* loss) {
    options.valid_rows = *valid_rows;
    *loss = Kernels::softmax_cross_entropy(options, logits, labels, probabilities, row_losses);
  }
  static void softmax_cross_entropy_gradient(kernels::CrossEntropy options, const std::int32_t* valid_rows,
                                             const Element* probabilities, const std::int32_t* labels,
                                             const Element* d_loss, Element* d_logits) {
    options.valid_rows = *valid_rows;
    Kernels::softmax_cross_entropy_gradient(options, probabilities, labels, *d_loss, d_logits);
  }
  static void mixed_cross_entropy(kernels::CrossEntropy options, const std::int32_t* valid_rows,
                                  const Element* logits, const kernels::MixedLabels<Element>& labels,
                                  Element* probabilities, Element* row_losses, Element* loss) {
    options.valid_rows = *valid_rows;
    *loss = Kernels::mixed_cross_entropy(options, logits, labels, probabilities, row_losses);
  }
  static void mixed_cross_entropy_gradient(kernels::CrossEntropy options, const std::int32_t* valid_rows,
                                           const Element* probabilities,
                                           const kernels::MixedLabels<Element>& labels, const Element* d_loss,
                                           Element* d_logits) {
    options.valid_rows = *valid_rows;
    Kernels::mixed_cross_entropy_gradient(options, probabilities, labels, *d_loss, d_logits);
  }
  /// Rows whose first maximum is the label where top is 1, else those with the label among the 'top' largest.
  static void correct_count(std::int64_t C, std::int64_t top, const std::int32_t* valid_rows,
                            const Element* logits, const std::int32_t* labels, std::int32_t* correct) {
    *correct =
        static_cast<std::int32_t>(top == 1 ? kernels::correct_count(*valid_rows, C, logits, labels)
                                           : kernels::top_k_count(*valid_rows, C, top, logits, labels));
  }

  static void batch_norm_rstd(std::int64_t channels, double epsilon, const Figure* variance, Figure* rstd) {
    kernels::batch_norm_rstd(channels, epsilon, variance, rstd);
  }
  static void batch_norm_fold(const kernels::BatchNormFold<Figure>& operands) {
    kernels::batch_norm_fold(operands);
  }
  static void moving_average_update(const kernels::MovingAverageUpdate<Figure>& operands) {
    kernels::moving_average_update(operands);
  }
};

}  // namespace fastnn::host

#pragma once

#include <cstdint>
#include <string>

namespace fastnn::tools {

/// Notices a model that has diverged while its numbers are still finite: a cross-entropy above 100
/// ln(classes) (a model that knows nothing has ln(classes)) in each of 20 logged steps one after the other.
class DivergenceWatch {
 public:
  static constexpr int kSteps = 20;

  explicit DivergenceWatch(std::int64_t classes);

  /// Takes the cross-entropy of a logged step. A warning when it has been too high for kSteps of them, once
  /// in the life of this object; else empty.
  std::string add(double cross_entropy);

 private:
  double limit_;
  int steps_above_ = 0;
};

}  // namespace fastnn::tools

#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace fastnn {

/// Extents of a tensor, outermost first; activations are [N, H, W, C] or [N, C], weights as TensorFlow stores
/// them: [R, S, C, K] for convolutions, [C, K] for dense layers. At most kMaxRank dimensions; a scalar has
/// none.
class Shape {
 public:
  static constexpr int kMaxRank = 6;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> extents);
  explicit Shape(std::span<const std::int64_t> extents);

  int rank() const { return rank_; }
  /// Extent of a dimension; a negative index counts from the end. Throws UsageError outside the rank.
  std::int64_t operator[](int dimension) const;
  std::int64_t elements() const;
  std::span<const std::int64_t> extents() const { return {extents_.data(), static_cast<std::size_t>(rank_)}; }
  bool operator==(const Shape& other) const;

  /// "[32,28,28,3]"; "[]" for a scalar.
  std::string text() const;

 private:
  std::array<std::int64_t, kMaxRank> extents_{};
  int rank_ = 0;
};

}  // namespace fastnn

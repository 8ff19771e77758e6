#pragma once

#include <cstddef>
#include <string>

namespace fastnn {

/// How a device stores one parameter and everything of its size: gradient, slots. Elements are of the
/// device's storage type of f32. Padding elements, if the layout has any, are 0 and stay 0 under every
/// optimizer.
class ParameterLayout {
 public:
  virtual ~ParameterLayout() = default;

  /// Elements with padding.
  virtual std::size_t elements() const = 0;
  /// From TensorFlow's row-major order to the layout; writes all elements, padding too.
  virtual void pack(const void* plain, void* packed) const = 0;
  /// The inverse.
  virtual void unpack(const void* packed, void* plain) const = 0;
  /// "dense", "Acdb16a": for reports, and to tell layouts apart.
  virtual std::string text() const = 0;
};

/// TensorFlow's order itself.
class DenseLayout final : public ParameterLayout {
 public:
  DenseLayout(std::size_t elements, std::size_t element_bytes)
      : elements_(elements), element_bytes_(element_bytes) {}

  std::size_t elements() const override { return elements_; }
  void pack(const void* plain, void* packed) const override;
  void unpack(const void* packed, void* plain) const override;
  std::string text() const override { return "dense"; }

 private:
  std::size_t elements_;
  std::size_t element_bytes_;
};

}  // namespace fastnn

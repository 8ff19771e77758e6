#pragma once

#include <span>
#include <string_view>

namespace fastnn::tests {

/// A small kernel with a planted fault, or its right twin, and its launch.
struct Planted {
  std::string_view name;
  /// What the sanitizer of the build says about it; empty where it finds nothing.
  std::string_view address, thread;
  void (*run)();
};

std::span<const Planted> planted_kernels();

}  // namespace fastnn::tests

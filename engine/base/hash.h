#pragma once

#include <cstdint>
#include <string_view>

namespace fastnn {

/// 64-bit FNV-1a of the bytes; 'basis' chains several parts into one hash.
constexpr std::uint64_t fnv1a64(std::string_view text, std::uint64_t basis = 0xcbf29ce484222325) {
  for (const char c : text) basis = (basis ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return basis;
}

}  // namespace fastnn

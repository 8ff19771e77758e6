#pragma once

#include <zlib.h>

#include <string>

namespace fastnn::tests {

/// A gzip (window bits 31) or zlib (15) stream of a text.
inline std::string deflated(std::string_view text, int window_bits = 31) {
  ::z_stream state{};
  ::deflateInit2(&state, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(::deflateBound(&state, text.size()) + 64, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  ::deflate(&state, Z_FINISH);
  out.resize(state.total_out);
  ::deflateEnd(&state);
  return out;
}

}  // namespace fastnn::tests

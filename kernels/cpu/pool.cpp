#include "kernels/cpu/pool.h"

#include <algorithm>

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/vector.h"

namespace fastnn::kernels::cpu {
namespace {

// A vector of channels of one pixel: eight, or one where a tensor has fewer than eight.
struct Eight {
  static constexpr std::int64_t kWidth = 8;
  __m256 value;
  __m256i index;

  template <class A>
  static Eight load(const A* x, int tap) {
    return {load8(x), _mm256_set1_epi32(tap)};
  }
  template <class A>
  static Eight load_where(const A* dy, const std::uint8_t* index, int tap) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(index));
    const __m256i chosen = _mm256_cmpeq_epi32(_mm256_cvtepu8_epi32(bytes), _mm256_set1_epi32(tap));
    return {_mm256_and_ps(_mm256_castsi256_ps(chosen), load8(dy)), chosen};
  }
  static Eight zero() { return {_mm256_setzero_ps(), _mm256_setzero_si256()}; }
  void take_if_larger(const Eight& other) {
    const __m256 larger = _mm256_cmp_ps(other.value, value, _CMP_GT_OQ);
    // The second operand where either is a NaN.
    value = _mm256_max_ps(other.value, value);
    index = _mm256_blendv_epi8(index, other.index, _mm256_castps_si256(larger));
  }
  void add(const Eight& other) { value = _mm256_add_ps(value, other.value); }
  template <class A>
  void store(A* y) const {
    store8(y, value);
  }
  void store_index(std::uint8_t* to) const {
    const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(index), _mm256_extracti128_si256(index, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(words, words));
  }
};

struct One {
  static constexpr std::int64_t kWidth = 1;
  float value;
  int index;

  template <class A>
  static One load(const A* x, int tap) {
    return {float(*x), tap};
  }
  template <class A>
  static One load_where(const A* dy, const std::uint8_t* chosen, int tap) {
    return {*chosen == tap ? float(*dy) : 0, tap};
  }
  static One zero() { return {0, 0}; }
  void take_if_larger(const One& other) {
    if (other.value > value) *this = other;
  }
  void add(const One& other) { value += other.value; }
  template <class A>
  void store(A* y) const {
    *y = A(value);
  }
  void store_index(std::uint8_t* to) const { *to = static_cast<std::uint8_t>(index); }
};

// Calls f(first channel) for vectors that cover the channels; the last one may overlap the one before it,
// which then computes the same values once more.
template <class V, class F>
inline void for_each_vector(std::int64_t C, F&& f) {
  for (std::int64_t c = 0; c < C; c += V::kWidth) f(std::min(c, C - V::kWidth));
}

// Part of the window, in one dimension, that lies inside the input.
struct Taps {
  std::int64_t begin, end;
};

inline Taps inside(std::int64_t start, std::int64_t dilation, std::int64_t taps, std::int64_t extent) {
  const auto first_at = [&](std::int64_t position) {
    return std::clamp<std::int64_t>((position - start + dilation - 1) / dilation, 0, taps);
  };
  return {start < 0 ? first_at(0) : 0, first_at(extent)};
}

// One pixel of the output whose window of R x S taps lies inside the input, x at its first tap.
template <class V, int R, int S, class A>
void pool_whole_window(const Window2d& a, const A* x, A* y, std::uint8_t* index) {
  const std::int64_t row = a.W * a.C;
  for_each_vector<V>(a.C, [&](std::int64_t c) {
    V best = V::load(x + c, 0);
    for (int r = 0; r < R; ++r)
      for (int s = r == 0 ? 1 : 0; s < S; ++s)
        best.take_if_larger(V::load(x + r * row + s * a.C + c, r * S + s));
    best.store(y + c);
    best.store_index(index + c);
  });
}

// One pixel of the output, any window, of which the taps rows x columns lie inside the input; the first tap
// of all at image[first], which may lie outside.
template <class V, class A>
void pool_window(const Window2d& a, const A* image, std::int64_t first, Taps rows, Taps columns, A* y,
                 std::uint8_t* index) {
  for_each_vector<V>(a.C, [&](std::int64_t c) {
    const auto tap = [&](std::int64_t r, std::int64_t s) {
      const std::int64_t pixel = first + (r * a.dilation_h * a.W + s * a.dilation_w) * a.C;
      return V::load(image + pixel + c, static_cast<int>(r * a.S + s));
    };
    V best = tap(rows.begin, columns.begin);
    for (std::int64_t r = rows.begin; r < rows.end; ++r)
      for (std::int64_t s = columns.begin; s < columns.end; ++s) best.take_if_larger(tap(r, s));
    best.store(y + c);
    best.store_index(index + c);
  });
}

template <class A>
using WholeWindow = void (*)(const Window2d&, const A*, A*, std::uint8_t*);

// The windows of our nets, unrolled; null for others.
template <class V, class A>
WholeWindow<A> whole_window(const Window2d& a) {
  if (a.dilation_h != 1 || a.dilation_w != 1 || a.R != a.S) return nullptr;
  return a.R == 2 ? pool_whole_window<V, 2, 2, A> : a.R == 3 ? pool_whole_window<V, 3, 3, A> : nullptr;
}

// One row of the output.
template <class V, class A>
void pool_row(const Window2d& a, WholeWindow<A> whole, const A* image, std::int64_t p, A* y,
              std::uint8_t* index) {
  const std::int64_t top = p * a.stride_h - a.pad_top;
  const Taps rows = inside(top, a.dilation_h, a.R, a.H);
  for (std::int64_t q = 0; q < a.Q; ++q, y += a.C, index += a.C) {
    const std::int64_t left = q * a.stride_w - a.pad_left;
    const Taps columns = inside(left, a.dilation_w, a.S, a.W);
    const std::int64_t first = (top * a.W + left) * a.C;
    if (whole != nullptr && rows.end - rows.begin == a.R && columns.end - columns.begin == a.S)
      whole(a, image + first, y, index);
    else
      pool_window<V>(a, image, first, rows, columns, y, index);
  }
}

// The commonest window: 2x2, stride 2, the input exactly covered. x: the two input rows.
bool is_two_by_two(const Window2d& a) {
  return a.R == 2 && a.S == 2 && a.stride_h == 2 && a.stride_w == 2 && a.dilation_h == 1 &&
         a.dilation_w == 1 && a.pad_top == 0 && a.pad_left == 0 && a.H == 2 * a.P && a.W == 2 * a.Q;
}

template <class V, class A>
void pool_row_two_by_two(const Window2d& a, const A* x, A* y, std::uint8_t* index) {
  const A* below = x + a.W * a.C;
  for (std::int64_t q = 0; q < a.Q; ++q, y += a.C, index += a.C) {
    for_each_vector<V>(a.C, [&](std::int64_t c) {
      const std::int64_t left = 2 * q * a.C + c, right = left + a.C;
      V best = V::load(x + left, 0);
      best.take_if_larger(V::load(x + right, 1));
      best.take_if_larger(V::load(below + left, 2));
      best.take_if_larger(V::load(below + right, 3));
      best.store(y + c);
      best.store_index(index + c);
    });
  }
}

template <class V, class A>
void gradient_rows_two_by_two(const Window2d& a, const std::uint8_t* index, const A* dy, A* dx) {
  A* below = dx + a.W * a.C;
  for (std::int64_t q = 0; q < a.Q; ++q, dy += a.C, index += a.C) {
    for_each_vector<V>(a.C, [&](std::int64_t c) {
      const std::int64_t left = 2 * q * a.C + c, right = left + a.C;
      V::load_where(dy + c, index + c, 0).store(dx + left);
      V::load_where(dy + c, index + c, 1).store(dx + right);
      V::load_where(dy + c, index + c, 2).store(below + left);
      V::load_where(dy + c, index + c, 3).store(below + right);
    });
  }
}

// The windows that cover an input position, in one dimension: output position and tap of each.
struct Covers {
  std::int64_t count = 0;
  std::int64_t output[kMaxPoolWindow];
  std::int64_t tap[kMaxPoolWindow];
};

void find_covers(std::int64_t position, std::int64_t pad, std::int64_t stride, std::int64_t dilation,
                 std::int64_t taps, std::int64_t outputs, Covers& covers) {
  covers.count = 0;
  const auto add = [&](std::int64_t output, std::int64_t tap) {
    covers.output[covers.count] = output;
    covers.tap[covers.count++] = tap;
  };
  const std::int64_t last = position + pad;
  if (dilation == 1) {
    // One division serves all taps: every stride-th one has an output, each the one before.
    std::int64_t output = last / stride;
    for (std::int64_t tap = last % stride; tap < taps && output >= 0; tap += stride, --output)
      if (output < outputs) add(output, tap);
    return;
  }
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    const std::int64_t start = last - tap * dilation;
    if (start >= 0 && start % stride == 0 && start / stride < outputs) add(start / stride, tap);
  }
}

// A window that may have chosen the pixel in question: at 'offset', as tap 'tap'.
struct Source {
  std::int64_t offset;
  int tap;
};

// dx = the sum over the sources; Count of them, or 'count' where Count is 0.
template <class V, int Count, class A>
void gather(const Source* sources, std::int64_t count, std::int64_t C, const std::uint8_t* index, const A* dy,
            A* dx) {
  const std::int64_t n = Count > 0 ? Count : count;
  for_each_vector<V>(C, [&](std::int64_t c) {
    V sum = V::zero();
    for (std::int64_t i = 0; i < n; ++i)
      sum.add(V::load_where(dy + sources[i].offset + c, index + sources[i].offset + c, sources[i].tap));
    sum.store(dx + c);
  });
}

template <class V, class A>
void gather_any(const Source* sources, std::int64_t count, std::int64_t C, const std::uint8_t* index,
                const A* dy, A* dx) {
  switch (count) {
    case 1:
      return gather<V, 1>(sources, count, C, index, dy, dx);
    case 2:
      return gather<V, 2>(sources, count, C, index, dy, dx);
    case 4:
      return gather<V, 4>(sources, count, C, index, dy, dx);
    case 6:
      return gather<V, 6>(sources, count, C, index, dy, dx);
    case 9:
      return gather<V, 9>(sources, count, C, index, dy, dx);
    default:
      return gather<V, 0>(sources, count, C, index, dy, dx);
  }
}

// One row of the input gradient, any window: each pixel gathers from the windows that cover it.
template <class V, class A>
void gradient_row(const Window2d& a, const std::uint8_t* index, const A* dy, std::int64_t h, A* dx) {
  Covers rows, columns;
  Source sources[kMaxPoolWindow];
  find_covers(h, a.pad_top, a.stride_h, a.dilation_h, a.R, a.P, rows);
  for (std::int64_t w = 0; w < a.W; ++w, dx += a.C) {
    find_covers(w, a.pad_left, a.stride_w, a.dilation_w, a.S, a.Q, columns);
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < rows.count; ++i)
      for (std::int64_t j = 0; j < columns.count; ++j)
        sources[count++] = {(rows.output[i] * a.Q + columns.output[j]) * a.C,
                            static_cast<int>(rows.tap[i] * a.S + columns.tap[j])};
    gather_any<V>(sources, count, a.C, index, dy, dx);
  }
}

// Bytes that either direction touches.
template <class A>
std::int64_t traffic(const Window2d& a) {
  return a.N * a.C * (a.H * a.W * kElementBytes<A> + a.P * a.Q * (kElementBytes<A> + 1));
}

template <class V, class A>
void forward(const Window2d& a, const A* x, A* y, std::uint8_t* index) {
  const bool fast = is_two_by_two(a);
  const WholeWindow<A> whole = whole_window<V, A>(a);
  parallel_ranges(a.N * a.P, traffic<A>(a), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t out = row * a.Q * a.C;
      if (fast)
        pool_row_two_by_two<V>(a, x + 2 * row * a.W * a.C, y + out, index + out);
      else
        pool_row<V>(a, whole, x + row / a.P * a.H * a.W * a.C, row % a.P, y + out, index + out);
    }
  });
}

template <class V, class A>
void gradient_two_by_two(const Window2d& a, const std::uint8_t* index, const A* dy, A* dx) {
  parallel_ranges(a.N * a.P, traffic<A>(a), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t out = row * a.Q * a.C;
      gradient_rows_two_by_two<V>(a, index + out, dy + out, dx + 2 * row * a.W * a.C);
    }
  });
}

template <class V, class A>
void gradient_any(const Window2d& a, const std::uint8_t* index, const A* dy, A* dx) {
  const std::int64_t image = a.P * a.Q * a.C;
  parallel_ranges(a.N * a.H, traffic<A>(a), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t from = row / a.H * image;
      gradient_row<V>(a, index + from, dy + from, row % a.H, dx + row * a.W * a.C);
    }
  });
}

template <class V, class A>
void gradient(const Window2d& a, const std::uint8_t* index, const A* dy, A* dx) {
  is_two_by_two(a) ? gradient_two_by_two<V>(a, index, dy, dx) : gradient_any<V>(a, index, dy, dx);
}

}  // namespace

template <class A>
void max_pool(const Window2d& window, const A* x, A* y, std::uint8_t* index) {
  window.C < Eight::kWidth ? forward<One>(window, x, y, index) : forward<Eight>(window, x, y, index);
}

template <class A>
void max_pool_gradient(const Window2d& window, const std::uint8_t* index, const A* dy, A* dx) {
  window.C < Eight::kWidth ? gradient<One>(window, index, dy, dx) : gradient<Eight>(window, index, dy, dx);
}

template void max_pool(const Window2d&, const float*, float*, std::uint8_t*);
template void max_pool(const Window2d&, const Bfloat16*, Bfloat16*, std::uint8_t*);
template void max_pool_gradient(const Window2d&, const std::uint8_t*, const float*, float*);
template void max_pool_gradient(const Window2d&, const std::uint8_t*, const Bfloat16*, Bfloat16*);

}  // namespace fastnn::kernels::cpu

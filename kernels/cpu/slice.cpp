#include "kernels/cpu/slice.h"

#include <algorithm>

#include "kernels/bfloat16.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/vector.h"

namespace fastnn::kernels::cpu {
namespace {

// One dimension: position i of the slice is position begin + i * step of what is sliced.
struct Steps {
  std::int64_t begin, step;
};

// The gradient is the same walk with input and output exchanged: a position takes the value of the one that
// maps to it, if any.
struct Forward {
  static std::int64_t source(Steps a, std::int64_t to, std::int64_t extent) {
    const std::int64_t from = a.begin + to * a.step;
    return from >= 0 && from < extent ? from : -1;
  }
};

struct Backward {
  static std::int64_t source(Steps a, std::int64_t to, std::int64_t extent) {
    const std::int64_t offset = to - a.begin;
    return offset >= 0 && offset % a.step == 0 && offset / a.step < extent ? offset / a.step : -1;
  }
};

// The channels of the destination that have a source.
struct Overlap {
  std::int64_t to, from, count;
};

Overlap overlap(std::int64_t shift, std::int64_t from_extent, std::int64_t to_extent) {
  const std::int64_t to = std::clamp<std::int64_t>(-shift, 0, to_extent);
  const std::int64_t end = std::clamp<std::int64_t>(from_extent - shift, to, to_extent);
  return {to, to + shift, end - to};
}

// A copy of few channels is cheaper as a loop than as a call.
template <class A>
inline void copy(const A* from, std::int64_t count, A* to) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) store(to[i], from[i]);
}

// An image on either side.
struct Extents {
  std::int64_t H, W, C;
};

template <class Way, class A>
void copy_row(const Extents& from, const Extents& to, Steps columns, Overlap channels, const A* x, A* y) {
  for (std::int64_t q = 0; q < to.W; ++q, y += to.C) {
    const std::int64_t w = Way::source(columns, q, from.W);
    if (w < 0) {
      std::fill_n(y, to.C, A());
      continue;
    }
    std::fill_n(y, channels.to, A());
    copy(x + w * from.C + channels.from, channels.count, y + channels.to);
    std::fill_n(y + channels.to + channels.count, to.C - channels.to - channels.count, A());
  }
}

template <class Way, class A>
void copy_images(const Slice& a, const Extents& from, const Extents& to, std::int64_t channel_shift,
                 const A* x, A* y) {
  const Overlap channels = overlap(channel_shift, from.C, to.C);
  const std::int64_t bytes = kElementBytes<A> * a.N * (from.H * from.W * channels.count + to.H * to.W * to.C);
  parallel_ranges(a.N * to.H, bytes, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      A* out = y + row * to.W * to.C;
      const std::int64_t h = Way::source({a.begin_h, a.step_h}, row % to.H, from.H);
      if (h < 0)
        std::fill_n(out, to.W * to.C, A());
      else
        copy_row<Way>(from, to, {a.begin_w, a.step_w}, channels,
                      x + (row / to.H * from.H + h) * from.W * from.C, out);
    }
  });
}

}  // namespace

template <class A>
void slice(const Slice& a, const A* x, A* y) {
  copy_images<Forward>(a, {a.H, a.W, a.C}, {a.P, a.Q, a.K}, a.begin_c, x, y);
}

template <class A>
void slice_gradient(const Slice& a, const A* dy, A* dx) {
  copy_images<Backward>(a, {a.P, a.Q, a.K}, {a.H, a.W, a.C}, -a.begin_c, dy, dx);
}

template <class A>
void concat(std::int64_t rows, std::span<const ConcatPart<A>> parts, A* y) {
  std::int64_t channels = 0;
  for (const auto& part : parts) channels += part.channels;
  parallel_ranges(rows, 2 * rows * channels * kElementBytes<A>, [=](std::int64_t begin, std::int64_t end) {
    A* out = y + begin * channels;
    for (std::int64_t row = begin; row < end; ++row)
      for (const auto& part : parts) {
        copy(part.x + row * part.channels, part.channels, out);
        out += part.channels;
      }
  });
}

template void slice(const Slice&, const float*, float*);
template void slice(const Slice&, const Bfloat16*, Bfloat16*);
template void slice_gradient(const Slice&, const float*, float*);
template void slice_gradient(const Slice&, const Bfloat16*, Bfloat16*);
template void concat(std::int64_t, std::span<const ConcatPart<float>>, float*);
template void concat(std::int64_t, std::span<const ConcatPart<Bfloat16>>, Bfloat16*);

}  // namespace fastnn::kernels::cpu

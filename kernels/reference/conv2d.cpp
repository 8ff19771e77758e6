#include "kernels/reference/conv2d.h"

#include <algorithm>
#include <vector>

#include "kernels/reference/matmul.h"

// A convolution is a matrix product with the patches of the image, one row per output pixel: window pixel
// (r, s) of channel c stands in column (r * S + s) * C + c, as in the weights. Patches are made for a block
// at a time.
namespace fastnn::kernels::reference {
namespace {

constexpr std::int64_t kBlockPixels = 64, kBlockColumns = 256;

std::int64_t patch_columns(const Window2d& a) {
  return a.R * a.S * a.C;
}

/// Calls f(offset of a pixel of the image x, begin, end) for each window pixel of an output pixel that has
/// columns in [first, last) of its patch: those in [begin, end), counted from 'first'. The offset is -1 in
/// padding.
template <class F>
void for_each_tap(const Window2d& a, std::int64_t output, std::int64_t first, std::int64_t last, F&& f) {
  const std::int64_t n = output / (a.P * a.Q), p = output / a.Q % a.P, q = output % a.Q;
  for (std::int64_t tap = first / a.C; tap * a.C < last; ++tap) {
    const std::int64_t h = p * a.stride_h - a.pad_top + tap / a.S * a.dilation_h;
    const std::int64_t w = q * a.stride_w - a.pad_left + tap % a.S * a.dilation_w;
    const bool inside = h >= 0 && h < a.H && w >= 0 && w < a.W;
    const std::int64_t begin = std::max(tap * a.C, first), end = std::min((tap + 1) * a.C, last);
    const std::int64_t offset = ((n * a.H + h) * a.W + w) * a.C + begin - tap * a.C;
    f(inside ? offset : -1, begin - first, end - first);
  }
}

/// Columns [first, last) of the patches of output pixels [pixel, pixel + count), dense.
void gather(const Window2d& a, const double* x, std::int64_t pixel, std::int64_t count, std::int64_t first,
            std::int64_t last, double* patches) {
  for (std::int64_t i = 0; i < count; ++i) {
    double* row = patches + i * (last - first);
    for_each_tap(a, pixel + i, first, last, [&](std::int64_t offset, std::int64_t begin, std::int64_t end) {
      if (offset < 0)
        std::fill(row + begin, row + end, 0.0);
      else
        std::copy_n(x + offset, end - begin, row + begin);
    });
  }
}

/// The reverse: adds whole patches to the image.
void scatter(const Window2d& a, const double* patches, std::int64_t pixel, std::int64_t count, double* dx) {
  const std::int64_t columns = patch_columns(a);
  for (std::int64_t i = 0; i < count; ++i) {
    const double* row = patches + i * columns;
    for_each_tap(a, pixel + i, 0, columns, [&](std::int64_t offset, std::int64_t begin, std::int64_t end) {
      if (offset < 0) return;
      for (std::int64_t j = begin; j < end; ++j) dx[offset + j - begin] += row[j];
    });
  }
}

}  // namespace

void conv2d(const Conv2d& conv, const double* x, const double* w, double* y) {
  const Window2d& a = conv.window;
  const std::int64_t K = conv.K, pixels = a.N * a.P * a.Q, columns = patch_columns(a);
#pragma omp parallel for schedule(static)
  for (std::int64_t pixel = 0; pixel < pixels; pixel += kBlockPixels) {
    const std::int64_t count = std::min(kBlockPixels, pixels - pixel);
    std::vector<double> patches(static_cast<std::size_t>(kBlockPixels * kBlockColumns));
    std::fill_n(y + pixel * K, count * K, 0.0);
    for (std::int64_t first = 0; first < columns; first += kBlockColumns) {
      const std::int64_t last = std::min(first + kBlockColumns, columns);
      gather(a, x, pixel, count, first, last, patches.data());
      matmul_add({count, K, last - first}, {patches.data(), last - first, 1}, {w + first * K, K, 1},
                 y + pixel * K, K);
    }
  }
}

void conv2d_input_gradient(const Conv2d& conv, const double* w, const double* dy, double* dx) {
  const Window2d& a = conv.window;
  const std::int64_t K = conv.K, pixels = a.P * a.Q, columns = patch_columns(a);
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < a.N; ++n) {
    std::fill_n(dx + n * a.H * a.W * a.C, a.H * a.W * a.C, 0.0);
    std::vector<double> patches(static_cast<std::size_t>(kBlockPixels * columns));
    for (std::int64_t pixel = n * pixels; pixel < (n + 1) * pixels; pixel += kBlockPixels) {
      const std::int64_t count = std::min(kBlockPixels, (n + 1) * pixels - pixel);
      std::ranges::fill(patches, 0.0);
      matmul_add({count, columns, K}, {dy + pixel * K, K, 1}, MatrixView{w, K, 1}.transposed(),
                 patches.data(), columns);
      scatter(a, patches.data(), pixel, count, dx);
    }
  }
}

void conv2d_weight_gradient(const Conv2d& conv, const double* x, const double* dy, double* dw) {
  const Window2d& a = conv.window;
  const std::int64_t K = conv.K, pixels = a.N * a.P * a.Q, columns = patch_columns(a);
  // Rows of dw are columns of the patches; each thread has its own.
  constexpr std::int64_t kRows = 64, kPixels = 256;
#pragma omp parallel for schedule(static)
  for (std::int64_t first = 0; first < columns; first += kRows) {
    const std::int64_t last = std::min(first + kRows, columns), rows = last - first;
    std::vector<double> patches(static_cast<std::size_t>(kRows * kPixels));
    std::fill_n(dw + first * K, rows * K, 0.0);
    for (std::int64_t pixel = 0; pixel < pixels; pixel += kPixels) {
      const std::int64_t count = std::min(kPixels, pixels - pixel);
      gather(a, x, pixel, count, first, last, patches.data());
      matmul_add({rows, K, count}, MatrixView{patches.data(), rows, 1}.transposed(), {dy + pixel * K, K, 1},
                 dw + first * K, K);
    }
  }
}

}  // namespace fastnn::kernels::reference

#include <array>

#include "tools/fastnn_data/sheet.h"

namespace fastnn::tools {
namespace {

constexpr int kGlyphWidth = 3, kGlyphHeight = 5, kScale = 2;
constexpr int kAdvance = (kGlyphWidth + 1) * kScale;

/// Five rows of three pixels as octal digits, the upper row first; the left pixel is worth 4.
constexpr std::array<std::uint16_t, 10> kDigits = {075557, 026227, 071747, 071717, 055711,
                                                   074717, 074757, 071111, 075757, 075717};
constexpr std::array<std::uint16_t, 26> kLetters = {
    025755, 065656, 034443, 065556, 074647, 074644, 034553, 055755, 072227, 011152, 055655, 044447, 057755,
    065555, 025552, 065644, 025563, 065655, 034216, 072222, 055557, 055552, 055775, 055255, 055222, 071247};

std::uint16_t glyph_of(char c) {
  if (c >= '0' && c <= '9') return kDigits[std::size_t(c - '0')];
  if (c >= 'a' && c <= 'z') return kLetters[std::size_t(c - 'a')];
  if (c >= 'A' && c <= 'Z') return kLetters[std::size_t(c - 'A')];
  switch (c) {
    case ' ':
      return 0;
    case '-':
      return 000700;
    case '_':
      return 000007;
    case '.':
      return 000002;
    case ':':
      return 002020;
    default:
      return 071202;
  }
}

void draw_glyph(Image& image, int top, int left, std::uint16_t glyph) {
  for (int y = 0; y < kGlyphHeight * kScale && top + y < image.height(); ++y)
    for (int x = 0; x < kGlyphWidth * kScale && left + x < image.width(); ++x) {
      const int bit = (kGlyphHeight - 1 - y / kScale) * kGlyphWidth + kGlyphWidth - 1 - x / kScale;
      if (glyph >> bit & 1)
        for (int c = 0; c < 3; ++c) image.row(top + y)[std::size_t(left + x) * 3 + c] = 255;
    }
}

}  // namespace

void draw_text(Image& image, int top, int left, std::string_view text) {
  for (const char c : text) {
    draw_glyph(image, top, left, glyph_of(c));
    left += kAdvance;
  }
}

}  // namespace fastnn::tools

#include "engine/checkpoint/quoted.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace fastnn {
namespace {

constexpr std::string_view kEscaped = "\n\r\t\"'\\";
constexpr std::string_view kLetters = "nrt\"'\\";

// Takes the number of an escape like \303 or \xc3.
bool take_number(std::string_view& rest, int base, std::size_t most_digits, std::string& text) {
  unsigned value = 0;
  const char* const end = rest.data() + std::min(rest.size(), most_digits);
  const auto [stop, error] = std::from_chars(rest.data(), end, value, base);
  if (error != std::errc() || value > 255) return false;
  rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
  text.push_back(static_cast<char>(value));
  return true;
}

bool take_escape(std::string_view& rest, std::string& text) {
  if (rest.empty()) return false;
  const std::size_t letter = kLetters.find(rest[0]);
  if (letter == std::string_view::npos && rest[0] != 'x') return take_number(rest, 8, 3, text);
  const char first = rest[0];
  rest.remove_prefix(1);
  if (first == 'x') return take_number(rest, 16, 2, text);
  text.push_back(kEscaped[letter]);
  return true;
}

}  // namespace

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const std::size_t escaped = kEscaped.find(c);
    if (escaped != std::string_view::npos)
      quoted.append({'\\', kLetters[escaped]});
    else if (c < ' ' || c == 127)
      quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      quoted.push_back(c);
  }
  return quoted + '"';
}

std::optional<std::string> unquote(std::string_view quoted) {
  const bool enclosed =
      quoted.size() >= 2 && (quoted[0] == '"' || quoted[0] == '\'') && quoted.back() == quoted[0];
  if (!enclosed) return std::nullopt;
  std::string text;
  for (std::string_view rest = quoted.substr(1, quoted.size() - 2); !rest.empty();) {
    const char c = rest[0];
    rest.remove_prefix(1);
    if (c == quoted[0] || (c == '\\' && !take_escape(rest, text))) return std::nullopt;
    if (c != '\\') text.push_back(c);
  }
  return text;
}

}  // namespace fastnn

#include <algorithm>
#include <cctype>
#include <utility>

#include "engine/base/error.h"
#include "tools/parameters/setting.h"
#include "tools/parameters/value.h"

namespace fastnn::tools {
namespace {

bool is_quote(char c) {
  return c == '"' || c == '\'';
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool is_name_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// --name, or -name=.
bool starts_with_flag(std::string_view text) {
  const std::size_t dashes = text.starts_with("--") ? 2 : text.starts_with('-') ? 1 : 0;
  const std::string_view rest = text.substr(dashes);
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_name_letter);
  if (dashes == 0 || end == rest.begin()) return false;
  const bool assigns = end != rest.end() && *end == '=';
  return assigns || (dashes == 2 && (end == rest.end() || is_blank(*end)));
}

/// Takes a line apart from left to right.
class LineReader {
 public:
  LineReader(std::string_view line, const std::string& where) : rest_(line), where_(where) {}

  SettingsLine read() {
    SettingsLine line;
    rest_ = trimmed(rest_);
    if (!is_over() && !rest_.starts_with('-')) read_assignment(line);
    while (!is_over()) line.flags.push_back(read_word());
    // A script's line goes on behind a backslash; each line of a file stands for itself.
    if (!line.flags.empty() && line.flags.back() == "\\") line.flags.pop_back();
    return line;
  }

 private:
  /// Nothing but a comment is left.
  bool is_over() {
    rest_ = trimmed(rest_);
    return rest_.empty() || rest_.starts_with('#');
  }

  void read_assignment(SettingsLine& line) {
    const std::size_t equals = rest_.find('=');
    if (equals == std::string_view::npos || equals == 0)
      throw UsageError("[parameters] expected name=value or a line starting with #; got \"{}\" ({})", rest_,
                       where_);
    line.name = trimmed(rest_.substr(0, equals));
    rest_.remove_prefix(equals + 1);
    const std::string_view value = trimmed(rest_);
    if (!value.empty() && is_quote(value.front())) {
      rest_ = value;
      line.value = read_quoted(ends_value);
    } else {
      line.value = without_stray_quote(read_until_end());
    }
  }

  /// What may stand behind a value: nothing, a comment, flags.
  static bool ends_value(std::string_view behind) {
    behind = trimmed(behind);
    return behind.empty() || behind.starts_with('#') || starts_with_flag(behind);
  }

  static bool ends_word(std::string_view behind) { return behind.empty() || is_blank(behind.front()); }

  /// The text between the quote at the beginning and the first like it behind which it may end.
  template <class MayEnd>
  std::string read_quoted(MayEnd may_end) {
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] != rest_.front() || !may_end(rest_.substr(i + 1))) continue;
      const std::string_view inside = rest_.substr(1, i - 1);
      rest_.remove_prefix(i + 1);
      return std::string(inside);
    }
    fail_quotes(rest_);
  }

  std::string_view read_until_end() {
    std::size_t end = 0;
    while (end < rest_.size() && !(is_blank(rest_[end]) && ends_value(rest_.substr(end)))) ++end;
    return trimmed(std::exchange(rest_, rest_.substr(end)).substr(0, end));
  }

  std::string_view read_until_blank() {
    const auto blank = std::find_if(rest_.begin(), rest_.end(), is_blank);
    const auto size = static_cast<std::size_t>(blank - rest_.begin());
    return std::exchange(rest_, rest_.substr(size)).substr(0, size);
  }

  /// --name, --name=value, --name = value or a value alone.
  std::string read_word() {
    if (is_quote(rest_.front())) return read_quoted(ends_word);
    const std::size_t name_end = rest_.find_first_of("= \t\r");
    const std::string_view behind = trimmed(rest_.substr(std::min(name_end, rest_.size())));
    if (!rest_.starts_with('-') || !behind.starts_with('=')) return without_stray_quote(read_until_blank());
    std::string word(rest_.substr(0, name_end));
    word += '=';
    rest_ = trimmed(behind.substr(1));
    const bool is_comment = rest_.starts_with('#') && is_blank(behind[1]);
    if (rest_.empty() || is_comment || starts_with_flag(rest_)) return word;
    return word +
           (is_quote(rest_.front()) ? read_quoted(ends_word) : without_stray_quote(read_until_blank()));
  }

  std::string without_stray_quote(std::string_view value) const {
    if (!value.empty() && is_quote(value.back())) fail_quotes(value);
    return std::string(value);
  }

  [[noreturn]] void fail_quotes(std::string_view value) const {
    throw UsageError("[parameters] expected a quote at both ends of the value or at none; got {} ({})", value,
                     where_);
  }

  std::string_view rest_;
  const std::string& where_;
};

}  // namespace

SettingsLine read_settings_line(std::string_view line, const std::string& where) {
  return LineReader(line, where).read();
}

}  // namespace fastnn::tools

#include "tools/parameters/value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "engine/base/names.h"
#include "tools/common/home_path.h"

namespace fastnn::tools {
namespace {

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

bool fits_float(double value) {
  using Limits = std::numeric_limits<float>;
  const double size = std::abs(value);
  return size == 0 || (size >= Limits::min() && size <= Limits::max());
}

bool is_choice(const ParameterRow& row, std::string_view word) {
  const std::vector<std::string_view> words = choice_words(row.choices);
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<std::string> canonical_flag(const ParameterRow& row, std::string_view text) {
  if (const std::optional<bool> value = boolean_word(text)) return *value ? "True" : "False";
  if (is_choice(row, text)) return std::string(text);
  return std::nullopt;
}

std::optional<std::string> canonical_integer(const ParameterRow& row, std::string_view text) {
  const std::optional<std::int64_t> value = integer_word(text);
  if (!value || !row.range.contains(static_cast<double>(*value))) return std::nullopt;
  return std::to_string(*value);
}

std::optional<std::string> canonical_real(const ParameterRow& row, std::string_view text) {
  const std::optional<double> value = real_word(text);
  if (!value || !row.range.contains(*value)) return std::nullopt;
  return std::string(text);
}

std::string with_home(Holds holds, std::string_view text) {
  if (holds == Holds::words) return std::string(text);
  const std::size_t equals = holds == Holds::path_rules ? text.rfind('=') : std::string_view::npos;
  if (equals == std::string_view::npos) return expand_home(text);
  return fmt::format("{}={}", expand_home(text.substr(0, equals)), expand_home(text.substr(equals + 1)));
}

std::optional<std::string> canonical_list(const ParameterRow& row, std::string_view text) {
  std::vector<std::string> items = list_items(text);
  for (std::string& item : items) item = with_home(row.holds, item);
  const auto allowed = [&](const std::string& item) { return row.choices.empty() || is_choice(row, item); };
  if (!std::all_of(items.begin(), items.end(), allowed)) return std::nullopt;
  return fmt::format("{}", fmt::join(items, ","));
}

std::optional<std::string> canonical_text(const ParameterRow& row, std::string_view text) {
  const bool default_empty = row.default_value && row.default_value->empty() && text.empty();
  if (!row.choices.empty() && !default_empty && !is_choice(row, text)) return std::nullopt;
  return with_home(row.holds, text);
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string> list_items(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (const std::string_view item = trimmed(text.substr(0, comma)); !item.empty()) items.emplace_back(item);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

std::optional<bool> boolean_word(std::string_view text) {
  const std::string word = lower_case(text);
  if (word == "true" || word == "1" || word == "yes") return true;
  if (word == "false" || word == "0" || word == "no") return false;
  return std::nullopt;
}

std::optional<std::int64_t> integer_word(std::string_view text) {
  return whole_number<std::int64_t>(text);
}

std::optional<double> real_word(std::string_view text) {
  const std::optional<double> value = whole_number<double>(text);
  return value && fits_float(*value) ? value : std::nullopt;
}

std::optional<std::string> canonical_value(const ParameterRow& row, std::string_view text) {
  switch (row.type) {
    case ParameterType::flag:
      return canonical_flag(row, text);
    case ParameterType::integer:
      return canonical_integer(row, text);
    case ParameterType::real:
      return canonical_real(row, text);
    case ParameterType::list:
      return canonical_list(row, text);
    case ParameterType::text:
      return canonical_text(row, text);
  }
  return std::nullopt;
}

std::string refusal(const ParameterRow& row, std::string_view text) {
  std::string begin;
  const std::vector<std::string_view> words = choice_words(row.choices);
  for (const std::string& item :
       row.type == ParameterType::list ? list_items(text) : std::vector{std::string(text)})
    if (begin.empty() && !is_choice(row, item)) begin = suggestion(item, words);
  const std::optional<double> number = whole_number<double>(text);
  const bool is_beyond = row.type == ParameterType::real && number && !fits_float(*number);
  return fmt::format("{}expected {}; got \"{}\"{}", begin, expected_value(row), text,
                     is_beyond ? ", which 32 bits do not hold" : "");
}

std::string expected_value(const ParameterRow& row) {
  const std::string words = fmt::format("{}", fmt::join(choice_words(row.choices), ", "));
  if (row.type == ParameterType::flag)
    return words.empty() ? "boolean (True or False)" : fmt::format("boolean (True or False) or {}", words);
  if (!words.empty())
    return fmt::format("{} {}", row.type == ParameterType::list ? "list of" : "one of", words);
  const std::string range = describe(row.range);
  return range.empty() ? std::string(type_name(row.type)) : fmt::format("{} {}", type_name(row.type), range);
}

bool same_value(const ParameterRow& row, std::string_view a, std::string_view b) {
  return row.type == ParameterType::real ? real_word(a) == real_word(b) : a == b;
}

}  // namespace fastnn::tools

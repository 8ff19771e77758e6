#include "tools/parameters/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "tools/parameters/value.h"

namespace fastnn::tools {

std::string describe(const Origin& origin) {
  return origin.written.empty() ? origin.where : fmt::format("{}, as {}", origin.where, origin.written);
}

Parameters::Parameters(Program program, const ParameterTable& table) : program_(program), table_(&table) {
  for (const ParameterRow& row : table.rows()) values_.push_back(default_of(row));
}

Parameters::Value Parameters::default_of(const ParameterRow& row) {
  return {.present = row.default_value.has_value(), .text = std::string(row.default_value.value_or(""))};
}

const Parameters::Value& Parameters::value(std::string_view name) const {
  const std::optional<std::size_t> row = table_->find(name);
  if (!row) throw std::logic_error(fmt::format("[parameters] there is no parameter {} in the table", name));
  return values_[*row];
}

const Parameters::Value& Parameters::typed_value(std::string_view name, ParameterType type) const {
  const Value& found = value(name);
  const ParameterType is = table_->rows()[*table_->find(name)].type;
  if (is != type)
    throw std::logic_error(
        fmt::format("[parameters] {} is read as {} but is {}", name, type_name(type), type_name(is)));
  if (!found.present && type != ParameterType::list)
    throw std::logic_error(
        fmt::format("[parameters] {} is read but has no value; ask has_value first", name));
  return found;
}

std::int64_t Parameters::integer(std::string_view name) const {
  return integer_word(typed_value(name, ParameterType::integer).text).value();
}

int Parameters::small_integer(std::string_view name) const {
  constexpr double kLow = std::numeric_limits<int>::min(), kHigh = std::numeric_limits<int>::max();
  const std::int64_t number = integer(name);
  const Range& range = table_->rows()[*table_->find(name)].range;
  if (range.low < kLow || range.high > kHigh)
    throw std::logic_error(
        fmt::format("[parameters] {} does not fit an int: its range is {}", name, describe(range)));
  return static_cast<int>(number);
}

double Parameters::real(std::string_view name) const {
  return real_word(typed_value(name, ParameterType::real).text).value();
}

bool Parameters::flag(std::string_view name) const {
  return typed_value(name, ParameterType::flag).text != "False";
}

const std::string& Parameters::text(std::string_view name) const {
  return value(name).text;
}

std::vector<std::string> Parameters::list(std::string_view name) const {
  return list_items(typed_value(name, ParameterType::list).text);
}

bool Parameters::is_set(std::string_view name) const {
  return value(name).origin.kind != Origin::Kind::default_value;
}

bool Parameters::has_value(std::string_view name) const {
  return value(name).present;
}

Parameters Parameters::with(std::string_view name, std::string value, Origin origin) const {
  Parameters copy = *this;
  copy.values_[static_cast<std::size_t>(&this->value(name) - values_.data())] = {
      .present = true, .text = std::move(value), .origin = std::move(origin)};
  return copy;
}

const Origin& Parameters::origin(std::string_view name) const {
  return value(name).origin;
}

bool is_met(const Parameters& parameters, const Condition& condition) {
  if (condition.words.empty()) return parameters.text(condition.parameter).empty();
  const std::vector<std::string_view> words = choice_words(condition.words);
  const std::vector<std::string> items = list_items(parameters.text(condition.parameter));
  const bool found =
      std::find_first_of(items.begin(), items.end(), words.begin(), words.end()) != items.end();
  return found == (condition.is == Condition::Is::one_of);
}

}  // namespace fastnn::tools

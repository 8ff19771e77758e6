#include "tools/parameters/parameter_table.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/names.h"
#include "tools/parameters/table_groups.h"
#include "tools/parameters/value.h"

namespace fastnn::tools {
namespace {

std::vector<ParameterRow> all_rows() {
  std::vector<ParameterRow> rows = data_rows();
  for (auto* more : {training_rows, run_rows, surroundings_rows, other_programs_rows})
    for (ParameterRow& row : more()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace

std::string_view program_name(Program program) {
  return program == Program::train ? "fastnn-train" : "fastnn-eval";
}

bool Range::contains(double value) const {
  const bool above_low = open_low ? value > low : value >= low;
  const bool below_high = open_high ? value < high : value <= high;
  return above_low && below_high;
}

std::string describe(const Range& range) {
  const std::string low = fmt::format("{}{:.15g}", range.open_low ? "above " : "", range.low);
  const std::string high = fmt::format("{}{:.15g}", range.open_high ? "below " : "", range.high);
  if (std::isinf(range.low) && std::isinf(range.high)) return "";
  if (std::isinf(range.high)) return range.open_low ? low : "at least " + low;
  if (std::isinf(range.low)) return range.open_high ? high : "at most " + high;
  return fmt::format("{}{} to {}", range.open_low ? "" : "from ", low, high);
}

std::string_view type_name(ParameterType type) {
  switch (type) {
    case ParameterType::text:
      return "string";
    case ParameterType::list:
      return "list";
    case ParameterType::integer:
      return "integer";
    case ParameterType::real:
      return "float";
    case ParameterType::flag:
      return "boolean";
  }
  return "";
}

std::string describe(const Condition& condition) {
  if (condition.words.empty()) return fmt::format("{} is unset", condition.parameter);
  return fmt::format("{} is {}{}", condition.parameter, condition.is == Condition::Is::one_of ? "" : "not ",
                     fmt::join(choice_words(condition.words), " or "));
}

std::vector<std::string_view> choice_words(std::string_view choices) {
  std::vector<std::string_view> words;
  while (!choices.empty()) {
    const std::size_t bar = std::min(choices.find('|'), choices.size());
    words.push_back(choices.substr(0, bar));
    choices.remove_prefix(std::min(bar + 1, choices.size()));
  }
  return words;
}

ParameterTable::ParameterTable(std::vector<ParameterRow> rows, std::vector<ParameterAlias> aliases)
    : rows_(std::move(rows)), aliases_(std::move(aliases)) {
  for (ParameterRow& row : rows_)
    if (row.status == ParameterStatus::implemented && row.test.empty())
      row.test = fmt::format("parameter {} changes what the program does", row.name);
}

std::optional<std::size_t> ParameterTable::find(std::string_view name) const {
  const auto row =
      std::find_if(rows_.begin(), rows_.end(), [&](const ParameterRow& r) { return r.name == name; });
  if (row == rows_.end()) return std::nullopt;
  return static_cast<std::size_t>(row - rows_.begin());
}

const ParameterAlias* ParameterTable::find_alias(std::string_view name) const {
  const auto alias =
      std::find_if(aliases_.begin(), aliases_.end(), [&](const ParameterAlias& a) { return a.name == name; });
  return alias == aliases_.end() ? nullptr : &*alias;
}

std::string_view ParameterTable::nearest(std::string_view name, Program program) const {
  std::vector<std::string_view> known;
  for (const ParameterRow& row : rows_)
    if (row.programs.has(program) && row.in_help == InHelp::shown) known.push_back(row.name);
  for (const ParameterAlias& alias : aliases_)
    if (alias.deprecated.empty() && rows_[find(alias.target).value()].programs.has(program))
      known.push_back(alias.name);
  return nearest_name(lower_case(name), known);
}

std::vector<const ParameterAlias*> ParameterTable::aliases_of(std::string_view name) const {
  std::vector<const ParameterAlias*> found;
  for (const ParameterAlias& alias : aliases_)
    if (alias.target == name || alias.file_target == name) found.push_back(&alias);
  return found;
}

void append_group(std::vector<ParameterRow>& table, std::string_view group, std::vector<ParameterRow> rows) {
  for (ParameterRow& row : rows) {
    row.group = group;
    table.push_back(std::move(row));
  }
}

const ParameterTable& parameter_table() {
  static const ParameterTable table(all_rows(), all_aliases());
  return table;
}

}  // namespace fastnn::tools

#include "tools/parameters/report.h"

#include <fmt/format.h>

#include "tools/common/write_file.h"
#include "tools/parameters/value.h"
#include "version.h"

namespace fastnn::tools {
namespace {

bool is_saved(const ParameterRow& row) {
  return row.where == WhereAllowed::anywhere;
}

/// Rows of the parameters' program.
std::vector<const ParameterRow*> rows_of(const Parameters& parameters) {
  std::vector<const ParameterRow*> rows;
  for (const ParameterRow& row : parameters.table().rows())
    if (row.programs.has(parameters.program())) rows.push_back(&row);
  return rows;
}

/// Names and values of the defaults that are in force: not those of features that do not exist.
std::vector<std::string> default_words(const Parameters& parameters) {
  std::vector<std::string> words;
  for (const ParameterRow* row : rows_of(parameters)) {
    const bool in_force = row->status == ParameterStatus::implemented &&
                          !row->later.has(parameters.program()) && is_saved(*row);
    if (!in_force || parameters.is_set(row->name) || parameters.text(row->name).empty()) continue;
    words.push_back(row->unless_set.empty() ? fmt::format("{}={}", row->name, parameters.text(row->name))
                                            : fmt::format("{}=({})", row->name, row->unless_set));
  }
  return words;
}

/// Outer quotes where reading the file would otherwise change the value.
std::string quoted_if_needed(const std::string& value) {
  const auto has_quote = [&](std::size_t at) { return value[at] == '"' || value[at] == '\''; };
  const bool needed = !value.empty() && (value.find_first_of(" \t") != std::string::npos || has_quote(0) ||
                                         has_quote(value.size() - 1));
  const char quote = value.find('"') == std::string::npos ? '"' : '\'';
  return needed ? quote + value + quote : value;
}

std::string shown(const Parameters& parameters, std::string_view name) {
  return parameters.has_value(name) ? parameters.text(name) : "(unset)";
}

}  // namespace

std::vector<std::string> effective_lines(const Parameters& parameters, int width) {
  std::vector<std::string> lines;
  for (const ParameterRow* row : rows_of(parameters))
    if (parameters.is_set(row->name))
      lines.push_back(fmt::format("{}={}  ({})", row->name, parameters.text(row->name),
                                  describe(parameters.origin(row->name))));
  std::string line = "defaults:";
  for (const std::string& word : default_words(parameters)) {
    if (line.size() + 1 + word.size() > static_cast<std::size_t>(width)) {
      lines.push_back(line);
      line.assign(1, ' ');  // not = " ": gcc 12 warns falsely of overlap there
    }
    line += " " + word;
  }
  lines.push_back(line);
  return lines;
}

void print_effective(const Parameters& parameters, Log& log) {
  for (const std::string& warning : parameters.warnings()) log.warning(warning);
  for (const std::string& line : effective_lines(parameters)) log.info(line);
}

std::string settings_text(const Parameters& parameters) {
  std::string set;
  std::string defaults;
  for (const ParameterRow* row : rows_of(parameters)) {
    if (!is_saved(*row)) continue;
    const std::string& value = parameters.text(row->name);
    if (parameters.is_set(row->name))
      set += fmt::format("# {}\n{}={}\n", describe(parameters.origin(row->name)), row->name,
                         quoted_if_needed(value));
    else if (parameters.has_value(row->name))
      defaults += fmt::format("# {}={}\n", row->name, value);
  }
  return fmt::format("# settings of {} {}\n{}\n# defaults\n{}", program_name(parameters.program()), kVersion,
                     set, defaults);
}

void save(const Parameters& parameters, const std::filesystem::path& file) {
  write_file(file, settings_text(parameters));
}

std::vector<Difference> differences(const Parameters& a, const Parameters& b) {
  std::vector<Difference> found;
  for (const ParameterRow* row : rows_of(a)) {
    const bool presence_counts = !row->unless_set.empty();
    const bool same = a.has_value(row->name) == b.has_value(row->name) &&
                      same_value(*row, a.text(row->name), b.text(row->name)) &&
                      (!presence_counts || a.is_set(row->name) == b.is_set(row->name));
    if (same || !is_saved(*row)) continue;
    const auto text = [&](const Parameters& p) {
      return presence_counts && !p.is_set(row->name) ? fmt::format("(unset: {})", row->unless_set)
                                                     : shown(p, row->name);
    };
    found.push_back({.name = std::string(row->name), .a = text(a), .b = text(b)});
  }
  return found;
}

}  // namespace fastnn::tools

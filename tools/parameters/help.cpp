#include "tools/parameters/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/parameters/value.h"

namespace fastnn::tools {
namespace {

constexpr std::string_view kPreamble =
    "Parameters are given as --name=value or in a file with one name=value a line, or several --name=value "
    "(# at "
    "the beginning of a line or behind a blank starts a comment); the command line rules over the file. A "
    "boolean "
    "is also --name and --noname. Lists are separated by commas. ~/ and $HOME/ at the beginning of a path "
    "stand "
    "for the home folder.";

/// Words of 'text' in lines of at most 'width' columns, each after 'indent' blanks.
std::string wrapped(std::string_view text, int indent, int width) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string result;
  std::string line = margin;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (line.size() > margin.size() && line.size() + 1 + word.size() > static_cast<std::size_t>(width)) {
      result += line + "\n";
      line = margin;
    }
    if (line.size() > margin.size()) line += ' ';
    line += word;
  }
  return result + line + "\n";
}

std::string default_text(const ParameterRow& row) {
  if (!row.default_value) return "";
  return row.default_value->empty() ? "default: empty" : fmt::format("default: {}", *row.default_value);
}

/// "Acts while optimizer is adam." and how far the parameter is available.
std::string status_text(const ParameterRow& row, const ProgramSet& programs) {
  if (row.status == ParameterStatus::not_available) return "Not available yet.";
  if (row.status == ParameterStatus::no_effect) return "Accepted without effect.";
  if (row.status == ParameterStatus::default_only) return "Other values are accepted without effect.";
  std::vector<std::string> parts;
  std::vector<std::string> conditions;
  for (const Condition& condition : row.acts_while) conditions.push_back(describe(condition));
  if (!conditions.empty()) parts.push_back(fmt::format("Acts while {}.", fmt::join(conditions, " and ")));
  for (const Program program : {Program::train, Program::eval})
    if (row.later.has(program) && programs.has(program))
      parts.push_back(fmt::format("Not available yet in {}.", program_name(program)));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::vector<std::string> alias_texts(const ParameterTable& table, const ParameterRow& row) {
  std::vector<std::string> texts;
  for (const ParameterAlias* alias : table.aliases_of(row.name)) {
    const std::string_view together = alias->target == row.name ? alias->file_target : alias->target;
    texts.push_back(fmt::format("{} ({}{}{})", alias->name, alias->of,
                                together.empty() ? "" : fmt::format("; together with {}", together),
                                alias->deprecated.empty() ? "" : "; deprecated"));
  }
  return texts;
}

/// Type, range, default: "integer from 1 to 4096; default: 16; while unset: chosen from the cores".
std::string value_text(const ParameterRow& row) {
  std::vector<std::string> parts = {expected_value(row)};
  if (const std::string text = default_text(row); !text.empty()) parts.push_back(text);
  if (!row.unless_set.empty()) parts.push_back(fmt::format("while unset: {}", row.unless_set));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string entry(const ParameterTable& table, const ParameterRow& row, Program program, int width) {
  std::string text = fmt::format("{} [{}]", row.help, value_text(row));
  if (const std::string status = status_text(row, program); !status.empty()) text += " " + status;
  if (const std::vector<std::string> aliases = alias_texts(table, row); !aliases.empty())
    text += fmt::format(" Also: {}.", fmt::join(aliases, ", "));
  return fmt::format("  --{}\n{}", row.name, wrapped(text, 6, width));
}

/// Text as a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|' || c == '*') result += '\\';
    result += c;
  }
  return result;
}

std::string markdown_row(const ParameterTable& table, const ParameterRow& row) {
  std::string help = cell(row.help);
  if (!row.unless_set.empty()) help += fmt::format(" While unset: {}.", cell(row.unless_set));
  if (const std::string status = status_text(row, kAllPrograms); !status.empty())
    help += fmt::format(" *{}*", status);
  std::vector<std::string_view> programs;
  for (const Program program : {Program::train, Program::eval})
    if (row.programs.has(program)) programs.push_back(program_name(program).substr(7));
  std::string defaults = row.default_value ? "(empty)" : "";
  if (row.default_value && !row.default_value->empty()) defaults = fmt::format("`{}`", *row.default_value);
  return fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", row.name, cell(expected_value(row)), defaults,
                     fmt::join(programs, ", "),
                     cell(fmt::format("{}", fmt::join(alias_texts(table, row), ", "))), help);
}

}  // namespace

std::string help_text(const ParameterTable& table, Program program, const HelpOptions& options) {
  const int width = std::max(options.width, 40);
  std::string text =
      wrapped(fmt::format("Usage: {} [FILE] [--name=value ...]", program_name(program)), 0, width);
  text += '\n';
  text += wrapped(kPreamble, 0, width);
  std::string_view group;
  for (const ParameterRow& row : table.rows()) {
    if (!row.programs.has(program) || row.in_help == InHelp::hidden) continue;
    if (row.group != group) text += fmt::format("\n{}\n", row.group);
    group = row.group;
    text += entry(table, row, program, width);
  }
  return text;
}

std::string markdown(const ParameterTable& table) {
  std::string text = fmt::format(
      "# Parameters\n\nMade from the table in the program by `fastnn-train --help_markdown`; change the "
      "table, not "
      "this page.\n\n{}\n",
      kPreamble);
  std::string_view group;
  for (const ParameterRow& row : table.rows()) {
    if (row.in_help == InHelp::hidden) continue;
    if (row.group != group)
      text += fmt::format(
          "\n## {}\n\n| name | value | default | programs | also | what it does "
          "|\n|---|---|---|---|---|---|\n",
          row.group);
    group = row.group;
    text += markdown_row(table, row);
  }
  return text;
}

}  // namespace fastnn::tools

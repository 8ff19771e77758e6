#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/base/error.h"
#include "tools/common/home_path.h"
#include "tools/parameters/parameters.h"
#include "tools/parameters/setting.h"
#include "tools/parameters/value.h"

namespace fastnn::tools {

void fail_unknown(std::string_view written, const Origin& origin, Program program,
                  const ParameterTable& table) {
  std::string_view name = written.substr(0, written.find('='));
  while (name.starts_with('-')) name.remove_prefix(1);
  const std::string_view nearest = table.nearest(name, program);
  throw UsageError("[parameters] {}There is no parameter {} ({}); --help lists all",
                   nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest), written,
                   describe(origin));
}

/// Looks settings up in the table and puts them into a Parameters.
class ParameterReader {
 public:
  ParameterReader(Program program, const ParameterTable& table) : result_(program, table) {}

  /// Settings of one source; a later source rules over an earlier one.
  void apply(const std::vector<Setting>& settings) {
    seen_.assign(rows().size(), nullptr);
    for (const Setting& setting : settings) apply(setting);
    if (!foreign_.empty())
      warn("{}: not for {}, passed over: {}", foreign_file_, program_name(result_.program_),
           fmt::join(foreign_, ", "));
    foreign_.clear();
  }

  template <class... Args>
  void warn(fmt::format_string<Args...> format, Args&&... args) {
    result_.warnings_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  /// What only the final values decide: parameters without effect, features that do not exist yet.
  Parameters finish() {
    for (std::size_t i = 0; i < rows().size(); ++i)
      if (result_.is_set(rows()[i].name)) check_status(rows()[i], result_.values_[i]);
    warn_of_idle();
    return std::move(result_);
  }

 private:
  const std::vector<ParameterRow>& rows() const { return result_.table_->rows(); }

  void apply(const Setting& setting) {
    const ParameterAlias* alias = result_.table_->find_alias(setting.name);
    if (!alias) return store(setting.name, setting.value, setting);
    if (!alias->deprecated.empty())
      warn("{} ({}) is {}", setting.name, setting.origin.where, alias->deprecated);
    if (alias->file_target.empty()) return store(alias->target, setting.value, setting);
    const std::filesystem::path path = expand_home(setting.value);
    std::error_code error;
    if (!path.has_filename() || std::filesystem::is_directory(path, error))
      return store(alias->target, setting.value, setting);
    store(alias->target, path.has_parent_path() ? path.parent_path().string() : ".", setting);
    store(alias->file_target, path.filename().string(), setting);
  }

  void store(std::string_view name, const std::string& text, const Setting& setting) {
    const std::optional<std::size_t> index = result_.table_->find(name);
    if (!index) fail_unknown(setting.name, setting.origin, result_.program_, *result_.table_);
    const ParameterRow& row = rows()[*index];
    if (!row.programs.has(result_.program_)) return pass_over(row, setting);
    if (row.where == WhereAllowed::command_line_only && setting.origin.kind == Origin::Kind::file)
      throw UsageError("[parameters] {} is for the command line only; got it in a file ({})", name,
                       setting.origin.where);
    const std::optional<std::string> value = canonical_value(row, text);
    if (!value)
      throw UsageError("[parameters] {}: {} ({})", setting.name, refusal(row, text), setting.origin.where);
    check_twice(*index, name, text, setting);
    Origin origin = setting.origin;
    if (setting.name != name) origin.written = setting.name;
    result_.values_[*index] = {.present = true, .text = *value, .origin = origin};
  }

  void pass_over(const ParameterRow& row, const Setting& setting) {
    const Program other = result_.program_ == Program::train ? Program::eval : Program::train;
    if (setting.origin.kind != Origin::Kind::file)
      throw UsageError("[parameters] {} does not take {} ({}): it is a parameter of {}; leave it out",
                       program_name(result_.program_), setting.name, setting.origin.where,
                       program_name(other));
    foreign_.emplace_back(row.name);
    foreign_file_ = setting.origin.where.substr(0, setting.origin.where.rfind(':'));
  }

  void check_twice(std::size_t index, std::string_view name, const std::string& text,
                   const Setting& setting) {
    const Setting* before = std::exchange(seen_[index], &setting);
    if (!before || before == &setting) return;
    if (setting.origin.kind == Origin::Kind::file)
      throw UsageError("[parameters] {} is set twice, at {} and {}; keep one of the two lines", name,
                       before->origin.where, setting.origin.where);
    warn("{} stands twice on the command line; the last one counts: {}", name, text);
  }

  void check_status(const ParameterRow& row, Parameters::Value& value) {
    const bool is_later = row.later.has(result_.program_);
    if (row.status == ParameterStatus::not_available || is_later) {
      if (!asks_for_nothing(row, value.text)) fail_not_available(row, value, is_later);
      value = Parameters::default_of(row);
      return;
    }
    const std::string where = describe(value.origin);
    if (const std::string why = row.refuse ? row.refuse(value.text) : ""; !why.empty())
      throw UsageError("[parameters] {}={} ({}): {}", row.name, value.text, where, why);
    if (row.status == ParameterStatus::no_effect ||
        (row.status == ParameterStatus::default_only && !is_default(row, value.text)))
      warn("{}={} ({}) has no effect: {}", row.name, value.text, where, row.reason);
  }

  static bool is_default(const ParameterRow& row, std::string_view text) {
    return row.default_value && same_value(row, text, *row.default_value);
  }

  static bool asks_for_nothing(const ParameterRow& row, std::string_view text) {
    const std::vector<std::string_view> off = choice_words(row.off);
    return text.empty() || is_default(row, text) ||
           std::any_of(off.begin(), off.end(),
                       [&](std::string_view word) { return same_value(row, text, word); });
  }

  [[noreturn]] void fail_not_available(const ParameterRow& row, const Parameters::Value& value,
                                       bool is_later) const {
    throw UsageError("[parameters] {}={} ({}) is not available yet{}; leave it out", row.name, value.text,
                     describe(value.origin),
                     is_later ? fmt::format(" in {}", program_name(result_.program_))
                              : fmt::format(": fastnn does not have {} so far", row.reason));
  }

  /// What is set to something but its default and has no effect beside the other values.
  void warn_of_idle() {
    std::vector<std::string> idle;
    for (const ParameterRow& row : rows()) {
      if (!row.programs.has(result_.program_) || !result_.is_set(row.name)) continue;
      if (is_default(row, result_.text(row.name))) continue;
      const auto unmet =
          std::find_if_not(row.acts_while.begin(), row.acts_while.end(),
                           [&](const Condition& condition) { return is_met(result_, condition); });
      if (unmet != row.acts_while.end())
        idle.push_back(
            fmt::format("{} (acts while {}; it is {})", row.name, describe(*unmet),
                        result_.text(unmet->parameter).empty() ? "empty" : result_.text(unmet->parameter)));
    }
    if (!idle.empty()) warn("set without effect: {}", fmt::join(idle, ", "));
  }

  Parameters result_;
  std::vector<const Setting*> seen_;  // one per row: its setting in the present source
  std::vector<std::string> foreign_;  // names in the present file that are for another program
  std::string foreign_file_;
};

Parameters parse(Program program, const std::vector<std::string>& arguments, const ParameterTable& table) {
  const CommandLine line = read_command_line(program, arguments, table);
  ParameterReader reader(program, table);
  if (line.file) reader.apply(read_settings_file(program, *line.file, table));
  reader.apply(line.settings);
  return reader.finish();
}

Parameters load(Program program, const std::filesystem::path& file, const ParameterTable& table) {
  ParameterReader reader(program, table);
  reader.apply(read_settings_file(program, file, table));
  return reader.finish();
}

}  // namespace fastnn::tools

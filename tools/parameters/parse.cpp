#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <utility>

#include "engine/core/error.h"
#include "tools/parameters/parameters.h"
#include "tools/parameters/setting.h"
#include "tools/parameters/value.h"

namespace fastnn::tools {

void fail_unknown(std::string_view written, const Origin& origin, Program program,
                  const ParameterTable& table) {
  std::string_view name = written.substr(0, written.find('='));
  while (name.starts_with('-')) name.remove_prefix(1);
  const std::string_view nearest = table.nearest(name, program);
  throw UsageError("[parameters] unknown parameter {} ({}); {}--help lists them all", written,
                   describe(origin), nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest));
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
      if (result_.values_[i].origin.kind != Origin::Kind::default_value)
        check_status(rows()[i], result_.values_[i]);
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
    const std::filesystem::path path = setting.value;
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
      throw UsageError("[parameters] {}: expected {}; got \"{}\" ({})", setting.name, expected_value(row),
                       text, setting.origin.where);
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

  void check_status(const ParameterRow& row, const Parameters::Value& value) {
    const std::string where = describe(value.origin);
    if (row.status == ParameterStatus::not_available)
      throw UsageError(
          "[parameters] {} ({}) is not available yet: fastnn does not have {} so far; leave it out", row.name,
          where, row.reason);
    if (row.later.has(result_.program_))
      throw UsageError("[parameters] {} ({}) is not available yet in {}; leave it out", row.name, where,
                       program_name(result_.program_));
    if (const std::string why = row.refuse ? row.refuse(value.text) : ""; !why.empty())
      throw UsageError("[parameters] {}={} ({}): {}", row.name, value.text, where, why);
    const bool as_default = row.default_value && same_value(row, value.text, *row.default_value);
    if (row.status == ParameterStatus::no_effect ||
        (row.status == ParameterStatus::default_only && !as_default))
      warn("{}={} ({}) has no effect: {}", row.name, value.text, where, row.reason);
  }

  Parameters result_;
  std::vector<const Setting*> seen_;  // one per row: its setting in the present source
  std::vector<std::string> foreign_;  // names in the present file that are for another program
  std::string foreign_file_;
};

Parameters parse(Program program, const std::vector<std::string>& arguments, const ParameterTable& table) {
  const CommandLine line = read_command_line(program, arguments, table);
  ParameterReader reader(program, table);
  if (line.file) reader.apply(read_settings_file(*line.file));
  reader.apply(line.settings);
  return reader.finish();
}

Parameters load(Program program, const std::filesystem::path& file, const ParameterTable& table) {
  ParameterReader reader(program, table);
  reader.apply(read_settings_file(file));
  return reader.finish();
}

}  // namespace fastnn::tools

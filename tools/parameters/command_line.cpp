#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "engine/base/error.h"
#include "tools/common/home_path.h"
#include "tools/parameters/setting.h"
#include "tools/parameters/value.h"

namespace fastnn::tools {
namespace {

bool is_number(std::string_view text) {
  return text.size() > 1 && (std::isdigit(static_cast<unsigned char>(text[1])) || text[1] == '.');
}

class CommandLineReader {
 public:
  CommandLineReader(Program program, const std::vector<std::string>& arguments, const Origin& origin,
                    const ParameterTable& table)
      : program_(program), arguments_(arguments), origin_(origin), table_(table) {}

  CommandLine read() {
    while (next_ < arguments_.size()) {
      const std::string& argument = arguments_[next_++];
      if (argument.size() > 1 && argument.starts_with('-'))
        read_flag(argument);
      else
        read_file_name(argument);
    }
    return std::move(result_);
  }

 private:
  const ParameterRow* row_of(std::string_view name) const {
    const ParameterAlias* alias = table_.find_alias(name);
    const std::optional<std::size_t> row = table_.find(alias ? alias->target : name);
    return row ? &table_.rows()[*row] : nullptr;
  }

  void read_flag(std::string_view argument) {
    std::string_view body = argument.substr(argument.starts_with("--") ? 2 : 1);
    const std::size_t equals = body.find('=');
    const std::string_view name = body.substr(0, equals);
    const ParameterRow* row = row_of(name);
    if (!row) return read_negated(argument, name, equals != std::string_view::npos);
    if (equals != std::string_view::npos)
      add(name, std::string(body.substr(equals + 1)));
    else
      add(name, row->type == ParameterType::flag ? following_word(*row) : following_value(argument));
  }

  void read_negated(std::string_view argument, std::string_view name, bool has_value) {
    const std::string_view positive = name.starts_with("no") ? name.substr(2) : std::string_view();
    const ParameterRow* row = row_of(positive);
    if (!row) fail_unknown(argument, origin_, program_, table_);
    if (row->type != ParameterType::flag)
      throw UsageError(
          "[parameters] only a boolean can be switched off with --no; got {}, but {} is {}; write "
          "--{}=VALUE ({})",
          argument, positive, type_name(row->type), positive, origin_.where);
    if (has_value)
      throw UsageError("[parameters] --no{} takes no value; got {}; write --{}=True or --{}=False ({})",
                       positive, argument, positive, positive, origin_.where);
    add(positive, "False");
  }

  std::string following_word(const ParameterRow& row) {
    const bool takes = next_ < arguments_.size() && canonical_value(row, arguments_[next_]);
    return takes ? arguments_[next_++] : "True";
  }

  std::string following_value(std::string_view argument) {
    if (next_ == arguments_.size())
      throw UsageError("[parameters] {} needs a value; got the end of the line; write {}=VALUE ({})",
                       argument, argument, origin_.where);
    const std::string& value = arguments_[next_];
    if (value.starts_with('-') && !is_number(value))
      throw UsageError(
          "[parameters] {} needs a value; got {}; write {}=VALUE if the value starts with a dash ({})",
          argument, value, argument, origin_.where);
    ++next_;
    return value;
  }

  void add(std::string_view name, std::string value) {
    if (value.find_first_of("\n\r") != std::string::npos)
      throw UsageError("[parameters] {}: expected a value of one line; got \"{}\" ({})", name, value,
                       origin_.where);
    if (name == "config") name_file(value);
    result_.settings.push_back({.name = std::string(name), .value = std::move(value), .origin = origin_});
  }

  void name_file(const std::string& file) {
    if (result_.file)
      throw UsageError("[parameters] expected one hyper-parameter file; got {} and {}", *result_.file, file);
    result_.file = expand_home(file);
  }

  void read_file_name(const std::string& argument) {
    if (trimmed(argument).empty())
      throw UsageError(
          "[parameters] stray argument of blanks; in a script, a blank after the backslash that "
          "continues a line does that, and the line ends there");
    std::error_code error;
    const bool may_name = origin_.kind == Origin::Kind::command_line && !result_.file;
    if (!may_name || !std::filesystem::exists(expand_home(argument), error)) fail_stray(argument, may_name);
    add("config", argument);
  }

  [[noreturn]] void fail_stray(const std::string& argument, bool may_name) const {
    const bool after_comma = next_ >= 2 && arguments_[next_ - 2].ends_with(',');
    throw UsageError(
        "[parameters] stray argument \"{}\" ({}); expected --name=value{}; {}", argument, origin_.where,
        may_name ? ", or a hyper-parameter file, and there is none of that name" : "",
        after_comma ? fmt::format("the blank after \"{}\" splits the list: leave it out or put quotes around "
                                  "the list",
                                  arguments_[next_ - 2])
                    : "write a value that contains blanks in quotes");
  }

  Program program_;
  const std::vector<std::string>& arguments_;
  Origin origin_;
  const ParameterTable& table_;
  std::size_t next_ = 0;
  CommandLine result_;
};

}  // namespace

CommandLine read_command_line(Program program, const std::vector<std::string>& arguments,
                              const ParameterTable& table) {
  const Origin origin{.kind = Origin::Kind::command_line, .where = "command line"};
  return CommandLineReader(program, arguments, origin, table).read();
}

std::vector<Setting> read_flags(Program program, const std::vector<std::string>& words, const Origin& origin,
                                const ParameterTable& table) {
  return CommandLineReader(program, words, origin, table).read().settings;
}

}  // namespace fastnn::tools

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tools/parameters/parameter_table.h"

namespace fastnn::tools {

/// Where a value comes from. 'where' is "default", "FILE:LINE" or "command line"; 'written' is the name the
/// user wrote, when that was an alias.
struct Origin {
  enum class Kind { default_value, file, command_line };
  Kind kind = Kind::default_value;
  std::string where = "default";
  std::string written = {};
  bool operator==(const Origin&) const = default;
};

/// "command line", "run.conf:12, as enable_paisora", "default".
std::string describe(const Origin& origin);

/// The values of one program's parameters, checked against the table. Immutable once parsed; a copy is cheap
/// enough to pass around. The table must outlive it.
///
/// Asking for a name that is not in the table, or with the getter of another type, throws std::logic_error:
/// that is a fault of the program, not of its user.
class Parameters {
 public:
  /// All defaults.
  explicit Parameters(Program program, const ParameterTable& table = parameter_table());

  /// Value of an integer, float, boolean. Throws std::logic_error while it is unset (see has_value).
  std::int64_t integer(std::string_view name) const;
  /// The same for what takes an int. Throws std::logic_error if the parameter's range is wider than that.
  int small_integer(std::string_view name) const;
  double real(std::string_view name) const;
  /// True for every word but False (print_model_statistics=layers is true).
  bool flag(std::string_view name) const;
  /// The value as text, of any type, as save() writes it; empty while unset.
  const std::string& text(std::string_view name) const;
  /// The items of a list, trimmed, without empty ones; empty while unset.
  std::vector<std::string> list(std::string_view name) const;

  /// The user set it: in a file or on the command line.
  bool is_set(std::string_view name) const;
  /// It has a value: set by the user, or by default.
  bool has_value(std::string_view name) const;
  const Origin& origin(std::string_view name) const;

  /// A copy in which a parameter has another value, in canonical form, as if it had been set at 'origin'.
  Parameters with(std::string_view name, std::string value, Origin origin) const;

  Program program() const { return program_; }
  const ParameterTable& table() const { return *table_; }

  /// What the user should know about the settings, one line each, in the order of reading: deprecated names,
  /// settings without effect (by themselves, or beside others), a flag given twice, keys of a file that are
  /// meant for another program. The program sends them to its log.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  friend class ParameterReader;
  struct Value {
    bool present = false;
    std::string text = {};
    Origin origin = {};
  };
  static Value default_of(const ParameterRow& row);
  const Value& value(std::string_view name) const;
  const Value& typed_value(std::string_view name, ParameterType type) const;

  Program program_;
  const ParameterTable* table_;
  std::vector<Value> values_;  // one per row of the table
  std::vector<std::string> warnings_;
};

/// Whether the values meet a condition of their table.
bool is_met(const Parameters& parameters, const Condition& condition);

/// Reads the command line of a program (without its own name) and the hyper-parameter file it names.
///
/// Command line: --name=value, --name value (any type but boolean), --flag, --noflag, --flag=false,
/// --flag False; one dash works as two. Booleans are true, false, 1, 0, yes, no in any case. The file is
/// --config=FILE or the first argument without dashes. The last of two values on the command line wins, with
/// a warning; the command line wins over the file.
///
/// File: one name=value a line; the value is everything after the first '=', without the blanks and one pair
/// of quotes around it; backslashes are kept. A line may also have the form of a command line, with several
/// --name=value, --flag or --noflag, where values with blanks stand in quotes. A # at the beginning of a line
/// or behind a blank starts a comment, except in quotes. CR and a byte-order mark are dropped. A name may be
/// set once. Parameters of another fastnn program are passed over with a warning, so that one file serves
/// training and evaluation.
///
/// A home folder at the beginning of a path (~/, $HOME/) is expanded.
///
/// Bytes of a value that are not ASCII are kept as they are.
///
/// Throws UsageError, naming the parameter, the value, what was expected and the place, for an unknown name
/// (with the nearest known one), a stray argument, a value of the wrong type or out of range, a parameter of
/// another program, one whose feature does not exist yet (unless the value asks for nothing, which is then as
/// if it were not given), a name set twice in a file, and a file that is
/// not there; EnvironmentError if the file cannot be read.
Parameters parse(Program program, const std::vector<std::string>& arguments,
                 const ParameterTable& table = parameter_table());

/// The same for a file alone: what save() wrote, or a hyper-parameter file.
Parameters load(Program program, const std::filesystem::path& file,
                const ParameterTable& table = parameter_table());

}  // namespace fastnn::tools

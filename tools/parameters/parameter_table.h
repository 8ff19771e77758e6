#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fastnn::tools {

/// What a value must be. 'list' is comma separated text whose items are trimmed.
enum class ParameterType { text, list, integer, real, flag };

enum class ParameterStatus {
  implemented,    ///< does what its help says; 'test' observes it
  no_effect,      ///< accepted, has no effect in fastnn: one warning when the user sets it
  default_only,   ///< fastnn always does what the default says: a warning when the user sets another value
  not_available,  ///< the feature does not exist yet: setting it to what asks for the feature fails
};

/// What a text, or each item of a list, stands for. Home folders at the beginning of paths are expanded.
enum class Holds {
  words,
  path,
  path_rules,  ///< BEGINNING=REPLACEMENT, two paths
};

/// Programs that read the table. Values are bits.
enum class Program : unsigned { train = 1, eval = 2 };

/// Set of programs.
class ProgramSet {
 public:
  constexpr ProgramSet() = default;
  constexpr ProgramSet(Program program) : bits_(static_cast<unsigned>(program)) {}
  constexpr bool has(Program program) const { return (bits_ & static_cast<unsigned>(program)) != 0; }
  friend constexpr ProgramSet operator|(ProgramSet a, ProgramSet b) { return ProgramSet(a.bits_ | b.bits_); }

 private:
  constexpr explicit ProgramSet(unsigned bits) : bits_(bits) {}
  unsigned bits_ = 0;
};

constexpr ProgramSet operator|(Program a, Program b) {
  return ProgramSet(a) | ProgramSet(b);
}
inline constexpr ProgramSet kAllPrograms = Program::train | Program::eval;

/// "fastnn-train", "fastnn-eval".
std::string_view program_name(Program program);

/// Interval of allowed numbers.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;   ///< low itself is not allowed
  bool open_high = false;  ///< high itself is not allowed

  static constexpr Range at_least(double low) { return {.low = low}; }
  static constexpr Range above(double low) { return {.low = low, .open_low = true}; }
  static constexpr Range at_most(double high) { return {.high = high}; }
  static constexpr Range between(double low, double high) { return {.low = low, .high = high}; }
  static constexpr Range from_to_below(double low, double high) {
    return {.low = low, .high = high, .open_high = true};
  }
  bool contains(double value) const;
};

/// "at least 1", "above 0", "from 0 to 1", "from 0 to below 1"; empty for all numbers.
std::string describe(const Range& range);

/// What another parameter must be.
struct Condition {
  enum class Is { one_of, none_of };
  std::string_view parameter;
  Is is;
  std::string_view words;  ///< "a|b": of a list, an item must be, or must not be, among them; empty: unset
};

/// "optimizer is adam or adamweightdecay", "warmup_steps is not 0".
std::string describe(const Condition& condition);

enum class WhereAllowed { anywhere, command_line_only };
enum class InHelp { shown, hidden };
/// FastNN's own parameter, or one that fastnn adds (some under TF-Slim's name).
enum class Heritage { fastnn, added };

/// Whether a run may be continued with another value: where that changes nothing of what is computed from a
/// good record. Rows without effect always may.
enum class OnResume { must_agree, may_change };
/// Whose value fastnn-eval takes while its user sets none: the default, or that with which the run was
/// trained.
enum class OnEvaluation { by_default, as_trained };

/// One parameter. Text members point to string literals.
struct ParameterRow {
  std::string_view group = {};
  std::string_view name = {};
  ParameterType type = ParameterType::text;
  std::optional<std::string_view> default_value = {};  ///< canonical text; empty: unset
  std::string_view choices = {};  ///< "a|b|c": allowed words (each item of a list); of a flag: further words
  Range range = {};
  std::string_view help = {};
  Holds holds = Holds::words;
  std::vector<Condition> acts_while = {};  ///< else it has no effect, which is said when it is set
  std::string_view off = {};  ///< not_available: "a|b": values that ask for nothing, as the default does
  std::string_view unless_set = {};  ///< what happens instead of the default while the user sets nothing
  ParameterStatus status = ParameterStatus::implemented;
  std::string_view reason = {};          ///< no_effect, default_only, not_available: why; a clause
  ProgramSet programs = Program::train;  ///< programs that take it
  ProgramSet later = {};                 ///< those of 'programs' that do not have the feature yet
  std::string (*refuse)(std::string_view value) = nullptr;  ///< why a value is refused; empty: it is not
  WhereAllowed where = WhereAllowed::anywhere;
  InHelp in_help = InHelp::shown;
  Heritage heritage = Heritage::fastnn;
  OnResume on_resume = OnResume::must_agree;
  OnEvaluation on_evaluation = OnEvaluation::by_default;
  std::string test = {};  ///< ctest test that observes the effect; filled in for implemented rows
};

/// Another name of a parameter.
struct ParameterAlias {
  std::string_view name;
  std::string_view target;
  std::string_view of;  ///< program that uses this name: "FastNN", "TF-Slim", "tf_cnn_benchmarks"
  std::string_view deprecated = {};   ///< warning text when used
  std::string_view file_target = {};  ///< the value is a path: folder to 'target', last part to this one
};

/// "string", "list", "integer", "float", "boolean".
std::string_view type_name(ParameterType type);

/// Words of ParameterRow::choices.
std::vector<std::string_view> choice_words(std::string_view choices);

/// The table of all parameters, in the order of --help.
class ParameterTable {
 public:
  ParameterTable(std::vector<ParameterRow> rows, std::vector<ParameterAlias> aliases);

  const std::vector<ParameterRow>& rows() const { return rows_; }
  const std::vector<ParameterAlias>& aliases() const { return aliases_; }

  /// Index of the row of exactly this name; empty if there is none. Aliases are not looked at.
  std::optional<std::size_t> find(std::string_view name) const;
  /// The alias of exactly this name; null if there is none.
  const ParameterAlias* find_alias(std::string_view name) const;
  /// Known name (row or alias) with the smallest edit distance among those that 'program' takes;
  /// empty if more than a third of the letters differ.
  std::string_view nearest(std::string_view name, Program program) const;
  /// Names of the aliases of a row.
  std::vector<const ParameterAlias*> aliases_of(std::string_view name) const;

 private:
  std::vector<ParameterRow> rows_;
  std::vector<ParameterAlias> aliases_;
};

/// fastnn's table: the 76 parameters of FastNN and those fastnn adds. A new parameter is a row in one of the
/// table_*.cpp files.
const ParameterTable& parameter_table();

}  // namespace fastnn::tools

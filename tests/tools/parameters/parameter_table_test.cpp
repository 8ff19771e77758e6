#include "tools/parameters/parameter_table.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "engine/passes/pass_table.h"
#include "tests/support/catch.h"
#include "tools/parameters/parameters.h"
#include "tools/parameters/value.h"

using namespace fastnn::tests;
using namespace fastnn::tools;

namespace {

/// A line of fastnn_parameters.tsv: what the original says.
struct Original {
  std::string group, name, type, default_value;
};

std::vector<Original> originals() {
  std::ifstream stream(source_dir() + "/tests/tools/parameters/fastnn_parameters.tsv");
  std::vector<Original> lines;
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::istringstream fields(line);
    Original o;
    std::getline(fields, o.group, '\t');
    std::getline(fields, o.name, '\t');
    std::getline(fields, o.type, '\t');
    std::getline(fields, o.default_value, '\t');
    lines.push_back(o);
  }
  return lines;
}

std::string original_default(const ParameterRow& row) {
  if (!row.default_value) return "-";
  return row.default_value->empty() ? "(empty)" : std::string(*row.default_value);
}

std::string original_type(const ParameterRow& row) {
  if (row.type == ParameterType::flag) return "bool";
  return row.type == ParameterType::list ? "string" : std::string(type_name(row.type));
}

const ParameterRow& row_of(std::string_view name) {
  return parameter_table().rows().at(parameter_table().find(name).value());
}

}  // namespace

TEST_CASE("parameter table: FastNN's 76 parameters are in it, with their groups, types and defaults") {
  const std::vector<Original> lines = originals();
  REQUIRE(lines.size() == 76);
  for (const Original& o : lines) {
    INFO(o.name);
    if (const ParameterAlias* alias = parameter_table().find_alias(o.name)) {
      CHECK(row_of(alias->target).group == o.group);
      continue;
    }
    REQUIRE(parameter_table().find(o.name));
    const ParameterRow& row = row_of(o.name);
    CHECK(row.group == o.group);
    CHECK(original_type(row) == o.type);
    CHECK(original_default(row) == o.default_value);
  }
}

TEST_CASE("parameter table: no other parameter claims to be FastNN's") {
  std::set<std::string> known;
  for (const Original& o : originals()) known.insert(o.name);
  std::set<std::string> claimed;
  for (const ParameterRow& row : parameter_table().rows())
    if (row.heritage == Heritage::fastnn) claimed.insert(std::string(row.name));
  for (const ParameterAlias& alias : parameter_table().aliases())
    if (alias.of == "FastNN") claimed.insert(std::string(alias.name));
  CHECK(claimed == known);
}

TEST_CASE("parameter table: names are unique and aliases lead to rows") {
  std::set<std::string_view> names;
  for (const ParameterRow& row : parameter_table().rows()) CHECK(names.insert(row.name).second);
  for (const ParameterAlias& alias : parameter_table().aliases()) {
    CHECK(names.insert(alias.name).second);
    CHECK(parameter_table().find(alias.target));
    if (!alias.file_target.empty()) CHECK(parameter_table().find(alias.file_target));
  }
}

TEST_CASE("parameter table: every row is complete") {
  for (const ParameterRow& row : parameter_table().rows()) {
    INFO(row.name);
    CHECK_FALSE(row.group.empty());
    CHECK_FALSE(row.help.empty());
    CHECK(row.help.back() == '.');
    CHECK((row.programs.has(Program::train) || row.programs.has(Program::eval)));
    CHECK((row.status == ParameterStatus::implemented) == row.reason.empty());
    CHECK((row.status == ParameterStatus::implemented) == !row.test.empty());
    if (row.status == ParameterStatus::default_only) CHECK(row.default_value);
  }
}

TEST_CASE("parameter table: every default is a canonical value of its row") {
  for (const ParameterRow& row : parameter_table().rows()) {
    if (!row.default_value) continue;
    INFO(row.name);
    CHECK(canonical_value(row, *row.default_value) == std::string(*row.default_value));
  }
}

TEST_CASE("parameter table: every integer has a range whose ends a double and 64 bits hold") {
  for (const ParameterRow& row : parameter_table().rows()) {
    if (row.type != ParameterType::integer) continue;
    INFO(row.name);
    CHECK(std::abs(row.range.low) <= 1e12);
    CHECK(std::abs(row.range.high) <= 1e12);
  }
}

TEST_CASE("parameter table: conditions name parameters and values that these may have") {
  for (const ParameterRow& row : parameter_table().rows())
    for (const Condition& condition : row.acts_while) {
      INFO(row.name << ": " << describe(condition));
      for (const std::string_view word : choice_words(condition.words))
        CHECK(canonical_value(row_of(condition.parameter), word) == std::string(word));
      CHECK(row.status == ParameterStatus::implemented);
    }
}

TEST_CASE("parameter table: values that ask for nothing are those of parameters that are not available") {
  for (const ParameterRow& row : parameter_table().rows()) {
    INFO(row.name);
    for (const std::string_view word : choice_words(row.off))
      CHECK(canonical_value(row, word) == std::string(word));
    if (!row.off.empty()) CHECK(row.status == ParameterStatus::not_available);
  }
}

TEST_CASE("parameter table: the passes that may be left out are those of the program") {
  for (const fastnn::Pass& pass : fastnn::pass_table())
    CHECK(canonical_value(row_of("disable_pass"), pass.name) == std::string(pass.name));
}

TEST_CASE("parameter table: rows of a group stand together") {
  std::set<std::string_view> seen;
  std::string_view group;
  for (const ParameterRow& row : parameter_table().rows()) {
    if (row.group != group) CHECK(seen.insert(row.group).second);
    group = row.group;
  }
}

TEST_CASE("parameter table: an implemented row names the test that observes it") {
  CHECK(row_of("batch_size").test == "parameter batch_size changes what the program does");
  CHECK(row_of("loss_scale").test.empty());
}

TEST_CASE("parameter table: the nearest name is found, and none where all are far") {
  const ParameterTable& table = parameter_table();
  CHECK(table.nearest("learning_rte", Program::train) == "learning_rate");
  CHECK(table.nearest("checkpoint_exclude_scope", Program::train) == "checkpoint_exclude_scopes");
  CHECK(table.nearest("Batch-Size", Program::train) == "batch_size");
  CHECK(table.nearest("enable_paisoa", Program::train) == "enable_paisoar");
  CHECK(table.nearest("trian_dir", Program::train) == "train_dir");
  CHECK(table.nearest("zzzzzzzz", Program::train).empty());
}

TEST_CASE("parameter table: the nearest name is one that the program takes") {
  CHECK(parameter_table().nearest("shuffle_buffer_siz", Program::train) == "shuffle_buffer_size");
  CHECK(parameter_table().nearest("shuffle_buffer_siz", Program::eval) != "shuffle_buffer_size");
}

TEST_CASE("range: is described in words") {
  CHECK(describe(Range{}).empty());
  CHECK(describe(Range::at_least(1)) == "at least 1");
  CHECK(describe(Range::above(0)) == "above 0");
  CHECK(describe(Range::at_most(0)) == "at most 0");
  CHECK(describe(Range{.high = 2, .open_high = true}) == "below 2");
  CHECK(describe(Range::between(1, 2147483647)) == "from 1 to 2147483647");
  CHECK(describe(Range::from_to_below(0, 1)) == "from 0 to below 1");
  CHECK(describe(Range{.low = 0, .high = 1, .open_low = true}) == "above 0 to 1");
}

TEST_CASE("condition: is described in words") {
  CHECK(describe(Condition{"optimizer", Condition::Is::one_of, "adam|sgd"}) == "optimizer is adam or sgd");
  CHECK(describe(Condition{"warmup_steps", Condition::Is::none_of, "0"}) == "warmup_steps is not 0");
}

TEST_CASE("choice words: are separated by bars") {
  CHECK(choice_words("a|b c|d") == std::vector<std::string_view>{"a", "b c", "d"});
  CHECK(choice_words("").empty());
}

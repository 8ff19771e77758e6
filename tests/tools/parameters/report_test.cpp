#include "tools/parameters/report.h"

#include <sstream>

#include "tests/support/catch.h"
#include "tests/tools/parameters/parse_support.h"

using namespace fastnn::tests;
using namespace fastnn::tools;

namespace {

class LinesLog final : public fastnn::Log {
 public:
  void info(std::string_view line) override { lines.emplace_back(line); }
  void warning(std::string_view line) override { lines.push_back("! " + std::string(line)); }
  std::vector<std::string> lines;
};

/// The parameters after save() and load().
Parameters reloaded(const Parameters& parameters) {
  const TemporaryFolder folder;
  save(parameters, folder / "settings.conf");
  return load(parameters.program(), folder / "settings.conf");
}

}  // namespace

TEST_CASE("report: values of the user come first, with their origins") {
  const SettingsFile file("momentum=0.5\n");
  const std::vector<std::string> lines =
      effective_lines(parse_train({file.path(), "--batch_size=3", "--train_dir=/r"}));
  CHECK(lines.at(0) == "batch_size=3  (command line)");
  CHECK(lines.at(1) == "momentum=0.5  (" + file.at(1) + ")");
  CHECK(lines.at(2) == "output_dir=/r  (command line, as train_dir)");
  CHECK(contains(lines.at(3), "config=" + file.path()));
  CHECK(contains(lines.at(4), "defaults: dataset_name=(the folder of the files, else mock)"));
}

TEST_CASE("report: defaults are listed once, those decided by the program as such") {
  std::string all;
  for (const std::string& line : effective_lines(parse_train({"--batch_size=3"}))) all += line;
  CHECK(contains(all, "model_name=inception_resnet_v2"));
  CHECK(contains(all, "num_sample_per_epoch=(counted from the files)"));
  CHECK_FALSE(contains(all, "batch_size=32"));
  CHECK_FALSE(contains(all, "mixup"));
  CHECK_FALSE(contains(all, "help="));
}

TEST_CASE("report: lines of defaults keep to the width") {
  for (const std::string& line : effective_lines(Parameters(Program::train), 70))
    CHECK((line.size() <= 70 || contains(line, "hooks=")));
}

TEST_CASE("report: print_effective sends the warnings first") {
  LinesLog log;
  print_effective(parse_train({"--tables=t"}), log);
  CHECK(log.lines.at(0) ==
        "! tables=t (command line) has no effect: it belongs to a platform that fastnn does "
        "not need");
  CHECK(log.lines.at(1) == "tables=t  (command line)");
}

TEST_CASE("report: saved settings parse back to the same values, set or not as before") {
  const Parameters p = parse_train({"--batch_size=3", "--dataset_dir=/a=b # 数据 集", "--weight_decay=4e-5",
                                    "--datasets_use_caching", "--train_files=a, b", "--hooks=", "--dry_run"});
  const Parameters back = reloaded(p);
  for (const ParameterRow& row : parameter_table().rows()) {
    if (row.where == WhereAllowed::command_line_only) continue;
    INFO(row.name);
    CHECK(back.text(row.name) == p.text(row.name));
    CHECK(back.is_set(row.name) == p.is_set(row.name));
    CHECK(back.has_value(row.name) == p.has_value(row.name));
  }
  CHECK(differences(p, back).empty());
}

TEST_CASE("report: values with quotes and blanks at their ends survive saving") {
  for (const char* value : {"\"a", "a'", "\"a\"", "\"a\" \"b\"", " a ", "'", "\"", "#a", "a\tb\t", "\\",
                            "a --batch_size=3", "a\" #b", "a # 'b'"}) {
    INFO(value);
    CHECK(reloaded(parse_train({std::string("--dataset_dir=") + value})).text("dataset_dir") == value);
  }
}

TEST_CASE("report: the saved text names program, origins and defaults") {
  const std::string text = settings_text(parse_train({"--batch_size=3", "--dry_run"}));
  CHECK(contains(text, "# settings of fastnn-train "));
  CHECK(contains(text, "# command line\nbatch_size=3\n"));
  CHECK(contains(text, "\n# model_name=inception_resnet_v2\n"));
  CHECK_FALSE(contains(text, "dry_run"));
}

TEST_CASE("report: settings that cannot be saved are an error of the environment") {
  CHECK(
      contains(message_of<fastnn::EnvironmentError>([] { save(Parameters(Program::train), "/none/s.conf"); }),
               "/none/s.conf"));
}

TEST_CASE("differences: name the parameters whose values differ") {
  const std::vector<Difference> found =
      differences(parse_train({"--batch_size=3", "--max_gradient_norm=2"}),
                  parse_train({"--momentum=0.5", "--max_gradient_norm=2.0"}));
  CHECK(found == std::vector<Difference>{{"batch_size", "3", "32"}, {"momentum", "0.9", "0.5"}});
}

TEST_CASE("differences: an unset value differs from a set one") {
  CHECK(differences(parse_train({}), parse_train({"--dataset_dir=/d"})) ==
        std::vector<Difference>{{"dataset_dir", "(unset)", "/d"}});
}

TEST_CASE("differences: a default set by the user counts only where being set changes the meaning") {
  CHECK(differences(parse_train({}), parse_train({"--batch_size=32", "--weight_decay=4e-5"})).empty());
  CHECK(differences(parse_train({}), parse_train({"--learning_rate_decay_factor=0.94"})) ==
        std::vector<Difference>{{"learning_rate_decay_factor", "(unset: the luong schemes halve)", "0.94"}});
}

TEST_CASE("differences: what is for the command line only is not compared") {
  const SettingsFile file("");
  CHECK(differences(parse_train({}), parse_train({"--dry_run", file.path()})).empty());
}

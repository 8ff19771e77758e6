#include "tools/parameters/parameters.h"

#include <stdexcept>

#include "tests/support/catch.h"
#include "tests/tools/parameters/parse_support.h"

using namespace fastnn::tests;
using namespace fastnn::tools;

TEST_CASE("parameters: getters give the typed value") {
  const Parameters p =
      parse_train({"--stop_at_step=9000000000", "--weight_decay=1e-3", "--train_files=a, b"});
  CHECK(p.integer("stop_at_step") == 9000000000);
  CHECK(p.real("weight_decay") == 1e-3);
  CHECK(p.list("train_files") == Arguments{"a", "b"});
  CHECK(p.text("train_files") == "a,b");
  CHECK(p.text("stop_at_step") == "9000000000");
  CHECK(p.flag("use_fp16"));
}

TEST_CASE("parameters: what takes an int is refused a parameter with a wider range") {
  const Parameters p = parse_train({"--batch_size=7", "--labels_offset=-1"});
  CHECK(p.small_integer("batch_size") == 7);
  CHECK(p.small_integer("labels_offset") == -1);
  CHECK(contains(message_of<std::logic_error>([&] { p.small_integer("stop_at_step"); }),
                 "stop_at_step does not fit an int: its range is from 1 to 1000000000000"));
}

TEST_CASE("parameters: unset is told from empty") {
  const Parameters p = parse_train({"--eval_files="});
  CHECK_FALSE(p.has_value("train_files"));
  CHECK(p.list("train_files").empty());
  CHECK(p.text("train_files").empty());
  CHECK(p.has_value("eval_files"));
  CHECK(p.is_set("eval_files"));
  CHECK_FALSE(p.has_value("max_gradient_norm"));
  CHECK(p.has_value("learning_rate"));
}

TEST_CASE("parameters: origins say where a value comes from") {
  const SettingsFile file("batch_size=3\n");
  const Parameters p = parse_train({file.path(), "--train_dir=/r"});
  CHECK(p.origin("batch_size") == Origin{.kind = Origin::Kind::file, .where = file.at(1)});
  CHECK(p.origin("output_dir") ==
        Origin{.kind = Origin::Kind::command_line, .where = "command line", .written = "train_dir"});
  CHECK(p.origin("momentum") == Origin{});
  CHECK(describe(p.origin("momentum")) == "default");
  CHECK(describe(p.origin("batch_size")) == file.at(1));
}

TEST_CASE("parameters: a wrong name, type or a missing value is a fault of the program") {
  const Parameters p(Program::train);
  CHECK(contains(message_of<std::logic_error>([&] { p.text("none"); }), "no parameter none"));
  CHECK(
      contains(message_of<std::logic_error>([&] { p.integer("momentum"); }), "read as integer but is float"));
  CHECK(contains(message_of<std::logic_error>([&] { p.real("max_gradient_norm"); }), "has no value"));
}

TEST_CASE("parameters: know their program and table") {
  const Parameters p(Program::eval);
  CHECK(p.program() == Program::eval);
  CHECK(&p.table() == &parameter_table());
}

#include "tests/support/catch.h"
#include "tests/tools/parameters/parse_support.h"

using namespace fastnn::tests;
using fastnn::tools::Parameters;
using fastnn::tools::Program;

TEST_CASE("command line: a value follows = or the next argument, with one dash or two") {
  for (const Arguments& arguments :
       {Arguments{"--batch_size=7"}, {"-batch_size=7"}, {"--batch_size", "7"}, {"-batch_size", "7"}})
    CHECK(parse_train(arguments).integer("batch_size") == 7);
}

TEST_CASE("command line: one dash is enough (-num_epochs=3)") {
  CHECK(parse_train({"-num_epochs=3"}).integer("num_epochs") == 3);
}

TEST_CASE("command line: the value is everything after the first =, byte for byte") {
  CHECK(parse_train({"--dataset_dir=/a=b/ c"}).text("dataset_dir") == "/a=b/ c");
  CHECK(parse_train({"--dataset_dir=C:\\data"}).text("dataset_dir") == "C:\\data");
  CHECK(parse_train({"--dataset_dir=\"q\""}).text("dataset_dir") == "\"q\"");
  const std::string chinese = "/data/数据 集/花.tfrecord";
  CHECK(parse_train({"--train_files=" + chinese}).list("train_files") == Arguments{chinese});
  CHECK(parse_train({"--dataset_dir=/\xff\xfe"}).text("dataset_dir") == "/\xff\xfe");
}

TEST_CASE("command line: every form of a boolean") {
  for (const char* word : {"true", "True", "TRUE", "1", "yes", "YES"}) {
    CHECK(parse_train({std::string("--datasets_use_caching=") + word}).flag("datasets_use_caching"));
    CHECK(parse_train({"--datasets_use_caching", word}).flag("datasets_use_caching"));
  }
  for (const char* word : {"false", "False", "FALSE", "0", "no", "No"}) {
    CHECK_FALSE(parse_train({std::string("--use_fp16=") + word}).flag("use_fp16"));
    CHECK_FALSE(parse_train({"--use_fp16", word}).flag("use_fp16"));
  }
  CHECK(parse_train({"--datasets_use_caching"}).flag("datasets_use_caching"));
  CHECK(parse_train({"-datasets_use_caching"}).flag("datasets_use_caching"));
  CHECK_FALSE(parse_train({"--nouse_fp16"}).flag("use_fp16"));
  CHECK_FALSE(parse_train({"-nouse_fp16"}).flag("use_fp16"));
}

TEST_CASE("command line: a boolean leaves an argument that is no boolean word alone") {
  const Parameters p = parse_train({"--datasets_use_caching", "--batch_size=3"});
  CHECK(p.flag("datasets_use_caching"));
  CHECK(p.integer("batch_size") == 3);
  CHECK(contains(usage_message({"--datasets_use_caching", "maybe"}), "stray argument \"maybe\""));
}

TEST_CASE("command line: a boolean with a further word takes it either way") {
  CHECK(parse_train({"--print_model_statistics=layers"}).text("print_model_statistics") == "layers");
  CHECK(parse_train({"--print_model_statistics", "layers"}).text("print_model_statistics") == "layers");
  CHECK(parse_train({"--print_model_statistics", "layers"}).flag("print_model_statistics"));
}

TEST_CASE("command line: --noflag takes no value") {
  const std::string message = usage_message({"--nouse_fp16=true"});
  CHECK(contains(message, "--nouse_fp16=true"));
  CHECK(contains(message, "--use_fp16=False"));
}

TEST_CASE("command line: only a boolean can be switched off with --no") {
  const std::string message = usage_message({"--nobatch_size"});
  CHECK(contains(message, "--nobatch_size"));
  CHECK(contains(message, "batch_size is integer"));
}

TEST_CASE("command line: negative numbers are values, other dashes are not") {
  CHECK(parse_train({"--ftrl_learning_rate_power", "-0.25"}).real("ftrl_learning_rate_power") == -0.25);
  CHECK(parse_train({"--ftrl_learning_rate_power", "-.25"}).real("ftrl_learning_rate_power") == -0.25);
  const std::string message = usage_message({"--dataset_dir", "--batch_size=3"});
  CHECK(contains(message, "--dataset_dir needs a value; got --batch_size=3"));
  CHECK(parse_train({"--dataset_dir=--odd"}).text("dataset_dir") == "--odd");
}

TEST_CASE("command line: a value that is missing at the end is named") {
  CHECK(contains(usage_message({"--batch_size"}), "--batch_size needs a value"));
}

TEST_CASE("command line: an unknown name fails with the nearest one") {
  CHECK(contains(usage_message({"--learning_rte=0.1"}),
                 "did you mean learning_rate? There is no parameter --learning_rte=0.1 (command line)"));
  CHECK(contains(usage_message({"--checkpoint_exclude_scope=a"}), "did you mean checkpoint_exclude_scopes?"));
  CHECK(contains(usage_message({"--no_such_thing_at_all"}), "--help lists all"));
  CHECK_FALSE(contains(usage_message({"--qqqqqqqqqqq=1"}), "did you mean"));
  CHECK(contains(usage_message({"--"}), "There is no parameter --"));
  CHECK(contains(usage_message({"--=3"}), "There is no parameter --=3"));
}

TEST_CASE("command line: a stray argument fails") {
  const std::string message = usage_message({"--batch_size=3", "word"});
  CHECK(contains(message, "stray argument \"word\" (command line)"));
  CHECK(contains(message, "there is none of that name"));
  CHECK(contains(usage_message({"-"}), "stray argument \"-\""));
}

TEST_CASE("command line: a blank after the comma of a list is named (C38)") {
  const std::string message =
      usage_message({"--checkpoint_exclude_scopes=InceptionV3/Logits,", "InceptionV3/AuxLogits"});
  CHECK(contains(message, "stray argument \"InceptionV3/AuxLogits\""));
  CHECK(contains(message,
                 "the blank after \"--checkpoint_exclude_scopes=InceptionV3/Logits,\" splits the list"));
  CHECK(contains(usage_message({"--checkpoint_exclude_scope=InceptionV3/Logits,", "InceptionV3/AuxLogits"}),
                 "did you mean checkpoint_exclude_scopes?"));
}

TEST_CASE("command line: items of a list are trimmed") {
  CHECK(parse_train({"--train_files= a.tfrecord , b.tfrecord "}).list("train_files") ==
        Arguments{"a.tfrecord", "b.tfrecord"});
}

TEST_CASE("command line: a blank after a continuing backslash is recognised (B55)") {
  CHECK(contains(usage_message({"--batch_size=3", " "}), "a blank after the backslash"));
  CHECK(contains(usage_message({""}), "stray argument of blanks"));
}

TEST_CASE("command line: a value has no line breaks") {
  CHECK(contains(usage_message({"--dataset_dir=a\nb"}), "expected a value of one line"));
  CHECK(contains(usage_message({"--dataset_dir", "a\rb"}), "expected a value of one line"));
}

TEST_CASE("command line: the last of two values counts, with a warning") {
  const Parameters p = parse_train({"--batch_size=3", "--batch_size=4"});
  CHECK(p.integer("batch_size") == 4);
  REQUIRE(p.warnings().size() == 1);
  CHECK(p.warnings()[0] == "batch_size stands twice on the command line; the last one counts: 4");
}

TEST_CASE("command line: an alias and its parameter are the same value") {
  const Parameters p = parse_train({"--max_number_of_steps=3", "--stop_at_step=4"});
  CHECK(p.integer("stop_at_step") == 4);
  REQUIRE(p.warnings().size() == 1);
  CHECK(contains(p.warnings()[0], "stop_at_step stands twice"));
}

TEST_CASE("command line: the file is --config or the first argument without dashes") {
  const SettingsFile file("batch_size=5\n");
  for (const Arguments& arguments : {Arguments{file.path()},
                                     {"--config=" + file.path()},
                                     {"--config", file.path()},
                                     {"--momentum=0.5", file.path()}}) {
    const Parameters p = parse_train(arguments);
    CHECK(p.integer("batch_size") == 5);
    CHECK(p.text("config") == file.path());
  }
}

TEST_CASE("command line: two files are refused") {
  const SettingsFile a("batch_size=5\n");
  const SettingsFile b("batch_size=6\n");
  CHECK(contains(usage_message({"--config=" + a.path(), "--config=" + b.path()}),
                 "expected one hyper-parameter file; got " + a.path() + " and " + b.path()));
  const std::string stray = usage_message({a.path(), b.path()});
  CHECK(contains(stray, "stray argument \"" + b.path() + "\""));
  CHECK_FALSE(contains(stray, "none of that name"));
}

TEST_CASE("command line: a parameter of another program is refused with that reason") {
  const std::string message = usage_message({"--shuffle_buffer_size=3"}, Program::eval);
  CHECK(contains(message, "fastnn-eval does not take shuffle_buffer_size (command line)"));
  CHECK(contains(message, "it is a parameter of fastnn-train"));
  CHECK(contains(usage_message({"--use_moving_average"}), "it is a parameter of fastnn-eval"));
}

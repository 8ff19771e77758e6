#include "tests/support/catch.h"
#include "tests/tools/parameters/parse_support.h"

using namespace fastnn::tests;
using fastnn::tools::Origin;
using fastnn::tools::Parameters;
using fastnn::tools::Program;

TEST_CASE("settings file: LF, CRLF, byte-order mark and a missing last newline give the same") {
  const std::string lf = "# FastNN\n\nmodel_name=lenet \nbatch_size = 5\n";
  const std::string crlf = "# FastNN\r\n\r\nmodel_name=lenet \r\nbatch_size = 5\r\n";
  const std::string bom = "\xEF\xBB\xBF";
  for (const std::string& bytes :
       {lf, crlf, bom + crlf, bom + "model_name=lenet\nbatch_size=5", lf + "  # end"}) {
    const Parameters p = parse_file(bytes);
    CHECK(p.text("model_name") == "lenet");
    CHECK(p.integer("batch_size") == 5);
    CHECK(p.warnings().empty());
  }
}

TEST_CASE("settings file: a value is everything after the first =, trimmed") {
  CHECK(parse_file("dataset_dir=/a=b#c \n").text("dataset_dir") == "/a=b#c");
  CHECK(parse_file("\tdataset_dir \t= /my data/set\t\n").text("dataset_dir") == "/my data/set");
  CHECK(parse_file("decay_scheme=\n").text("decay_scheme").empty());
}

TEST_CASE("settings file: a # behind a blank starts a comment, except in quotes") {
  CHECK(parse_file("stop_at_step=3 # three\r\n").integer("stop_at_step") == 3);
  CHECK(parse_file("stop_at_step=3\t#three, --batch_size=4\n").warnings().empty());
  CHECK(parse_file("decay_scheme= # none\n").text("decay_scheme").empty());
  CHECK(parse_file("dataset_dir=\"/a # b\"  # c\n").text("dataset_dir") == "/a # b");
  CHECK(parse_file("dataset_dir='/a' # it's 'quoted'\n").text("dataset_dir") == "/a");
}

TEST_CASE("settings file: a line may have the form of a command line") {
  const Parameters p = parse_file(
      "--model_name=lenet --batch_size=5   --dataset_dir=\"/my data\" --nouse_fp16 # all\r\n"
      "--momentum = 0.5 --datasets_use_caching --optimizer momentum \\\n"
      "--train_files='a b, c' \\\n");
  CHECK(p.text("model_name") == "lenet");
  CHECK(p.integer("batch_size") == 5);
  CHECK(p.text("dataset_dir") == "/my data");
  CHECK_FALSE(p.flag("use_fp16"));
  CHECK(p.real("momentum") == 0.5);
  CHECK(p.flag("datasets_use_caching"));
  CHECK(p.text("optimizer") == "momentum");
  CHECK(p.list("train_files") == Arguments{"a b", "c"});
  CHECK(p.warnings().empty());
}

TEST_CASE("settings file: a byte-order mark before the form of a command line is dropped") {
  CHECK(parse_file("\xEF\xBB\xBF--batch_size=5 --seed=2\r\n").integer("seed") == 2);
}

TEST_CASE("settings file: flags may follow a value") {
  const Parameters p = parse_file("dataset_dir=/my data --batch_size=5 --nouse_fp16\n");
  CHECK(p.text("dataset_dir") == "/my data");
  CHECK(p.integer("batch_size") == 5);
  CHECK(p.is_set("use_fp16"));
  CHECK(parse_file("dataset_dir=\"/a --b=c\" --batch_size=5\n").text("dataset_dir") == "/a --b=c");
  CHECK(parse_file("decay_scheme= --batch_size=5\n").integer("batch_size") == 5);
}

TEST_CASE("settings file: errors in the form of a command line name the line") {
  const auto message_at_2 = [](const std::string& line) {
    const SettingsFile file("seed=3\n" + line + "\n");
    const std::string message = usage_message({file.path()});
    CHECK(contains(message, file.at(2)));
    return message;
  };
  CHECK(contains(message_at_2("--batch_size=3 word"), "stray argument \"word\""));
  CHECK(contains(message_at_2("--batch_size=3 --learning_rte=1"), "did you mean learning_rate?"));
  CHECK(contains(message_at_2("--dataset_dir=\"/a b"), "expected a quote at both ends"));
  CHECK(contains(message_at_2("--batch_size"), "--batch_size needs a value"));
  CHECK(contains(message_at_2("--nouse_fp16=1"), "takes no value"));
  CHECK(contains(message_at_2("--batch_size=3 --batch_size=4"), "is set twice"));
  CHECK(contains(message_at_2("=3"), "expected name=value"));
}

TEST_CASE("settings file: one pair of quotes around a value is removed, blanks inside are kept") {
  CHECK(parse_file("dataset_dir=\"/data/my data/set\"\n").text("dataset_dir") == "/data/my data/set");
  CHECK(parse_file("dataset_dir='/data/my data/set'\n").text("dataset_dir") == "/data/my data/set");
  CHECK(parse_file("dataset_dir=\" a \"\r\n").text("dataset_dir") == " a ");
  CHECK(parse_file("dataset_dir=\"\"\n").text("dataset_dir").empty());
  CHECK(parse_file("dataset_dir=it's here\n").text("dataset_dir") == "it's here");
}

TEST_CASE("settings file: an unbalanced quote is an error naming the line") {
  for (const char* value : {"\"/data", "/data\"", "'/data", "\"/data'", "\""}) {
    const SettingsFile file(std::string("batch_size=3\ndataset_dir=") + value + "\n");
    const std::string message = usage_message({file.path()});
    CHECK(contains(message, "expected a quote at both ends"));
    CHECK(contains(message, file.at(2)));
  }
}

TEST_CASE("settings file: backslashes and bytes that are not ASCII are kept") {
  CHECK(parse_file("dataset_dir=C:\\data\n").text("dataset_dir") == "C:\\data");
  CHECK(parse_file("dataset_dir=/data/数据 集/花\n").text("dataset_dir") == "/data/数据 集/花");
  CHECK(parse_file("dataset_dir=/\xff\xfe\n").text("dataset_dir") == "/\xff\xfe");
}

TEST_CASE("settings file: dashes before a name are allowed") {
  const Parameters p = parse_file("--batch_size=5\n-momentum=0.5\n");
  CHECK(p.integer("batch_size") == 5);
  CHECK(p.real("momentum") == 0.5);
}

TEST_CASE("settings file: a line without = is an error naming it") {
  const SettingsFile file("batch_size=3\n\nlenet\n");
  const std::string message = usage_message({file.path()});
  CHECK(contains(message, "got \"lenet\""));
  CHECK(contains(message, file.at(3)));
}

TEST_CASE("settings file: an unknown name fails with its line and the nearest name") {
  const SettingsFile file("# c\nlearning_rte=0.1\n");
  const std::string message = usage_message({file.path()});
  CHECK(contains(message,
                 "did you mean learning_rate? There is no parameter learning_rte (" + file.at(2) + ")"));
  CHECK(contains(message, "did you mean learning_rate?"));
}

TEST_CASE("settings file: a name set twice is an error naming both lines") {
  const SettingsFile file("batch_size=3\nmomentum=0.5\nbatch_size=3\n");
  CHECK(contains(usage_message({file.path()}),
                 "batch_size is set twice, at " + file.at(1) + " and " + file.at(3)));
  CHECK(contains(file_message("stop_at_step=3\nmax_number_of_steps=3\n"), "stop_at_step is set twice"));
}

TEST_CASE("settings file: enable_paisora is taken as enable_paisoar, with a warning naming the line") {
  const SettingsFile file("model_name=lenet\nenable_paisora=True\n");
  const Parameters p = parse_train({file.path()});
  CHECK(p.flag("enable_paisoar"));
  CHECK(p.is_set("enable_paisoar"));
  REQUIRE(p.warnings().size() == 1);
  CHECK(contains(p.warnings()[0], "enable_paisora (" + file.at(2) + ") is a misspelling of enable_paisoar"));
}

TEST_CASE("settings file: the command line rules over it, without a warning") {
  const SettingsFile file("batch_size=3\nrmsprop_momentum=0.5\nuse_fp16=True\n");
  const Parameters p = parse_train({"--batch_size=4", file.path(), "--nouse_fp16"});
  CHECK(p.integer("batch_size") == 4);
  CHECK(p.real("rmsprop_momentum") == 0.5);
  CHECK_FALSE(p.flag("use_fp16"));
  CHECK(p.warnings().empty());
  CHECK(p.origin("batch_size").kind == Origin::Kind::command_line);
  CHECK(p.origin("rmsprop_momentum").where == file.at(2));
}

TEST_CASE("settings file: parameters of another program are passed over with one warning") {
  const SettingsFile file("batch_size=3\nlearning_rate=0.1\noptimizer=sgd\n");
  const Parameters p = fastnn::tools::parse(Program::eval, {file.path()});
  CHECK(p.integer("batch_size") == 3);
  REQUIRE(p.warnings().size() == 1);
  CHECK(p.warnings()[0] == file.path() + ": not for fastnn-eval, passed over: learning_rate, optimizer");
}

TEST_CASE("settings file: what is for the command line only is refused") {
  for (const char* line : {"config=other.conf", "help=True", "version=1", "dry_run=yes", "list_models=1"}) {
    const SettingsFile file(std::string(line) + "\n");
    const std::string message = usage_message({file.path()});
    CHECK(contains(message, "is for the command line only"));
    CHECK(contains(message, file.at(1)));
  }
}

TEST_CASE("settings file: --noflag is no name of a file") {
  CHECK(contains(file_message("nouse_fp16=true\n"), "did you mean use_fp16?"));
}

TEST_CASE("settings file: one that is not there, or a folder, is named") {
  CHECK(contains(usage_message({"--config=/none/run.conf"}),
                 "there is no hyper-parameter file /none/run.conf"));
  const TemporaryFolder folder;
  CHECK(contains(usage_message({folder.path().string()}), folder.path().string() + " is a folder"));
}

TEST_CASE("settings file: one that cannot be read is an error of the environment") {
  // Reading the memory of a process at address 0 fails, for the superuser, too.
  CHECK(contains(message_of<fastnn::EnvironmentError>([] { parse_train({"--config=/proc/self/mem"}); }),
                 "cannot read the hyper-parameter file /proc/self/mem"));
}

TEST_CASE("settings file: UTF-16 and zero bytes are refused") {
  CHECK(contains(file_message("\xFF\xFE"
                              "b"),
                 "UTF-16"));
  CHECK(contains(file_message("\xFE\xFF"
                              "b"),
                 "UTF-16"));
  CHECK(contains(file_message(std::string("batch_size=3\0\n", 14)), "zero byte"));
}

TEST_CASE("settings file: load reads a file without a command line") {
  const SettingsFile file("batch_size=3\n");
  CHECK(fastnn::tools::load(Program::train, file.path()).integer("batch_size") == 3);
}

#include "tests/support/catch.h"
#include "tests/tools/parameters/parse_support.h"

using namespace fastnn::tests;
using namespace fastnn::tools;

namespace {

/// A table with a parameter of each status.
ParameterTable small_table() {
  using enum ParameterType;
  return ParameterTable(
      {{.group = "g", .name = "here", .type = integer, .default_value = "1", .help = "Here."},
       {.group = "g",
        .name = "platform",
        .type = text,
        .help = "Nothing.",
        .status = ParameterStatus::no_effect,
        .reason = "no platform"},
       {.group = "g",
        .name = "policy",
        .type = real,
        .default_value = "0.5",
        .help = "Fixed.",
        .status = ParameterStatus::default_only,
        .reason = "one way only"},
       {.group = "g",
        .name = "later",
        .type = flag,
        .default_value = "False",
        .help = "Later.",
        .status = ParameterStatus::not_available,
        .reason = "time travel"}},
      {{.name = "vormals", .target = "here", .of = "elsewhere", .deprecated = "an old name"}});
}

}  // namespace

TEST_CASE("parse: without arguments everything has its default") {
  const Parameters p = parse_train({});
  CHECK(p.text("model_name") == "inception_resnet_v2");
  CHECK(p.integer("batch_size") == 32);
  CHECK_FALSE(p.is_set("batch_size"));
  CHECK(p.warnings().empty());
}

TEST_CASE("parse: a parameter without effect warns once when it is set") {
  const ParameterTable table = small_table();
  CHECK(parse(Program::train, {}, table).warnings().empty());
  const Parameters p = parse(Program::train, {"--platform=x"}, table);
  CHECK(p.warnings() == Arguments{"platform=x (command line) has no effect: no platform"});
}

TEST_CASE("parse: where only the default has an effect, another value warns") {
  const ParameterTable table = small_table();
  CHECK(parse(Program::train, {"--policy=0.50"}, table).warnings().empty());
  CHECK(parse(Program::train, {"--policy=0.6"}, table).warnings() ==
        Arguments{"policy=0.6 (command line) has no effect: one way only"});
}

TEST_CASE("parse: a parameter whose feature does not exist yet fails when it is set to anything") {
  const ParameterTable table = small_table();
  for (const char* argument : {"--later", "--nolater", "--later=False"})
    CHECK(contains(message_of<fastnn::UsageError>([&] { parse(Program::train, {argument}, table); }),
                   "later (command line) is not available yet: fastnn does not have time travel so far"));
}

TEST_CASE("parse: a deprecated name warns and is remembered in the origin") {
  const ParameterTable table = small_table();
  const Parameters p = parse(Program::train, {"--vormals=3"}, table);
  CHECK(p.integer("here") == 3);
  CHECK(p.warnings() == Arguments{"vormals (command line) is an old name"});
  CHECK(describe(p.origin("here")) == "command line, as vormals");
}

TEST_CASE("parse: every parameter of the table that is not available says so") {
  for (const ParameterRow& row : parameter_table().rows()) {
    if (row.status != ParameterStatus::not_available) continue;
    const Program program = row.programs.has(Program::train) ? Program::train : Program::eval;
    const std::string word =
        !row.choices.empty() ? std::string(choice_words(row.choices)[0]) : std::string("0.5");
    const std::string value = row.type == ParameterType::flag      ? "True"
                              : row.type == ParameterType::integer ? "2"
                                                                   : word;
    INFO(row.name);
    CHECK(
        contains(usage_message({"--" + std::string(row.name) + "=" + value}, program), "not available yet"));
  }
}

TEST_CASE("parse: every implemented parameter of the table takes its default from the user") {
  for (const ParameterRow& row : parameter_table().rows()) {
    const bool refuses_default = row.refuse && row.default_value && !row.refuse(*row.default_value).empty();
    if (row.status != ParameterStatus::implemented || !row.default_value || refuses_default) continue;
    const std::string name(row.name);
    INFO(name);
    const Parameters p = parse_train({"--" + name + "=" + std::string(*row.default_value)});
    CHECK(p.is_set(name));
    CHECK(p.text(name) == *row.default_value);
  }
}

TEST_CASE("parse: a wrong type names parameter, value, what is expected and the place") {
  const std::string message = usage_message({"--batch_size=many"});
  CHECK(contains(message, "batch_size: expected integer from 1 to 1048576; got \"many\" (command line)"));
  const SettingsFile file("\nbatch_size=0\n");
  CHECK(contains(usage_message({file.path()}), "got \"0\" (" + file.at(2) + ")"));
  CHECK(contains(usage_message({"--learning_rate=fast"}), "expected float at least 0; got \"fast\""));
  CHECK(contains(usage_message({"--learning_rate=nan"}), "expected float at least 0"));
  CHECK(contains(usage_message({"--use_fp16=maybe"}), "expected boolean (True or False); got \"maybe\""));
  CHECK(contains(usage_message({"--batch_size="}), "got \"\""));
}

TEST_CASE("parse: a value out of range is refused") {
  for (const char* argument :
       {"--batch_size=-1", "--momentum=1", "--momentum=-0.1", "--max_gradient_norm=0",
        "--learning_rate_decay_factor=0", "--ftrl_learning_rate_power=0.5", "--seed=-1"})
    CHECK(contains(usage_message({argument}), "expected"));
}

TEST_CASE("parse: a word that is not among the choices lists them") {
  CHECK(contains(usage_message({"--warmup_scheme=slow"}), "expected one of t2t, linear; got \"slow\""));
  CHECK(contains(usage_message({"--decay_scheme=luong7"}), "luong234, luong5, luong10"));
  CHECK(contains(usage_message({"--hooks=StopAtStepHook,MyHook"}), "expected list of StopAtStepHook"));
  CHECK(parse_train({"--hooks="}).list("hooks").empty());
}

TEST_CASE("parse: the error names the alias the user wrote") {
  CHECK(contains(usage_message({"--max_number_of_steps=x"}), "max_number_of_steps: expected"));
}

TEST_CASE("parse: use_fp16 is True by default, but counts as set only where the user sets it") {
  CHECK(parse_train({"--use_fp16"}).is_set("use_fp16"));
  CHECK_FALSE(parse_train({"--use_fp16=False"}).flag("use_fp16"));
  CHECK_FALSE(parse_train({}).is_set("use_fp16"));
}

TEST_CASE("parse: fine-tuning is not available yet") {
  CHECK(contains(usage_message({"--task_type=finetune"}), "fine-tuning is not available yet"));
  CHECK(parse_train({"--task_type=pretrain"}).warnings().empty());
  CHECK(contains(usage_message({"--model_dir=/m"}),
                 "model_dir (command line) is not available yet in fastnn-train"));
  CHECK(contains(usage_message({"--checkpoint_path=/m/model.ckpt-1"}),
                 "model_dir (command line, as checkpoint_path) is not available yet"));
  CHECK(parse(Program::eval, {"--model_dir=/m", "--ckpt_file_name=x"}).text("ckpt_file_name") == "x");
}

TEST_CASE("parse: several workers are not available yet") {
  CHECK(contains(usage_message({"--task_index=1"}), "several machines or devices is not available yet"));
  CHECK(contains(usage_message({"--taskId=1"}), "task_index=1 (command line, as taskId)"));
  CHECK(contains(usage_message({"--worker_hosts=a:1,b:1"}), "not available yet"));
  CHECK(contains(usage_message({"--worker_count=2"}), "not available yet"));
  CHECK(parse_train({"--task_index=0", "--worker_hosts=a:1", "--worker_count=1", "--job_name=localhost"})
            .warnings()
            .empty());
}

TEST_CASE("parse: job_name=ps fails with an explanation") {
  CHECK(contains(usage_message({"--job_name=ps"}), "fastnn has no parameter servers"));
  CHECK(contains(usage_message({"--job_name=chief"}), "expected one of worker, localhost, ps"));
}

TEST_CASE("parse: parameters of the platform are accepted with one warning each") {
  const Parameters p =
      parse_train({"--tables=a", "--buckets=b", "--outputs=c", "--reader=r", "--ps_hosts=h:1", "--ps_count=1",
                   "--inter_op_parallelism_threads=4", "--colocate_gradients_with_ops=False"});
  CHECK(p.warnings().size() == 8);
  CHECK(parse_train({"--protocol=grpc", "--enable_paisoar", "--tensor_fusion_policy=default"})
            .warnings()
            .empty());
  CHECK(parse_train({"--protocol=grpc+verbs", "--enable_paisoar=False", "--tensor_fusion_policy=x"})
            .warnings()
            .size() == 3);
}

TEST_CASE("parse: paths in cloud storage name the copy to make") {
  for (const char* name : {"output_dir", "checkpointDir", "index_dir"}) {
    const std::string message = usage_message({std::string("--") + name + "=oss://bucket/set"});
    INFO(name);
    CHECK(contains(message, "oss://bucket/set lies in cloud storage"));
    CHECK(contains(message, "copy it to this machine"));
  }
  CHECK(contains(usage_message({"--model_dir=oss://b"}, Program::eval), "cloud storage"));
}

TEST_CASE("parse: each alias sets its parameter") {
  CHECK(parse_train({"--train_dir=/r"}).text("output_dir") == "/r");
  CHECK(parse_train({"--max_number_of_steps=7"}).integer("stop_at_step") == 7);
  CHECK(parse_train({"--num_batches=7"}).integer("stop_at_step") == 7);
  CHECK(parse_train({"--log_every_n_steps=7"}).integer("log_loss_every_n_iters") == 7);
  CHECK(parse_train({"--display_every=7"}).integer("log_loss_every_n_iters") == 7);
  CHECK(parse_train({"--model=lenet"}).text("model_name") == "lenet");
  CHECK(parse_train({"--data_dir=/d"}).text("dataset_dir") == "/d");
  CHECK(parse_train({"--log_trainable_vars_statistics"}).flag("print_model_statistics"));
  CHECK_FALSE(parse_train({"--nolog_trainable_vars_statistics"}).flag("print_model_statistics"));
  CHECK(parse_train({"--taskId=0"}).is_set("task_index"));
  CHECK(contains(usage_message({"--fp16_loss_scale=8"}), "loss_scale"));
  CHECK(contains(usage_message({"--num_gpus=2"}), "num_clones (command line, as num_gpus)"));
}

TEST_CASE("parse: checkpoint_path is folder and name, or a folder alone") {
  const auto parsed = [](const std::string& path) {
    const Parameters p = parse(Program::eval, {"--checkpoint_path=" + path});
    return p.text("model_dir") + "|" + p.text("ckpt_file_name");
  };
  const TemporaryFolder folder;
  CHECK(parsed("/m/n/model.ckpt-10") == "/m/n|model.ckpt-10");
  CHECK(parsed("model.ckpt-10") == ".|model.ckpt-10");
  CHECK(parsed("/m/n/") == "/m/n/|");
  CHECK(parsed(folder.path().string()) == folder.path().string() + "|");
}

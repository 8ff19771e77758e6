#include "tests/support/catch.h"
#include "tests/tools/parameters/parse_support.h"
#include "tools/common/home_path.h"

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
        .reason = "time travel"},
       {.group = "g",
        .name = "decay",
        .type = real,
        .help = "Later.",
        .off = "0",
        .status = ParameterStatus::not_available,
        .reason = "averages"},
       {.group = "g",
        .name = "scopes",
        .type = list,
        .help = "Later.",
        .status = ParameterStatus::not_available,
        .reason = "scopes"},
       {.group = "g",
        .name = "power",
        .type = real,
        .default_value = "2",
        .help = "Of the policy.",
        .acts_while = {{"here", Condition::Is::one_of, "3|4"}}}},
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

TEST_CASE("parse: a parameter whose feature does not exist yet fails when its value asks for the feature") {
  const ParameterTable table = small_table();
  CHECK(contains(message_of<fastnn::UsageError>([&] { parse(Program::train, {"--later"}, table); }),
                 "later=True (command line) is not available yet: fastnn does not have time travel so far"));
}

TEST_CASE("parse: a value that asks for nothing is as if it were not given") {
  const ParameterTable table = small_table();
  for (const char* argument : {"--nolater", "--later=False", "--decay=0", "--decay=0.0", "--scopes="}) {
    INFO(argument);
    const Parameters p = parse(Program::train, {argument}, table);
    for (const char* name : {"later", "decay", "scopes"}) CHECK_FALSE(p.is_set(name));
    CHECK_FALSE(p.has_value("decay"));
    CHECK(p.warnings().empty());
  }
  CHECK_THROWS_AS(parse(Program::train, {"--decay=0.1"}, table), fastnn::UsageError);
}

TEST_CASE("parse: FastNN's own files are taken where they ask for nothing") {
  for (const char* argument : {"--loss_scale=1.0",
                               "--log_device_placement=False",
                               "--tensor_fusion_max_bytes=8388608",
                               "--num_gpus=1",
                               "--mixup=0",
                               "--deterministic=False",
                               "--num_clones=1",
                               "--moving_average_decay=0",
                               "--cutmix=0.0",
                               "--random_erasing=0",
                               "--eval_every=0",
                               "--save_interval_secs=0",
                               "--ignore_missing_vars=False",
                               "--trainable_scopes=",
                               "--checkpoint_exclude_scopes=",
                               "--model_dir=",
                               "--ckpt_file_name=",
                               "--summaryDir=",
                               "--randaugment=",
                               "--progressive_resizing=",
                               "--recompute=",
                               "--plugin=",
                               "--master_addr=",
                               "--comm_timeout=300",
                               "--autotune",
                               "--benchmark=0",
                               "--forward_only=no",
                               "--num_warmup_batches=10"}) {
    INFO(argument);
    CHECK(parse_train({argument}).warnings().empty());
  }
}

TEST_CASE("parse: what has no effect beside the other values is said, unless it has its default") {
  const ParameterTable table = small_table();
  CHECK(parse(Program::train, {"--power=3"}, table).warnings() ==
        Arguments{"set without effect: power (acts while here is 3 or 4; it is 1)"});
  CHECK(parse(Program::train, {"--power=3", "--here=4"}, table).warnings().empty());
  CHECK(parse(Program::train, {"--power=2.0"}, table).warnings().empty());
}

TEST_CASE("parse: hyper-parameters of another optimizer or schedule are named in one warning") {
  const Parameters p = parse_train({"--optimizer=rmsprop", "--momentum=0.5", "--ftrl_l1=1",
                                    "--rmsprop_decay=0.5", "--warmup_scheme=linear", "--profile_at_task=1",
                                    "--bad_record_limit=3", "--hooks=StopAtStepHook", "--max_to_keep=2"});
  REQUIRE(p.warnings().size() == 1);
  for (const char* name : {"momentum (acts while optimizer is momentum; it is rmsprop)", "ftrl_l1",
                           "warmup_scheme", "profile_at_task", "bad_record_limit", "max_to_keep"})
    CHECK(contains(p.warnings()[0], name));
  CHECK_FALSE(contains(p.warnings()[0], "rmsprop_decay"));
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
    const std::string value = row.type == ParameterType::flag
                                  ? (row.default_value == "True" ? "False" : "True")
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
  CHECK(contains(usage_message({"--learning_rate=fast"}), "expected float above 0; got \"fast\""));
  CHECK(contains(usage_message({"--learning_rate=nan"}), "expected float above 0"));
  CHECK(contains(usage_message({"--use_fp16=maybe"}), "expected boolean (True or False); got \"maybe\""));
  CHECK(contains(usage_message({"--batch_size="}), "got \"\""));
}

TEST_CASE("parse: a value out of range is refused") {
  for (const char* argument :
       {"--batch_size=-1", "--momentum=1", "--momentum=-0.1", "--max_gradient_norm=0",
        "--learning_rate_decay_factor=0", "--ftrl_learning_rate_power=0.5", "--seed=-1", "--learning_rate=0",
        "--labels_offset=4294967296", "--labels_offset=-4294967296", "--max_to_keep=4294967297",
        "--stop_at_step=9223372036854775807"})
    CHECK(contains(usage_message({argument}), "expected"));
}

TEST_CASE("parse: a float is one that 32 bits hold: neither infinity nor 0 in its place") {
  for (const char* argument :
       {"--learning_rate=1e-50", "--weight_decay=1e40", "--ftrl_learning_rate_power=-1e39"})
    CHECK(contains(usage_message({argument}), "which 32 bits do not hold"));
  CHECK(parse_train({"--weight_decay=1e30"}).real("weight_decay") == 1e30);
}

TEST_CASE("parse: a word near a choice is answered with it first") {
  CHECK(contains(usage_message({"--optimizer=adamm"}), "optimizer: did you mean adam? expected one of"));
  CHECK(contains(usage_message({"--disable_pass=fuse_bias,fuse_residul"}), "did you mean fuse_residual?"));
  CHECK(contains(usage_message({"--dataset_split_name=trian"}), "did you mean train?"));
  CHECK_FALSE(contains(usage_message({"--optimizer=lars_with_warmup"}), "did you mean"));
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
                 "model_dir=/m (command line) is not available yet in fastnn-train"));
  CHECK(contains(usage_message({"--checkpoint_path=/m/model.ckpt-1"}),
                 "model_dir=/m (command line, as checkpoint_path) is not available yet"));
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

TEST_CASE("parse: a home folder at the beginning of every path parameter is expanded") {
  const std::string home = expand_home("~");
  REQUIRE(home.starts_with('/'));
  for (const ParameterRow& row : parameter_table().rows()) {
    const Program program = row.programs.has(Program::eval) ? Program::eval : Program::train;
    if (row.holds == Holds::words || row.status == ParameterStatus::not_available || row.name == "config")
      continue;
    for (const char* beginning : {"~/", "$HOME/"}) {
      const std::string name(row.name), rule = row.holds == Holds::path_rules ? "oss://b/=" : "";
      INFO(name);
      CHECK(parse(program, {"--" + name + "=" + rule + beginning + "a b"}).text(name) ==
            rule + home + "/a b");
    }
  }
  CHECK(parse_train({"--train_files=~/a, ~/b"}).text("train_files") == home + "/a," + home + "/b");
  CHECK(parse(Program::eval, {"--checkpoint_path=~/m/model.ckpt-1"}).text("model_dir") == home + "/m");
  CHECK(parse_file("dataset_dir=~/data\n").text("dataset_dir") == home + "/data");
  CHECK(parse_train({"--model_name=~/x"}).text("model_name") == "~/x");
}

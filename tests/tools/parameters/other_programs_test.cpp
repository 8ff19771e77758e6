#include "tests/support/catch.h"
#include "tests/tools/parameters/parse_support.h"

using namespace fastnn::tests;
using namespace fastnn::tools;

TEST_CASE("other programs: each alias sets its parameter") {
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
  CHECK(parse_train({"--task=0"}).is_set("task_index"));
  CHECK(parse_train({"--data_name=mnist"}).text("dataset_name") == "mnist");
  CHECK(parse_train({"--init_learning_rate=0.5"}).real("learning_rate") == 0.5);
  CHECK(parse_train({"--rmsprop_epsilon=0.5"}).real("opt_epsilon") == 0.5);
  CHECK(parse_train({"--save_model_secs=60"}).real("save_interval_secs") == 60);
  CHECK(parse_train({"--save_model_steps=60"}).integer("save_checkpoints_steps") == 60);
  CHECK(parse_train({"--learning_rate_decay_step=60"}).integer("learning_rate_decay_steps") == 60);
  CHECK(parse_train({"--max_steps=60"}).integer("stop_at_step") == 60);
  CHECK(parse(Program::eval, {"--num_eval_batches=2"}).integer("max_num_batches") == 2);
  CHECK(contains(usage_message({"--fp16_loss_scale=8"}), "loss_scale"));
  CHECK(contains(usage_message({"--num_gpus=2"}), "num_clones=2 (command line, as num_gpus)"));
}

TEST_CASE(
    "other programs: flags of other programs that mean nothing here are accepted with one warning each") {
  for (const char* argument :
       {"--clone_on_cpu=False", "--local_parameter_device=cpu", "--logtostderr", "--alsologtostderr",
        "--save_summaries_steps=100", "--save_summaries_secs=600", "--num_readers=4",
        "--master=", "--verbosity=-1", "--data_format=NHWC", "--nouse_datasets", "--winograd_nonfused=True",
        "--all_reduce_spec=nccl", "--sync_replicas=True", "--num_inter_threads=0"}) {
    INFO(argument);
    CHECK(parse_train({argument}).warnings().size() == 1);
  }
  CHECK(parse(Program::eval, {"--eval_dir=/e"}).warnings().size() == 1);
}

TEST_CASE("other programs: flags of other programs that ask for what fastnn lacks are refused") {
  for (const char* argument : {"--nodistortions", "--use_grayscale", "--quantize_delay=1000"})
    CHECK(contains(usage_message({argument}), "is not available yet"));
  CHECK(
      parse_train({"--distortions=True", "--use_grayscale=False", "--quantize_delay=-1"}).warnings().empty());
}

TEST_CASE("other programs: command lines as scripts for TF-Slim give them are taken") {
  const Arguments common = {"--dataset_name=flowers", "--dataset_dir=/d", "--model_name=inception_v3",
                            "--dataset_split_name=train"};
  const std::vector<Arguments> scripts = {
      {"--train_dir=/t", "--preprocessing_name=cifarnet", "--max_number_of_steps=100000", "--batch_size=128",
       "--save_interval_secs=120", "--save_summaries_secs=120", "--log_every_n_steps=100", "--optimizer=sgd",
       "--learning_rate=0.1", "--learning_rate_decay_factor=0.1", "--num_epochs_per_decay=200",
       "--weight_decay=0.004"},
      {"--train_dir=/t", "--max_number_of_steps=500", "--batch_size=32", "--learning_rate=0.0001",
       "--learning_rate_decay_type=fixed", "--save_interval_secs=60", "--save_summaries_secs=60",
       "--log_every_n_steps=10", "--optimizer=rmsprop", "--weight_decay=0.00004"},
      {"--train_dir", "/t", "--optimizer", "momentum", "--momentum", "0.9", "--learning_rate_decay_type",
       "polynomial", "--end_learning_rate", "0.00001", "--label_smoothing", "0.1"},
      {"--train_dir=/t", "--num_clones=1", "--clone_on_cpu=True", "--worker_replicas=1", "--num_ps_tasks=0",
       "--task=0", "--master=", "--num_readers=4", "--num_preprocessing_threads=4"},
      {"--train_dir=/t", "--sync_replicas=False", "--replicas_to_aggregate=1", "--quantize_delay=-1",
       "--labels_offset=0", "--train_image_size=128", "--noignore_missing_vars", "--logtostderr"}};
  for (Arguments script : scripts) {
    script.insert(script.end(), common.begin(), common.end());
    INFO(script[0] << " " << script[1]);
    const Parameters p = parse_train(script);
    CHECK(p.text("output_dir") == "/t");
    CHECK(p.text("dataset_split_name") == "train");
  }
  const Parameters p =
      parse(Program::eval, {"--alsologtostderr", "--checkpoint_path=/m/model.ckpt-5", "--eval_dir=/e",
                            "--dataset_name=flowers", "--dataset_split_name=validation", "--dataset_dir=/d",
                            "--model_name=inception_v3", "--batch_size=100", "--max_num_batches=3",
                            "--eval_image_size=299"});
  CHECK(p.text("ckpt_file_name") == "model.ckpt-5");
  CHECK(p.integer("max_num_batches") == 3);
}

TEST_CASE("other programs: command lines as scripts for tf_cnn_benchmarks give them are taken") {
  for (const Arguments& script : std::vector<Arguments>{
           {"--num_gpus=1", "--batch_size=32", "--model=resnet_v1_50", "--variable_update=parameter_server"},
           {"--local_parameter_device=cpu", "--num_gpus=1", "--batch_size=64", "--model=vgg_16",
            "--num_batches=100", "--data_format=NCHW", "--device=cpu", "--display_every=10"},
           {"--data_dir=/d", "--data_name=imagenet", "--model=inception_v3", "--optimizer=momentum",
            "--init_learning_rate=0.1", "--weight_decay=1e-4", "--num_epochs=90", "--train_dir=/t",
            "--save_model_secs=600", "--print_training_accuracy=True", "--use_fp16=False", "--xla=False",
            "--num_intra_threads=4", "--num_inter_threads=2", "--kmp_blocktime=0", "--mkl=True",
            "--datasets_num_private_threads=4", "--tf_random_seed=7"},
           {"--optimizer=rmsprop", "--rmsprop_decay=0.9", "--rmsprop_momentum=0.9", "--rmsprop_epsilon=1.0",
            "--learning_rate_decay_factor=0.94", "--num_epochs_per_decay=2", "--minimum_learning_rate=0"}}) {
    INFO(script[0] << " " << script[1]);
    CHECK_NOTHROW(parse_train(script));
  }
}

TEST_CASE("other programs: checkpoint_path is folder and name, or a folder alone") {
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

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/checkpoint/bundle_reader.h"
#include "tests/tools/train/workplace.h"
#include "tools/train/data_record.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

std::string settings_of(const Workplace& place, const std::string& run) {
  return bytes_of(place.run(run) + "/fastnn-settings.conf");
}

/// fastnn-train without the flags that Workplace gives.
CommandResult train_bare(const std::string& flags) {
  return run_command(Workplace::program("train") + " " + flags + " 2>&1");
}

/// A BMP of one colour: that of the class, a little darker for each image.
std::string bmp(std::size_t channel, int darker, std::uint32_t side) {
  constexpr std::uint32_t kHeader = 54;
  const std::uint32_t pixels = side * side * 3;
  std::string bytes("BM");
  const auto append = [&](std::initializer_list<std::uint32_t> numbers) {
    for (const std::uint32_t number : numbers)
      for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 255);
  };
  append({kHeader + pixels, 0, kHeader, 40, side, side, 1 | 24 << 16, 0, pixels, 0, 0, 0, 0});
  for (std::uint32_t i = 0; i < pixels; ++i) bytes += static_cast<char>(i % 3 == channel ? 250 - darker : 5);
  return bytes;
}

/// Class folders of 8 images each, whose colour goes by the first letter of the name.
void write_class_folders(const std::filesystem::path& folder, const std::vector<std::string>& classes,
                         std::uint32_t side = 32) {
  for (const std::string& name : classes) {
    std::filesystem::create_directories(folder / name);
    for (int i = 0; i < 8; ++i)
      std::ofstream(folder / name / (std::to_string(i) + ".bmp"), std::ios::binary)
          << bmp(static_cast<std::size_t>(name[0]) % 3, i, side);
  }
}

std::string accuracy_of(const CommandResult& result) {
  const auto start = result.output.find("accuracy = ");
  INFO(result.output);
  REQUIRE(start != std::string::npos);
  return result.output.substr(start, result.output.find(" (", start) - start);
}

/// A run on class folders; flags shared by its training and evaluations.
struct FolderRun {
  explicit FolderRun(const std::vector<std::string>& classes) {
    write_class_folders(folder / "data", classes);
    const auto trained = train("");
    INFO(trained.output);
    REQUIRE(trained.exit_code == 0);
  }
  CommandResult train(const std::string& flags) const {
    return train_bare(fmt::format(
        "--dataset_name=mine --dataset_dir={} --model_name=lenet --train_image_size=32 --batch_size=8 "
        "--optimizer=adam --opt_epsilon=1e-8 --learning_rate=0.0005 --stop_at_step=40 --threads=1 "
        "--output_dir={} {}",
        (folder / "data").string(), (folder / "run").string(), flags));
  }
  CommandResult evaluate(const std::string& flags) const {
    return run_command(fmt::format("{} --output_dir={} {} 2>&1", Workplace::program("eval"),
                                   (folder / "run").string(), flags));
  }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("run_folder: a run that is named by its folder alone goes on with its own settings") {
  const Workplace place;
  REQUIRE(place.train("straight", "--stop_at_step=6").exit_code == 0);
  REQUIRE(place.train("resumed", "--stop_at_step=3").exit_code == 0);
  const auto resumed = train_bare("--stop_at_step=6 --output_dir=" + place.run("resumed"));
  CHECK(resumed.exit_code == 0);
  CHECK(contains(resumed, "batch_size=16  (the run in " + place.run("resumed") + ")"));
  CHECK(contains(resumed, "at step 3"));
  CHECK(weights_of(place.run("straight"), 6) == weights_of(place.run("resumed"), 6));
  CHECK(contains(train_bare("--output_dir=" + place.run("resumed")),
                 "nothing to do: the run is at step 6 of 6"));
}

TEST_CASE("run_folder: settings that change nothing of a good record may change, of the task none") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=2").exit_code == 0);
  const auto changed = place.train(
      "run", "--stop_at_step=4 --bad_record_policy=skip --bad_record_limit=3 --max_to_keep=2 --index_dir=" +
                 place.run("index") +
                 " --path_map=oss://x/=/y/ --disable_pass=fuse_residual --threads=1 --device=cpu "
                 "--num_preprocessing_threads=1 --log_loss_every_n_iters=1 --reader=tfrecord");
  INFO(changed.output);
  CHECK(changed.exit_code == 0);
  for (const char* flag : {"--seed=2", "--batch_size=8", "--labels_offset=1", "--device=reference"}) {
    const auto refused = place.train("run", std::string("--stop_at_step=6 ") + flag);
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused, "holds a run with other settings"));
  }
}

TEST_CASE("run_folder: values are compared as they resolve") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=2").exit_code == 0);
  const auto same = place.train("run",
                                "--stop_at_step=4 --num_classes=10 --preprocessing_name=lenet "
                                "--num_sample_per_epoch=256 --use_fp16=False --dataset_split_name=train "
                                "--learning_rate_decay_factor=0.94");
  INFO(same.output);
  CHECK(same.exit_code == 0);
  const auto other = place.train("run", "--stop_at_step=6 --preprocessing_name=vgg");
  CHECK(other.exit_code == 2);
  CHECK(contains(other, "preprocessing_name: the run there has lenet, asked for vgg"));
}

TEST_CASE("run_folder: allow_changes lets the named settings change, and the change is noted for good") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=2").exit_code == 0);
  const std::string flags = "--stop_at_step=4 --learning_rate=0.002 --momentum=0.8 ";
  const auto one = place.train("run", flags + "--allow_changes=learning_rate");
  CHECK(one.exit_code == 2);
  CHECK(contains(one, "momentum: the run there has 0.9, asked for 0.8"));
  CHECK_FALSE(contains(one, "\n  learning_rate:"));
  const auto both = place.train("run", flags + "--allow_changes=learning_rate,momentum");
  CHECK(both.exit_code == 0);
  CHECK(contains(both, "changed at step 2: learning_rate from 0.001 to 0.002"));
  REQUIRE(train_bare("--stop_at_step=6 --output_dir=" + place.run("run")).exit_code == 0);
  CHECK(settings_of(place, "run").find("# changed at step 2: learning_rate from 0.001 to 0.002\n") !=
        std::string::npos);
  CHECK(settings_of(place, "run").find("\nlearning_rate=0.002\n") != std::string::npos);
}

TEST_CASE("run_folder: allow_changes refuses what is no parameter, with the nearest that is") {
  const auto refused = train_bare("--allow_changes=learning_rte");
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused, "learning_rate"));
}

TEST_CASE("run_folder: a folder without a checkpoint is a new run, whatever settings it holds") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=50 --learning_rate=1e30").exit_code == 7);
  const auto again = place.train("run", "--stop_at_step=3 --learning_rate=0.001 --seed=5");
  INFO(again.output);
  CHECK(again.exit_code == 0);
  CHECK_FALSE(contains(again, "the run in"));
}

TEST_CASE("run_folder: a run that meets a bad record saves before it ends, and goes on past it with skip") {
  const Workplace place;
  const std::string file = place.data() + "/shapes_train.tfrecord";
  std::string bytes = bytes_of(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(file, std::ios::binary) << bytes;
  const auto failed =
      place.train("run", "--stop_at_step=17 --prefetch_buffer_size=1 --num_parallel_batches=1");
  CHECK(failed.exit_code == 3);
  CHECK(contains(failed, "saved at step"));
  REQUIRE(std::filesystem::exists(place.run("run") + "/checkpoint"));
  const auto on = train_bare("--bad_record_policy=skip --output_dir=" + place.run("run"));
  CHECK(on.exit_code == 0);
  CHECK(contains(on, "continuing from"));
  CHECK(std::filesystem::exists(place.run("run") + "/model.ckpt-17.index"));
}

TEST_CASE(
    "run_folder: a checkpoint holds names, classes and count of the data, and a change of the count is "
    "said") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=2").exit_code == 0);
  const auto record = tools::read_data_record(BundleReader(place.run("run") + "/model.ckpt-2"));
  REQUIRE(record);
  CHECK(record->records == 256);
  CHECK(record->classes == 10);
  CHECK(record->class_names.size() == 10);
  const auto other =
      run_command(Workplace::program("data") + " synth --train_samples=128 --validation_samples=8 " +
                  "--output_dir=" + place.data() + " 2>&1");
  REQUIRE(other.exit_code == 0);
  const auto resumed = place.train("run", "--stop_at_step=4");
  CHECK(resumed.exit_code == 0);
  CHECK(contains(resumed, "has 128 records, the run had 256"));
}

TEST_CASE("fastnn-eval: takes what defines the task from the run, and warns where the user's values differ") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=2 --jpeg_dct=fast --exif_orientation").exit_code == 0);
  const std::string eval = Workplace::program("eval") + " --output_dir=" + place.run("run");
  const auto taken = run_command(eval + " 2>&1");
  INFO(taken.output);
  CHECK(taken.exit_code == 0);
  CHECK(contains(taken, "evaluated 96 samples"));
  CHECK(contains(taken, "net lenet: 10 classes, images of 32 x 32 pixels, preprocessing lenet"));
  for (const char* setting : {"dataset_name=shapes", "model_name=lenet", "jpeg_dct=fast",
                              "exif_orientation=True", "eval_image_size=32"})
    CHECK(contains(taken, fmt::format("{}  (the run in {})", setting, place.run("run"))));
  CHECK_FALSE(contains(taken, "was trained with"));
  const auto other = run_command(eval + " --jpeg_dct=accurate --preprocessing_name=cifarnet 2>&1");
  CHECK(other.exit_code == 0);
  CHECK(contains(other, "warning: [eval] jpeg_dct is accurate, the run in " + place.run("run") +
                            " was trained with fast"));
  CHECK(contains(other, "warning: [eval] preprocessing_name is cifarnet"));
  const auto same = run_command(eval + " --preprocessing_name=lenet --eval_image_size=32 2>&1");
  CHECK_FALSE(contains(same, "was trained with"));
}

TEST_CASE("fastnn-eval: a run with an offset of its labels is evaluated with it") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=2 --labels_offset=-1").exit_code == 0);
  const auto taken = place.evaluate("run", "");
  CHECK(taken.exit_code == 0);
  CHECK(contains(taken, "labels_offset=-1  (the run in "));
  const auto other = place.evaluate("run", "--labels_offset=0");
  CHECK(contains(other, "warning: [eval] labels_offset is 0, the run in "));
}

TEST_CASE("fastnn-eval: a hold-out set that lacks a class is evaluated with its labels mapped by name") {
  const FolderRun run({"apple", "birch", "cedar"});
  const std::string whole = accuracy_of(run.evaluate(""));
  write_class_folders(run.folder / "holdout", {"birch", "cedar"});
  const auto lacking = run.evaluate("--dataset_dir=" + (run.folder / "holdout").string());
  CHECK(lacking.exit_code == 0);
  CHECK(contains(lacking, "labels are mapped by name: birch (0 -> 1), cedar (1 -> 2)"));
  CHECK(contains(lacking, "evaluated 16 samples"));
  CHECK(whole == "accuracy = 1.0000");
  CHECK(accuracy_of(lacking) == "accuracy = 1.0000");
}

TEST_CASE("fastnn-eval: a hold-out set with a class that the run never saw is refused with its name") {
  const FolderRun run({"apple", "birch", "cedar"});
  write_class_folders(run.folder / "holdout", {"apple", "birch", "dogwood"});
  const auto refused = run.evaluate("--dataset_dir=" + (run.folder / "holdout").string());
  CHECK(refused.exit_code == 3);
  CHECK(contains(refused, "the run knows no class dogwood; it learned apple, birch, cedar"));
}

TEST_CASE("fastnn-train: a run whose class folders were renamed does not go on with shifted labels") {
  const FolderRun run({"apple", "birch", "cedar"});
  std::filesystem::rename(run.folder / "data/apple", run.folder / "data/zapple");
  const auto refused = run.train("--stop_at_step=50");
  CHECK(refused.exit_code == 3);
  CHECK(contains(refused, "the run knows no class zapple"));
}

TEST_CASE("fastnn-eval: with bad_record_policy=skip 95 of 96 samples are evaluated, and it says so") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=2").exit_code == 0);
  const std::string file = place.data() + "/shapes_validation.tfrecord";
  std::string bytes = bytes_of(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(file, std::ios::binary) << bytes;
  CHECK(place.evaluate("run", "").exit_code == 3);
  const auto skipped = place.evaluate("run", "--bad_record_policy=skip");
  CHECK(skipped.exit_code == 0);
  CHECK(contains(skipped, "evaluated 95 samples"));
  CHECK(contains(skipped, "1 bad records are left out: 95 of 96 samples are evaluated"));
}

TEST_CASE("fastnn-train: decoding that takes most of the time is called input-bound") {
  const TemporaryFolder folder;
  write_class_folders(folder / "data", {"apple", "birch"}, 1500);
  const auto run = train_bare(fmt::format(
      "--dataset_name=mine --dataset_dir={} --model_name=lenet --preprocessing_name=vgg --batch_size=4 "
      "--stop_at_step=12 --num_preprocessing_threads=1 --prefetch_buffer_size=1 --learning_rate=0.001 "
      "--threads=1 "
      "--output_dir={}",
      (folder / "data").string(), (folder / "run").string()));
  CHECK(run.exit_code == 0);
  CHECK(contains(run, "(input-bound: more num_preprocessing_threads or a faster disk would help)"));
}

TEST_CASE(
    "run_folder: a folder that cannot be is the machine's fault with its path, in training and evaluation") {
  const Workplace place;
  std::filesystem::create_directory_symlink(place.run("loop"), place.run("loop"));
  const std::string long_name(300, 'n');
  for (const std::string& name : {std::string("loop"), std::string("loop/inner"), long_name}) {
    INFO(name);
    const auto trained = place.train(name, "--stop_at_step=1");
    CHECK(trained.exit_code == 4);
    CHECK(contains(trained, "cannot make the folder " + place.run(name)));
    CHECK(place.evaluate(name, "").exit_code == 3);
    CHECK(place.train("run", "--stop_at_step=1 --checkpointDir=" + place.run(name)).exit_code == 4);
  }
}

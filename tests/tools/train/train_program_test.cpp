#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <string>

#include "engine/checkpoint/bundle_reader.h"
#include "engine/checkpoint/bundle_writer.h"
#include "tests/support/case_runner.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"
#include "tests/tools/train/workplace.h"
#include "tools/train/folder_lock.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

const std::string kBin = bin_dir() + "/";

}  // namespace

TEST_CASE("fastnn-train: the same seed gives the same bits for any number of pipeline threads") {
  const Workplace place;
  REQUIRE(place.train("one", "--stop_at_step=50 --num_preprocessing_threads=1").exit_code == 0);
  REQUIRE(place.train("three", "--stop_at_step=50 --num_preprocessing_threads=3").exit_code == 0);
  REQUIRE(place.train("other", "--stop_at_step=50 --seed=2").exit_code == 0);
  CHECK(weights_of(place.run("one"), 50) == weights_of(place.run("three"), 50));
  CHECK(weights_of(place.run("one"), 50) != weights_of(place.run("other"), 50));
}

TEST_CASE("fastnn-train: twenty steps equal ten, resume and ten, bit for bit") {
  const Workplace place;
  REQUIRE(place.train("straight", "--stop_at_step=20").exit_code == 0);
  REQUIRE(place.train("resumed", "--stop_at_step=10").exit_code == 0);
  CHECK(contains(place.train("resumed", "--stop_at_step=20"), "at step 10"));
  CHECK(weights_of(place.run("straight"), 20) == weights_of(place.run("resumed"), 20));
}

TEST_CASE("fastnn-train: two micro-batches are one batch of twice the size, and resume as it does") {
  const Workplace place;
  REQUIRE(place.train("whole", "--stop_at_step=4 --batch_size=32").exit_code == 0);
  REQUIRE(place.train("halves", "--stop_at_step=2 --accumulate_steps=2").exit_code == 0);
  const auto resumed = place.train("halves", "--stop_at_step=4 --accumulate_steps=2");
  CHECK(contains(resumed, "batch 16 samples, 2 of them a step"));
  const BundleReader whole(place.run("whole") + "/model.ckpt-4"),
      halves(place.run("halves") + "/model.ckpt-4");
  // The sums of a batch in another order, over four steps.
  for (const char* name :
       {"LeNet/conv1/weights", "LeNet/conv2/biases", "LeNet/fc4/weights", "LeNet/fc4/weights/Momentum"}) {
    INFO(name);
    CHECK(relative_difference(halves.read(name).as(Dtype::f64), whole.read(name).as(Dtype::f64)) < 1e-3);
  }
  CHECK(halves.read("fastnn/samples").values<std::int64_t>()[0] == 128);
}

TEST_CASE("fastnn-train: a finished run has nothing to do") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=3").exit_code == 0);
  const auto again = place.train("run", "--stop_at_step=3");
  CHECK(again.exit_code == 0);
  CHECK(contains(again, "nothing to do"));
}

TEST_CASE("fastnn-train: a folder with another run's settings is refused and the difference shown") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=3").exit_code == 0);
  const auto refused = place.train("run", "--stop_at_step=6 --momentum=0.5");
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused, "momentum: the run there has 0.9, asked for 0.5"));
}

TEST_CASE(
    "fastnn-train: a folder in which another process trains is refused, and is free when that has ended") {
  const Workplace place;
  std::filesystem::create_directories(place.run("run"));
  {
    const tools::FolderLock other(place.run("run"));
    const auto refused = place.train("run", "--stop_at_step=3");
    CHECK(refused.exit_code == 4);
    CHECK(contains(refused, fmt::format("is in use: process {} trains there", getpid())));
  }
  CHECK(place.train("run", "--stop_at_step=3").exit_code == 0);
}

TEST_CASE("fastnn-train: a mistyped parameter fails with the nearest name") {
  const Workplace place;
  const auto refused = place.train("run", "--learning_rte=0.1");
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused, "learning_rate"));
}

TEST_CASE("fastnn-train: files without a data set's name are trained on, not noise") {
  const Workplace place;
  const auto trained = run_command(
      kBin + "fastnn-train --dataset_dir=" + place.data() +
      " --train_files=shapes_train.tfrecord --model_name=lenet --train_image_size=32 --stop_at_step=1 "
      "--learning_rate=0.001 --output_dir=" +
      place.run("run") + " 2>&1");
  CHECK(trained.exit_code == 0);
  CHECK(contains(trained, "data set data, named by its folder"));
  CHECK(contains(trained, "data: 256 records in 1 files"));
  CHECK_FALSE(contains(trained, "SYNTHETIC"));
}

TEST_CASE("fastnn-train: what the kind of data does not read is said, and no cache is claimed") {
  const Workplace place;
  const auto mock = place.train("mock",
                                "--stop_at_step=1 --dataset_name=mock --labels_offset=1 "
                                "--datasets_use_caching");
  CHECK(contains(mock,
                 "set without effect on synthetic data (dataset_name is mock): dataset_dir, labels_offset, "
                 "datasets_use_caching"));
  CHECK_FALSE(contains(mock, "kept in memory"));
  for (const char* name : {"cat", "dog"}) {
    std::filesystem::create_directories(place.folder / "photos" / name);
    std::filesystem::copy(golden_dir() / "preprocessing/images/flower_tall.jpg",
                          place.folder / "photos" / name);
  }
  const std::string photos =
      "--stop_at_step=1 --datasets_use_caching --dataset_name=photos --dataset_dir=" + place.run("photos");
  const auto folders = place.train("folders", photos);
  CHECK(folders.exit_code == 0);
  CHECK(contains(folders, "set without effect on class folders: datasets_use_caching"));
  CHECK_FALSE(contains(folders, "kept in memory"));
}

TEST_CASE("fastnn-train: a dry run checks all and writes nothing") {
  const Workplace place;
  const std::string before = run_command("ls -A " + place.data()).output;
  const auto dry = place.train("dry", "--dry_run --stop_at_step=100");
  CHECK(dry.exit_code == 0);
  CHECK(contains(dry, "nothing was written"));
  CHECK_FALSE(std::filesystem::exists(place.run("dry")));
  CHECK(run_command("ls -A " + place.data()).output == before);
}

TEST_CASE("fastnn-train: damaged records name file, record and checksum") {
  const Workplace place;
  const std::string file = place.data() + "/shapes_train.tfrecord";
  std::string bytes = bytes_of(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(file, std::ios::binary) << bytes;
  const auto failed = place.train("run", "--stop_at_step=60");
  CHECK(failed.exit_code == 3);
  CHECK(contains(failed, "shapes_train.tfrecord"));
  CHECK(contains(failed, "checksum"));
}

TEST_CASE("fastnn-train: a full disk while saving exits with 4 and keeps the earlier checkpoint") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=2").exit_code == 0);
  const std::string before = weights_of(place.run("run"), 2);
  const auto failed =
      run_command("ulimit -f 1000; trap '' XFSZ; " + kBin + "fastnn-train --config=" + place.run("run") +
                  "/fastnn-settings.conf --stop_at_step=4 2>&1");
  CHECK(failed.exit_code == 4);
  CHECK(contains(failed, "model.ckpt-4"));
  CHECK(weights_of(place.run("run"), 2) == before);
  CHECK(place.evaluate("run", "").exit_code == 0);
}

TEST_CASE("fastnn-eval: every sample is counted once, whatever the batch size") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=20").exit_code == 0);
  const auto by_7 = place.evaluate("run", "--batch_size=7");
  const auto by_96 = place.evaluate("run", "--batch_size=96");
  CHECK(contains(by_7, "evaluated 96 samples"));
  const auto accuracy = [](const std::string& text) {
    const auto start = text.find("accuracy = ");
    return text.substr(start, text.find(',', start) - start);
  };
  CHECK(accuracy(by_7.output) == accuracy(by_96.output));
}

TEST_CASE("fastnn-eval: without a checkpoint says where it looked") {
  const Workplace place;
  const auto failed = place.evaluate("nothing", "");
  CHECK(failed.exit_code == 3);
  CHECK(contains(failed, place.run("nothing")));
}

TEST_CASE("fastnn-eval: a checkpoint with a value that is not finite is refused with the variable's name") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=2").exit_code == 0);
  const BundleReader good(place.run("run") + "/model.ckpt-2");
  BundleWriter broken(place.run("run") + "/broken.ckpt-2");
  for (const auto& [name, entry] : good.entries()) {
    Tensor tensor = good.read(name);
    if (name == "LeNet/conv2/biases") tensor.values<float>()[3] = std::numeric_limits<float>::quiet_NaN();
    broken.add(name, std::move(tensor));
  }
  broken.finish();
  const auto failed = place.evaluate("run", "--checkpoint_path=" + place.run("run") + "/broken.ckpt-2");
  CHECK(failed.exit_code == 3);
  CHECK(contains(failed, "LeNet/conv2/biases holds a value that is not finite"));
}

TEST_CASE("fastnn-train: a checkpoint holds Slim's variables, the slots and the step") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=2").exit_code == 0);
  const BundleReader bundle(place.run("run") + "/model.ckpt-2");
  CHECK(bundle.contains("LeNet/conv1/weights"));
  CHECK(bundle.contains("LeNet/fc4/biases/Momentum"));
  CHECK(bundle.read("global_step").values<std::int64_t>()[0] == 2);
}

TEST_CASE("fastnn-train: trains on JPEGs of a real Slim shard and evaluates on them") {
  if (data_dir().empty()) {
    WARN("skipped: the folder of real data files (FASTNN_DATA_DIR) is absent");
    return;
  }
  const TemporaryFolder folder;
  const auto run = [&](const std::string& program, const std::string& flags) {
    return run_command(kBin + program +
                       " --dataset_name=flowers --dataset_dir=" + (data_dir() / "flowers").string() +
                       " --model_name=lenet --output_dir=" + (folder / "run").string() +
                       " --index_dir=" + (folder / "index").string() + " " + flags + " 2>&1");
  };
  const std::string shard = "flowers_validation_00000-of-00005.tfrecord";
  const auto trained = run("fastnn-train", "--train_files=" + shard +
                                               " --train_image_size=32 --batch_size=16 --stop_at_step=6 "
                                               "--learning_rate=0.001 --log_loss_every_n_iters=1");
  CHECK(trained.exit_code == 0);
  CHECK(contains(trained, "data: 70 records in 1 files"));
  CHECK(contains(trained, "5 classes"));
  CHECK(contains(trained, "0 bad records"));
  const auto evaluated = run("fastnn-eval", "--eval_files=" + shard + " --eval_image_size=32");
  CHECK(evaluated.exit_code == 0);
  CHECK(contains(evaluated, "evaluated 70 samples"));
}

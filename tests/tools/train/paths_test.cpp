#include <filesystem>
#include <fstream>

#include "tests/support/golden.h"
#include "tests/tools/train/workplace.h"

using namespace fastnn::tests;

namespace {

/// A data set whose folder and file have blanks and letters that are not ASCII.
std::filesystem::path odd_folder(const Workplace& place) {
  const auto folder = place.folder / "数据 集";
  std::filesystem::create_directories(folder);
  std::filesystem::copy(place.data() + "/shapes_train.tfrecord", folder / "花.tfrecord");
  return folder;
}

}  // namespace

TEST_CASE("fastnn-train: paths with blanks and Chinese letters are taken from the command line (C82)") {
  const Workplace place;
  const auto folder = odd_folder(place);
  const auto trained = place.train(
      "运行", "--stop_at_step=1 --dataset_dir='" + folder.string() + "' --train_files=花.tfrecord");
  CHECK(trained.exit_code == 0);
  CHECK(contains(trained, "data: 256 records in 1 files"));
  CHECK(std::filesystem::exists(place.folder / "运行" / "checkpoint"));
}

TEST_CASE("fastnn-train: paths with blanks and Chinese letters are taken from a file (C82)") {
  const Workplace place;
  const auto folder = odd_folder(place);
  std::ofstream(place.folder / "设置.conf") << "dataset_dir=" << folder.string() << "  # 数据\r\n"
                                            << "--train_files='花.tfrecord' --dataset_name=shapes\r\n"
                                            << "output_dir=\"" << place.run("r u n") << "\"\r\n";
  const auto trained = run_command(Workplace::program("train") + " '" + place.run("设置.conf") +
                                   "' --model_name=lenet --train_image_size=32 --stop_at_step=1 2>&1");
  CHECK(trained.exit_code == 0);
  CHECK(contains(trained, "data: 256 records in 1 files"));
  CHECK(std::filesystem::exists(place.run("r u n") + "/checkpoint"));
}

TEST_CASE("fastnn-train: class folders may have names that are no UTF-8 (C82)") {
  const Workplace place;
  for (const char* name : {"猫", "d\xffg"}) {
    std::filesystem::create_directories(place.folder / "photos" / name);
    std::filesystem::copy(golden_dir() / "preprocessing/images/flower_tall.jpg",
                          place.folder / "photos" / name);
  }
  const auto trained =
      place.train("run", "--stop_at_step=1 --dataset_name=photos --dataset_dir=" + place.run("photos"));
  CHECK(trained.exit_code == 0);
  CHECK(contains(trained, "2 classes"));
}

#include "data/datasets/dataset.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/base/error.h"
#include "tests/data/datasets/recording_log.h"
#include "tests/support/catch.h"
#include "tests/support/run_command.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

class Folder : public TemporaryFolder {
 public:
  explicit Folder(std::initializer_list<const char*> names, const char* labels = nullptr) {
    for (const char* name : names) std::ofstream(*this / name) << "x";
    if (labels != nullptr) std::ofstream(*this / "labels.txt") << labels;
  }

  Dataset open(DatasetOptions options) {
    options.dataset_dir = path();
    return Dataset(options, log);
  }

  std::string files(const DatasetOptions& options) {
    std::string names;
    const Dataset dataset = open(options);
    for (const auto& file : dataset.files()) names += file.filename().string() + " ";
    return names;
  }

  RecordingLog log;
};

}  // namespace

TEST_CASE("datasets: every row has a name, a size, classes and something to train and evaluate on") {
  for (const DatasetInfo& info : datasets()) {
    CAPTURE(info.name);
    CHECK(find_dataset(info.name) == &info);
    CHECK(info.classes >= 2);
    CHECK((info.class_names.empty() || info.class_names.size() == std::size_t(info.classes)));
    CHECK((info.height > 0) == (info.width > 0));
    CHECK((info.stored_channels == 1 || info.stored_channels == 3));
    CHECK(info.train.samples > 0);
    CHECK(info.split(info.evaluation_split()).samples > 0);
    CHECK(std::ranges::count(dataset_names(), info.name) == 1);
  }
  CHECK(find_dataset("mnist")->evaluation_split() == Split::test);
  CHECK(find_dataset("shapes")->evaluation_split() == Split::validation);
  CHECK(find_dataset("mnits") == nullptr);
}

TEST_CASE("dataset: mnist finds its files, classes and sizes") {
  Folder folder{"mnist_train.tfrecord", "mnist_test.tfrecord"};
  const Dataset train = folder.open({.dataset_name = "mnist"});
  CHECK(train.files().front().filename() == "mnist_train.tfrecord");
  CHECK(train.classes() == 10);
  CHECK(train.class_names().at(6) == "six");
  CHECK(train.published_samples() == 60000);
  CHECK(folder.files({.dataset_name = "mnist", .split = Split::test}) == "mnist_test.tfrecord ");
  CHECK(folder.log.warnings.empty());
}

TEST_CASE("dataset: imagenet's shards have 1001 classes, or 1000 with labels_offset 1") {
  Folder folder{"train-00000-of-01024", "validation-00000-of-00001"};
  CHECK(folder.open({.dataset_name = "imagenet"}).classes() == 1001);
  CHECK_THAT(folder.log.warnings, Contains("only 1 of 1024 files"));
  CHECK(folder.open({.dataset_name = "imagenet", .labels_offset = 1}).classes() == 1000);
  CHECK(folder.files({.dataset_name = "imagenet", .split = Split::validation}) ==
        "validation-00000-of-00001 ");
}

TEST_CASE("dataset: path_map finds local copies of folders and files elsewhere") {
  Folder folder{"mnist_train.tfrecord", "own.rec"};
  const std::string rules[] = {"oss://bucket/=" + folder.path().string() + "/", "oss://bucket/deep/=/none/"};
  const PathMap map(rules);
  RecordingLog log;
  const Dataset mnist({.dataset_name = "mnist", .dataset_dir = "oss://bucket/", .path_map = map}, log);
  CHECK(mnist.files().at(0) == folder / "mnist_train.tfrecord");
  const Dataset own({.dataset_name = "own",
                     .train_files = "oss://bucket/own.rec, oss://bucket/mnist_train.tfrecord",
                     .path_map = map,
                     .num_classes = 3},
                    log);
  CHECK(own.files().size() == 2);
  CHECK(map.mapped("oss://bucket/deep/x") == "/none/x");
  CHECK(map.mapped("oss://other/x") == "oss://other/x");
  CHECK_THROWS_WITH(Dataset({.dataset_name = "mnist", .dataset_dir = "oss://other/", .path_map = map}, log),
                    Contains("with path_map"));
  for (const char* bad : {"oss://bucket/", "=/data", ""}) {
    const std::string rule[] = {bad};
    CHECK_THROWS_AS(PathMap(rule), UsageError);
    CHECK_THROWS_WITH(PathMap(rule), Contains("path_map") && Contains("\"" + rule[0] + "\""));
  }
}

TEST_CASE("dataset: a folder stands for its files, and a relative folder for those below dataset_dir") {
  Folder folder({"a.rec", ".hidden", "b.rec"}, "0:x\n1:y\n");
  CHECK(folder.files({.dataset_name = "own", .train_files = "."}) == "a.rec b.rec ");
  CHECK(folder.files({.dataset_name = "own", .train_files = folder.path().string()}) == "a.rec b.rec ");
}

TEST_CASE("dataset: a folder of class folders is found, with labels of the sorted folder names") {
  Folder folder{};
  for (const char* name :
       {"train/tulip", "train/daisy", "train/rose", "validation/rose", "validation/daisy"}) {
    std::filesystem::create_directories(folder / name);
    std::ofstream(folder / name / "1.JPG") << "x";
  }
  const Dataset train = folder.open({.dataset_name = "own"});
  CHECK(train.image_folder() == folder / "train");
  CHECK(train.files().empty());
  CHECK(train.classes() == 3);
  CHECK(train.class_names() == std::vector<std::string>{"daisy", "rose", "tulip"});
  const Dataset validation = folder.open({.dataset_name = "own", .split = Split::validation});
  CHECK(validation.image_folder() == folder / "validation");
  CHECK(validation.class_names() == train.class_names());
  CHECK(folder.open({.dataset_name = "mnist", .train_files = "validation"}).image_folder() ==
        folder / "validation");
  CHECK(folder.open({.dataset_name = "own", .file_pattern = "%s"}).image_folder() == folder / "train");
  RecordingLog log;
  CHECK(Dataset({.dataset_name = "own", .dataset_dir = folder / "validation"}, log).classes() == 2);
  std::ofstream(folder / "labels.txt") << "0:tulip\n1:rose\n2:daisy\n";
  CHECK(folder.open({.dataset_name = "own"}).class_names() ==
        std::vector<std::string>{"tulip", "rose", "daisy"});
}

TEST_CASE("dataset: files the user names win over a pattern, and that over the table") {
  Folder folder{"mnist_train.tfrecord", "mine_train.rec", "mine_validation.rec", "other.rec",
                "mnist_test.tfrecord"};
  const DatasetOptions pattern{.dataset_name = "mnist", .file_pattern = "mine_%s.rec"};
  CHECK(folder.files(pattern) == "mine_train.rec ");
  CHECK_FALSE(folder.open(pattern).published_samples().has_value());
  CHECK(folder.files({.dataset_name = "mnist", .split = Split::validation, .file_pattern = "mine_%s.rec"}) ==
        "mine_validation.rec ");
  DatasetOptions both{.dataset_name = "mnist", .train_files = "other.rec", .file_pattern = "mine_%s.rec"};
  CHECK(folder.files(both) == "other.rec ");
  both.split = Split::test;
  both.eval_files = "mine_train.rec, other.rec";
  CHECK(folder.files(both) == "mine_train.rec other.rec ");
}

TEST_CASE("dataset: any other name works with files given, and says what to give without") {
  Folder folder{"a.rec"}, named({"a.rec"}, "0:daisy\n1:rose\n2:tulip\n");
  CHECK(folder.open({.dataset_name = "own", .train_files = "a.rec", .num_classes = 7}).classes() == 7);
  const Dataset flowers = named.open({.dataset_name = "own", .train_files = "a.rec"});
  CHECK(flowers.classes() == 3);
  CHECK(flowers.class_names() == std::vector<std::string>{"daisy", "rose", "tulip"});
  CHECK_THROWS_AS(folder.open({.dataset_name = "mnits"}), UsageError);
  CHECK_THROWS_WITH(
      folder.open({.dataset_name = "mnits"}),
      Contains("did you mean mnist? There is no data set \"mnits\"; known: cifar10, flowers, imagenet, mnist, "
               "shapes") &&
          Contains("give train_files"));
  CHECK_THROWS_WITH(folder.open({.dataset_name = "mnits", .split = Split::test}),
                    Contains("give eval_files"));
  CHECK_THROWS_WITH(folder.open({.dataset_name = "own", .train_files = "a.rec"}),
                    Contains("the number of classes is not known") && Contains("set num_classes"));
  CHECK_THROWS_WITH(folder.open({.dataset_name = "own", .train_files = "a.rec", .num_classes = -1}),
                    Contains("got num_classes -1"));
}

TEST_CASE("dataset: a split that the data set lacks is the caller's mistake") {
  Folder folder{"mnist_train.tfrecord"};
  CHECK_THROWS_AS(folder.open({.dataset_name = "mnist", .split = Split::validation}), UsageError);
  CHECK_THROWS_WITH(folder.open({.dataset_name = "mnist", .split = Split::validation}),
                    Contains("mnist has no split validation; it has: train, test"));
}

TEST_CASE("dataset: missing files, folders and addresses are reported with what is there") {
  Folder folder{"cifar10_train.tfrecord"};
  CHECK_THROWS_AS(folder.open({.dataset_name = "mnist"}), InputError);
  CHECK_THROWS_WITH(folder.open({.dataset_name = "mnist"}), Contains("no file matches") &&
                                                                Contains("(from dataset mnist)") &&
                                                                Contains("holds cifar10_train.tfrecord"));
  RecordingLog log;
  CHECK_THROWS_WITH(Dataset({.dataset_name = "mnist", .dataset_dir = folder / "none"}, log),
                    Contains("none does not exist"));
  CHECK_THROWS_WITH(Dataset({.dataset_name = "mnist", .dataset_dir = folder / "cifar10_train.tfrecord"}, log),
                    Contains("a folder is expected"));
  CHECK_THROWS_WITH(Dataset({.dataset_name = "mnist", .dataset_dir = "oss://bucket/mnist/"}, log),
                    Contains("dataset_dir must be a path on this machine") &&
                        Contains("ossutil cp -r oss://bucket/mnist/ FOLDER"));
}

TEST_CASE("dataset: num_classes too small for labels.txt is an error, too large a warning") {
  Folder folder({"a.rec"}, "0:background\n1:cat\n2:dog\n");
  const auto options = [](int classes, int offset) {
    return DatasetOptions{
        .dataset_name = "own", .train_files = "a.rec", .labels_offset = offset, .num_classes = classes};
  };
  CHECK_THROWS_AS(folder.open(options(2, 0)), UsageError);
  CHECK_THROWS_WITH(folder.open(options(2, 0)), Contains("label 2 (\"dog\")") && Contains("does not fit") &&
                                                    Contains("set num_classes to 3"));
  CHECK(folder.open(options(2, 1)).class_names() == std::vector<std::string>{"cat", "dog"});
  CHECK(folder.open(options(0, 1)).classes() == 2);
  CHECK(folder.log.warnings.empty());
  CHECK(folder.open(options(100, 0)).classes() == 100);
  CHECK_THAT(folder.log.warnings, Contains("num_classes is 100") && Contains("names 3 classes"));
  CHECK(folder.open(options(4, -1)).class_names() ==
        std::vector<std::string>{"", "background", "cat", "dog"});
}

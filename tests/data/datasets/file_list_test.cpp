#include "data/datasets/file_list.h"

#include <fstream>

#include "engine/base/error.h"
#include "tests/data/datasets/recording_log.h"
#include "tests/support/catch.h"
#include "tests/support/run_command.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

class Files : public TemporaryFolder {
 public:
  explicit Files(std::initializer_list<const char*> names) {
    for (const char* name : names) std::ofstream(*this / name) << "x";
  }

  std::string list(const std::string& text) {
    std::string names;
    for (const auto& file : list_files(path(), text, "train_files", log))
      names += file.filename().string() + " ";
    return names;
  }

  RecordingLog log;
};

}  // namespace

TEST_CASE("file list: names and patterns are trimmed, matched and sorted") {
  Files files{"b.rec", "a.rec", "c.txt", "d 1.rec", "花.rec", "[x].rec"};
  CHECK(files.list("b.rec , a.rec") == "a.rec b.rec ");
  CHECK(files.list(" ?.rec,c.*,") == "a.rec b.rec c.txt ");
  CHECK(files.list("d 1.rec") == "d 1.rec ");
  CHECK(files.list("花.rec") == "花.rec ");
  CHECK(files.list("[x].rec") == "[x].rec ");
  CHECK(files.list((files / "a.rec").string()) == "a.rec ");
  CHECK(files.log.warnings.empty());
}

TEST_CASE("file list: folders do not match, and hidden unfinished files neither") {
  Files files{"a.rec", ".a.rec.partial"};
  std::filesystem::create_directory(files / "b.rec");
  CHECK(files.list("*") == "a.rec ");
}

TEST_CASE("file list: a file named twice is read once, with a warning") {
  Files files{"a.rec", "b.rec"};
  CHECK(files.list("*.rec,a.rec") == "a.rec b.rec ");
  CHECK_THAT(files.log.warnings, Contains("train_files names 1 files more than once"));
}

TEST_CASE("file list: an incomplete set of shards is a warning that counts") {
  Files files{"train-00000-of-01024", "train-00007-of-01024", "v-00000-of-00001"};
  CHECK(files.list("*") == "train-00000-of-01024 train-00007-of-01024 v-00000-of-00001 ");
  CHECK_THAT(files.log.warnings, Contains("only 2 of 1024 files") && Contains("train-*-of-01024"));
  CHECK_THAT(files.log.warnings, !Contains("00001"));
}

TEST_CASE("file list: no match says what was looked for and what is there") {
  Files files{"train-00000-of-01024"};
  CHECK_THROWS_AS(files.list("mnist_train.tfrecord"), InputError);
  CHECK_THROWS_WITH(files.list("mnist_train.tfrecord"),
                    Contains("no file matches " + (files / "mnist_train.tfrecord").string()) &&
                        Contains("(from train_files)") && Contains("holds train-00000-of-01024"));
  Files empty{};
  CHECK_THROWS_WITH(empty.list("*.rec"), Contains("holds nothing"));
  CHECK_THROWS_WITH(files.list("sub/*.rec"), Contains("sub does not exist"));
  CHECK_THROWS_WITH(files.list("train-00000-of-01024/x"),
                    Contains("a folder is expected") && Contains("is a file"));
}

TEST_CASE("file list: a full folder is described by twenty names and a number") {
  Files files{};
  for (int i = 0; i < 25; ++i) std::ofstream(files / fmt::format("f{}", 100 + i)) << "x";
  CHECK_THAT(describe_folder(files.path()), Contains("f100, f101") && Contains("f119 and 5 more"));
}

TEST_CASE("file list: a folder that cannot be read is an error of the environment") {
  const std::string too_long(300, 'x');
  CHECK_THROWS_AS(describe_folder(too_long), EnvironmentError);
  CHECK_THROWS_WITH(describe_folder(too_long), Contains("cannot be read: File name too long"));
}

TEST_CASE("file list: an empty list and addresses are the caller's mistake") {
  Files files{};
  CHECK_THROWS_AS(files.list(" , "), UsageError);
  CHECK_THROWS_WITH(files.list(" , "), Contains("train_files names no file"));
  CHECK_THROWS_AS(files.list("oss://bucket/a.rec"), UsageError);
  CHECK_THROWS_WITH(files.list("oss://bucket/a.rec"), Contains("ossutil cp -r oss://bucket/a.rec FOLDER"));
  CHECK_THROWS_WITH(files.list("s3://bucket/a.rec"), Contains("with a client for s3://"));
}

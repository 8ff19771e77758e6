#include "data/convert/class_folders.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "data/datasets/class_names.h"
#include "data/images/decode.h"
#include "data/records/example.h"
#include "data/records/record_file.h"
#include "engine/base/error.h"
#include "tests/data/convert/image_files.h"
#include "tests/data/records/files.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

/// Keeps the lines; several threads may write.
class SharedLog final : public Log {
 public:
  void info(std::string_view line) override { add(line); }
  void warning(std::string_view line) override { add(line); }
  std::string lines;

 private:
  void add(std::string_view line) {
    const std::lock_guard lock(mutex_);
    lines += std::string(line) + "\n";
  }
  std::mutex mutex_;
};

/// A folder with class folders in "in", converted to "out".
struct Folders : TemporaryFolder {
  explicit Folders(int images = 6) { write_class_folders(*this / "in", images); }

  ConvertOptions options() const {
    return {.input_dir = *this / "in",
            .output_dir = *this / "out",
            .shards = 3,
            .validation_samples = 4,
            .seed = 7,
            .threads = 2};
  }
  std::vector<WrittenFile> convert(const ConvertOptions& options) {
    return convert_dataset("pets", options, {}, log);
  }

  SharedLog log;
};

std::string content_of(const std::vector<WrittenFile>& files) {
  std::string all;
  for (const WrittenFile& file : files) all += file.path.filename().string() + file_content(file.path);
  return all;
}

/// The encoded images of a set of files.
std::multiset<std::string> images_of(const std::vector<WrittenFile>& files) {
  std::multiset<std::string> images;
  for (const WrittenFile& written : files) {
    const RecordFile file(written.path);
    for (std::int64_t i = 0; i < file.size(); ++i) {
      const Record record = file.read(i);
      images.insert(std::string(text_of(Example(record.payload, record.origin).bytes("image/encoded"))));
    }
  }
  return images;
}

}  // namespace

TEST_CASE("class folders: shards of both splits hold every image once, its bytes kept") {
  Folders folders;
  const auto files = folders.convert(folders.options());
  REQUIRE(files.size() == 6);
  CHECK(files[0].path.filename() == "pets_train_00000-of-00003.tfrecord");
  CHECK(files[5].path.filename() == "pets_validation_00002-of-00003.tfrecord");
  std::int64_t train = 0;
  for (int i = 0; i < 3; ++i) train += files[std::size_t(i)].records;
  CHECK(train == 8);
  std::multiset<std::string> expected;
  for (const auto& entry : fs::recursive_directory_iterator(folders / "in"))
    if (entry.is_regular_file()) expected.insert(file_content(entry.path()));
  CHECK(images_of(files) == expected);
  CHECK(read_class_names(folders / "out/labels.txt") == std::vector<std::string>{"a_dog", "b_cat"});
}

TEST_CASE("class folders: the format is told by the content, extents and label by image and folder") {
  Folders folders;
  const RecordFile file(folders.convert(folders.options())[0].path);
  const Record record = file.read(0);
  const Example example(record.payload, record.origin);
  CHECK(text_of(example.bytes("image/format")) == "png");
  const Image image = decode_image(example.bytes("image/encoded"));
  CHECK(example.integer("image/height") == image.height());
  CHECK(example.integer("image/width") == 5);
  const bool is_cat = example.integer("image/class/label") == 1;
  CHECK(image.pixels()[0] == (is_cat ? 'b' : 'a') + image.height() - 3);
}

TEST_CASE("class folders: the same input, options and seed give the same bytes, another seed others") {
  Folders first, second;
  const std::string content = content_of(first.convert(first.options()));
  ConvertOptions options = second.options();
  options.threads = 1;
  CHECK(content_of(second.convert(options)) == content);
  options.seed = 8;
  CHECK(content_of(second.convert(options)) != content);
}

TEST_CASE("class folders: the order of a seed is the same on every machine") {
  CHECK(shuffled_order(6, 1) == std::vector<std::int64_t>{1, 3, 0, 4, 5, 2});
  CHECK(shuffled_order(0, 1).empty());
}

TEST_CASE("class folders: a second run keeps what is complete and writes what is not") {
  Folders folders;
  const auto files = folders.convert(folders.options());
  const std::string content = content_of(files);
  fs::remove(files[1].path);
  fs::resize_file(files[2].path, fs::file_size(files[2].path) - 3);
  const auto before = fs::last_write_time(files[0].path);
  const fs::path unfinished = folders / "out/.pets_train_00001-of-00003.tfrecord.123-0.writing";
  write_bytes(unfinished, "a part");
  folders.log.lines.clear();
  CHECK(content_of(folders.convert(folders.options())) == content);
  CHECK_FALSE(fs::exists(unfinished));
  CHECK(fs::last_write_time(files[0].path) == before);
  CHECK_THAT(folders.log.lines, Contains("pets_train_00000-of-00003.tfrecord is complete (2 records)"));
  CHECK_THAT(folders.log.lines, !Contains("pets_train_00001-of-00003.tfrecord is complete") &&
                                    !Contains("pets_train_00002-of-00003.tfrecord is complete"));
}

TEST_CASE("class folders: nothing is kept when the images or options have changed") {
  Folders folders;
  folders.convert(folders.options());
  folders.log.lines.clear();
  ConvertOptions options = folders.options();
  options.seed = 9;
  folders.convert(options);
  CHECK_THAT(folders.log.lines, !Contains("is kept"));
  write_png(folders / "in/a_dog/0.jpg", 9, 9);
  const auto files = folders.convert(options);
  CHECK_THAT(folders.log.lines, !Contains("is kept"));
  CHECK(images_of(files).contains(file_content(folders / "in/a_dog/0.jpg")));
}

TEST_CASE("class folders: record files that are no part of the conversion are refused") {
  Folders folders;
  folders.convert(folders.options());
  ConvertOptions options = folders.options();
  options.shards = 2;
  CHECK_THROWS_AS(folders.convert(options), UsageError);
  CHECK_THROWS_WITH(folders.convert(options), Contains("is no part of this conversion"));
}

TEST_CASE("class folders: folders train and validation, or test, are the splits") {
  const auto second = GENERATE(as<std::string>(), "validation", "test");
  TemporaryFolder folder;
  write_class_folders(folder / "in/train", 4);
  write_class_folders(folder / "in/" / second, 1);
  NoLog log;
  ConvertOptions options{.input_dir = folder / "in", .output_dir = folder / "out", .shards = 2};
  const auto files = convert_dataset("pets", options, {}, log);
  REQUIRE(files.size() == 4);
  CHECK(files[3].path.filename() == "pets_" + second + "_00001-of-00002.tfrecord");
  CHECK(files[3].records == 1);
  options.validation_samples = 1;
  CHECK_THROWS_WITH(convert_dataset("pets", options, {}, log),
                    Contains("validation_samples must be 0, got 1"));
}

TEST_CASE("class folders: fewer images than shards give as many shards as images") {
  Folders folders(1);
  ConvertOptions options = folders.options();
  options.validation_samples = 0;
  const auto files = folders.convert(options);
  REQUIRE(files.size() == 2);
  CHECK(files[1].path.filename() == "pets_train_00001-of-00002.tfrecord");
}

TEST_CASE("class folders: an image that cannot be decoded is named and fails, or is skipped and counted") {
  Folders folders;
  const std::string bad = GENERATE(as<std::string>(), "no image", "", "\xff\xd8\xff\xe0 cut");
  write_bytes(folders / "in/b_cat/bad.jpg", bad);
  ConvertOptions options = folders.options();
  CHECK_THROWS_AS(folders.convert(options), InputError);
  CHECK_THROWS_WITH(folders.convert(options),
                    Contains("b_cat/bad.jpg cannot be decoded") && Contains("--skip_bad=true"));
  CHECK_FALSE(fs::exists(folders / "out/labels.txt"));
  options.bad_images = ConvertOptions::BadImages::skip;
  CHECK(images_of(folders.convert(options)).size() == 12);
  CHECK_THAT(folders.log.lines, Contains("b_cat/bad.jpg cannot be decoded") &&
                                    Contains("1 of 13 images could not be decoded and are left out"));
}

TEST_CASE("class folders: only bad images are an error even if they may be skipped") {
  TemporaryFolder folder;
  write_bytes(folder / "in/cat/bad.jpg", "no image");
  NoLog log;
  CHECK_THROWS_WITH(convert_dataset("pets",
                                    {.input_dir = folder / "in",
                                     .output_dir = folder / "out",
                                     .bad_images = ConvertOptions::BadImages::skip},
                                    {}, log),
                    Contains("no image of") && Contains("can be decoded"));
}

TEST_CASE("class folders: senseless options are the caller's mistake") {
  Folders folders;
  const auto fails_with = [&](const ConvertOptions& options, const std::string& text) {
    CHECK_THROWS_AS(folders.convert(options), UsageError);
    CHECK_THROWS_WITH(folders.convert(options), Contains(text));
  };
  ConvertOptions options = folders.options();
  options.validation_samples = 12;
  fails_with(options, "must leave images to train on: got 12 of 12 images");
  options = folders.options();
  options.shards = 0;
  fails_with(options, "shards must be 1 to 99999, got 0");
  CHECK_THROWS_WITH(convert_dataset("a/b", folders.options(), {}, folders.log), Contains("\"a/b\" cannot"));
}

TEST_CASE("class folders: progress counts every image once and ends with all") {
  Folders folders(60);
  std::vector<std::int64_t> seen;
  ConvertOptions options = folders.options();
  convert_dataset(
      "pets", options,
      [&](std::int64_t done, std::int64_t total) {
        CHECK(total == 120);
        seen.push_back(done);
      },
      folders.log);
  REQUIRE(seen.size() == 3);
  CHECK(seen.back() == 120);
  CHECK(std::ranges::is_sorted(seen));
}

TEST_CASE("class folders: an output folder that cannot be made is the environment's fault") {
  Folders folders;
  write_bytes(folders / "file", "x");
  ConvertOptions options = folders.options();
  options.output_dir = folders / "file/out";
  CHECK_THROWS_AS(folders.convert(options), EnvironmentError);
  CHECK_THROWS_WITH(folders.convert(options), Contains("cannot be made"));
}

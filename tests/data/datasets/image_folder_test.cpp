#include "data/datasets/image_folder.h"

#include <fstream>

#include "data/records/example.h"
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
  explicit Folder(std::initializer_list<const char*> files) {
    for (const char* file : files) {
      std::filesystem::create_directories((*this / file).parent_path());
      std::ofstream(*this / file) << file;
    }
  }

  ImageFolder open() { return ImageFolder(path(), class_folders(path()), log); }

  RecordingLog log;
};

}  // namespace

TEST_CASE("image folder: files come sorted, as records of their bytes and the label of their folder") {
  Folder folder{"b/2.png", "a/z.jpg", "a/B.JPEG", "b/deep/1.png", "花 c/x.gif", ".hidden/1.png", "a/.1.png"};
  const ImageFolder images = folder.open();
  CHECK(class_folders(folder.path()) == std::vector<std::string>{"a", "b", "花 c"});
  const std::pair<const char*, int> expected[] = {
      {"a/B.JPEG", 0}, {"a/z.jpg", 0}, {"b/2.png", 1}, {"b/deep/1.png", 1}, {"花 c/x.gif", 2}};
  REQUIRE(images.size() == 5);
  CHECK(images.records_per_file() == std::vector<std::int64_t>(5, 1));
  std::vector<std::byte> room;
  for (std::int64_t i = 0; i < 5; ++i) {
    const Record record = images.read(i, room);
    CHECK(record.origin.file == (folder / expected[i].first).string());
    const Example example(record.payload, record.origin);
    const auto bytes = example.bytes("image/encoded");
    CHECK(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == expected[i].first);
    CHECK(example.integer("image/class/label") == expected[i].second);
  }
  CHECK(folder.log.warnings.empty());
}

TEST_CASE("image folder: images of any size are read whole, empty ones too") {
  Folder folder{"a/0.png", "a/1.png", "a/2.png", "a/3.png"};
  const std::size_t sizes[] = {0, 100, 20'000, 3'000'000};
  for (int i = 0; i < 4; ++i)
    std::ofstream(folder / fmt::format("a/{}.png", i)) << std::string(sizes[i], char('a' + i));
  const ImageFolder images = folder.open();
  std::vector<std::byte> room;
  for (int i = 3; i >= 0; --i) {
    const Record record = images.read(i, room);
    CHECK(Example(record.payload, record.origin).bytes("image/encoded").size() == sizes[i]);
  }
}

TEST_CASE("image folder: other files and classes without images are warned of") {
  Folder folder{"a/1.png", "a/notes.txt", "b/notes.txt"};
  CHECK(folder.open().size() == 1);
  CHECK_THAT(folder.log.warnings,
             Contains("2 files of") && Contains("no images in " + (folder / "b").string()));
  const ImageFolder more(folder.path(), {"a", "b", "c"}, folder.log);
  CHECK_THAT(folder.log.warnings, Contains("has no folder of class c"));
}

TEST_CASE("image folder: a folder of no class, and a folder without images, are errors") {
  Folder folder{"a/1.png", "b/1.png"}, none{"a/1.txt"};
  CHECK_THROWS_AS(ImageFolder(folder.path(), {"a"}, folder.log), InputError);
  CHECK_THROWS_WITH(ImageFolder(folder.path(), {"a"}, folder.log),
                    Contains((folder / "b").string()) && Contains("of none of the 1 classes"));
  CHECK_THROWS_AS(none.open(), InputError);
  CHECK_THROWS_WITH(none.open(), Contains("no images in the class folders of"));
  CHECK_THROWS_AS(class_folders(folder / "none"), EnvironmentError);
}

TEST_CASE("image folder: it is told from a folder of records") {
  Folder images{"a/1.png"}, records{"1.rec", "empty/x"}, loose{"1.png"};
  CHECK(is_image_folder(images.path()));
  CHECK_FALSE(is_image_folder(records.path()));
  CHECK_FALSE(is_image_folder(loose.path()));
  CHECK_FALSE(is_image_folder(loose / "1.png"));
  CHECK_FALSE(is_image_folder(loose / "none"));
}

TEST_CASE("image folder: a file that is gone names it, a number outside is the caller's mistake") {
  Folder folder{"a/1.png"};
  const ImageFolder images = folder.open();
  std::vector<std::byte> room;
  CHECK_THROWS_AS(images.read(1, room), UsageError);
  CHECK_THROWS_AS(images.read(-1, room), UsageError);
  std::filesystem::remove(folder / "a/1.png");
  CHECK_THROWS_AS(images.read(0, room), InputError);
  CHECK_THROWS_WITH(images.read(0, room), Contains("1.png is gone"));
  std::filesystem::create_symlink("1.png", folder / "a/1.png");
  CHECK_THROWS_AS(images.read(0, room), EnvironmentError);
  CHECK_THROWS_WITH(images.read(0, room), Contains("cannot open the image file"));
}

#include <fmt/format.h>
#include <zlib.h>

#include <cstdio>
#include <map>

#include "data/images/png.h"
#include "data/records/example_writer.h"
#include "data/records/index_file.h"
#include "data/records/record_file.h"
#include "tests/data/images/jpeg_writer.h"
#include "tests/data/images/test_images.h"
#include "tests/engine/checkpoint/index_tables.h"

// fuzz_seeds FOLDER GOLDEN DATA: writes what each fuzz target starts from to FOLDER/TARGET. GOLDEN is the
// folder of the golden figures, DATA that of the real files, which need not be there.

using namespace fastnn;
using namespace fastnn::tests;
using namespace std::string_literals;

namespace {

namespace fs = std::filesystem;

/// The folder of one target's inputs.
class Seeds {
 public:
  Seeds(const fs::path& folder, const char* target) : folder_(folder / target) {
    fs::create_directories(folder_);
  }

  void add(std::string_view content) {
    std::ofstream(folder_ / fmt::format("seed-{}", count_++), std::ios::binary) << content;
  }
  void add(std::span<const std::byte> content) {
    add(std::string_view(reinterpret_cast<const char*>(content.data()), content.size()));
  }
  void add_file(const fs::path& file) { add(file_bytes(file)); }

 private:
  fs::path folder_;
  int count_ = 0;
};

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 255);
  return text;
}

/// 3 x 2 pixels of so many bits, 2 colours in the palette if there is one.
std::string bmp(int bits) {
  const std::string palette = bits <= 8 ? "\x10\x20\x30\0\xf0\xe0\xd0\0"s : "";
  const int row_bytes = (3 * bits + 31) / 32 * 4;
  return "BM" + little_endian(54 + palette.size() + 2 * row_bytes, 4) + little_endian(0, 4) +
         little_endian(54 + palette.size(), 4) + little_endian(40, 4) + little_endian(3, 4) +
         little_endian(2, 4) + little_endian(1, 2) + little_endian(bits, 2) + std::string(12, '\0') +
         little_endian(0, 4) + little_endian(palette.empty() ? 0 : 2, 4) + little_endian(0, 4) + palette +
         std::string(2 * row_bytes, '\0');
}

/// The smallest files of a format in the collection of images, where it is there.
void add_collected(Seeds& seeds, const fs::path& data, std::string_view extension) {
  constexpr std::uintmax_t kLongest = 8192;
  const fs::path folder = data / "decoder";
  if (!fs::is_directory(folder)) return;
  for (const auto& file : fs::recursive_directory_iterator(folder))
    if (file.path().extension() == extension && file.is_regular_file() && file.file_size() <= kLongest)
      seeds.add_file(file.path());
}

void write_images(const fs::path& folder, const fs::path& golden, const fs::path& data) {
  const Image colour = ramp_image(19, 21, 3), gray = ramp_image(9, 5, 1);
  Seeds jpeg(folder, "jpeg"), png(folder, "png"), gif(folder, "gif"), bitmaps(folder, "bmp");
  for (const bool progressive : {false, true})
    for (const int chroma : {1, 2})
      jpeg.add(encode_jpeg(colour, {.horizontal = chroma, .vertical = chroma, .progressive = progressive}));
  jpeg.add(encode_jpeg(colour, {.colours = JpegColours::ycck, .restart_interval = 1, .adobe = true}));
  jpeg.add(encode_jpeg(colour, {.arithmetic = true}));
  jpeg.add(with_orientation(encode_jpeg(gray, {.colours = JpegColours::gray}), 6));
  png.add(encode_png(colour));
  png.add(encode_png(gray));
  for (const char* name : {"rgba.png", "tiny.png"}) png.add_file(golden / "preprocessing/images" / name);
  gif.add("GIF89a\3\0\2\0\x80\0\0\x10\x20\x30\xf0\xe0\xd0!\xf9\4\1\0\0\1\0,\0\0\0\0\3\0\2\0\0\2\3D\2\5\0;"s);
  gif.add("GIF87a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\x40\2\2D\1\0;"s);
  for (const int bits : {1, 4, 8, 24, 32}) bitmaps.add(bmp(bits));
  add_collected(jpeg, data, ".jpg");
  add_collected(png, data, ".png");
  add_collected(gif, data, ".gif");
  add_collected(bitmaps, data, ".bmp");
  Seeds exif(folder, "exif");
  exif.add("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\6\0\0\0\0\0\0"s);
  exif.add("II*\0\x08\0\0\0\2\0\x0f\1\2\0\1\0\0\0A\0\0\0\x12\1\3\0\1\0\0\0\3\0\0\0\0\0\0\0"s);
}

void write_records(const fs::path& folder, const fs::path& golden) {
  Seeds records(folder, "record"), examples(folder, "example"), inflate(folder, "inflate");
  for (const char* name : {"plain.tfrecord", "empty_payload.tfrecord", "encodings.tfrecord"}) {
    records.add_file(golden / "tfrecords" / name);
    const RecordFile file(golden / "tfrecords" / name);
    for (std::int64_t i = 0; i < std::min<std::int64_t>(file.size(), 20); ++i)
      examples.add(file.read(i).payload);
  }
  examples.add(serialize_example({{"image/encoded", bytes_feature("pixels")},
                                  {"image/format", bytes_feature("raw")},
                                  {"image/class/label", integer_feature(3)},
                                  {"image/object/bbox/xmin", std::vector<float>{0.25F, 0.5F}}}));
  for (const char* name : {"gzip.tfrecord.gz", "no_records.tfrecord.gz", "zlib.tfrecord.zlib"})
    inflate.add_file(golden / "tfrecords" / name);
}

void write_files(const fs::path& folder) {
  Seeds index(folder, "index_file"), labels(folder, "labels"), idx(folder, "idx"), cifar(folder, "cifar");
  const fs::path file = folder / "index";
  save_indexes(file, {{"a.tfrecord", {.stamp = {.bytes = 48, .changed_ns = 5}, .offsets = {0, 16, 48}}},
                      {"b", {.stamp = {}, .offsets = {0}}}});
  index.add_file(file);
  fs::remove(file);
  labels.add("0:cat\n1:dog: a friend\r\n\n3:\n");
  idx.add("\0\0\x08\x01\0\0\0\x02\x05\x06"s);
  idx.add("\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x01\x05\x06\x07\x08"s);
  cifar.add("\1\t");
  Seeds settings(folder, "parameter_file");
  settings.add(
      "# a run\nmodel_name=lenet\n--batch_size = "
      "32\nlearning_rate=\"0.5\"\nuse_fp16=True\ntrain_files=a,b\n");
}

/// The form of bundle_index that carries right checksums: 'e', then each key and value behind its length.
std::string entry_list(const std::map<std::string, std::string>& entries) {
  std::string list = "e";
  for (const auto& [key, value] : entries)
    for (const std::string& text : {key, value}) list += static_cast<char>(text.size()) + text;
  return list;
}

void write_bundles(const fs::path& folder, const fs::path& golden) {
  Seeds index(folder, "bundle_index"), data(folder, "bundle_data");
  for (const char* name : {"small_v2", "partitioned_v2"})
    for (const auto& file : fs::directory_iterator(golden / "checkpoints" / name)) {
      if (file.path().extension() != ".index") continue;
      index.add_file(file.path());
      index.add(entry_list(index_entries(fs::path(file.path()).replace_extension())));
    }
  data.add("\1\2\3\2\0\4\1"s + std::string(24, 'x'));
  data.add("\x09\1\2\1\x08\1"s + std::string(17, 'y'));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: fuzz_seeds FOLDER GOLDEN DATA\n", stderr);
    return 2;
  }
  const fs::path folder = argv[1], golden = argv[2], data = argv[3];
  fs::create_directories(folder);
  write_images(folder, golden, data);
  write_records(folder, golden);
  write_files(folder);
  write_bundles(folder, golden);
  return 0;
}

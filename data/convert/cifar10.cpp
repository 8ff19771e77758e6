#include "data/convert/cifar10.h"

#include <algorithm>
#include <string>

#include "data/convert/class_folders.h"
#include "data/datasets/dataset_table.h"
#include "data/datasets/file_list.h"
#include "data/datasets/image_folder.h"
#include "data/images/decode.h"
#include "data/images/png.h"
#include "data/records/example.h"
#include "data/records/mapped_file.h"
#include "engine/base/error.h"

namespace fastnn {
namespace fs = std::filesystem;
namespace {

constexpr int kSide = 32;
constexpr std::size_t kPlane = kSide * kSide;
constexpr std::size_t kRecordBytes = 1 + 3 * kPlane;

std::string png_record(const Image& image, std::int64_t label) {
  return serialize_image_record(
      {.encoded = encode_png(image), .format = "png", .label = label, .height = kSide, .width = kSide});
}

/// Some files of the binary version, as one list of records.
class Batches {
 public:
  Batches(const fs::path& folder, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (!fs::is_regular_file(folder / name))
        throw InputError(
            "[cifar10] {} is not in {}, which holds {}; expected is the binary version (*.bin; the files of the python version are not read), or the folders train and test of class folders",
            name, folder.string(), describe_folder(folder));
      files_.emplace_back(folder / name);
      const std::size_t bytes = files_.back().bytes().size();
      if (bytes == 0 || bytes % kRecordBytes != 0)
        throw InputError("[cifar10] {} must be of records of {} bytes, but has {} bytes",
                         files_.back().path().string(), kRecordBytes, bytes);
      count_ += std::int64_t(bytes / kRecordBytes);
    }
  }

  std::int64_t count() const { return count_; }

  std::string record(std::int64_t sample) const {
    auto file = files_.begin();
    auto index = std::size_t(sample);
    for (; index >= file->bytes().size() / kRecordBytes; ++file) index -= file->bytes().size() / kRecordBytes;
    const auto bytes = file->bytes().subspan(index * kRecordBytes, kRecordBytes);
    const int label = std::to_integer<int>(bytes[0]);
    if (label > 9)
      throw InputError("[cifar10] {}, record {}, byte {}: expected a label of 0 to 9, got {}",
                       file->path().string(), index, index * kRecordBytes, label);
    Image image(kSide, kSide, 3);
    for (std::size_t i = 0; i < 3 * kPlane; ++i)
      image.pixels()[i % kPlane * 3 + i / kPlane] = std::to_integer<std::uint8_t>(bytes[1 + i]);
    return png_record(image, label);
  }

 private:
  std::vector<MappedFile> files_;
  std::int64_t count_ = 0;
};

/// The image files of one split, in an order of the seed.
class Files {
 public:
  Files(const fs::path& folder, std::uint64_t seed, Log& log)
      : source_(folder, names(), log), order_(shuffled_order(source_.size(), seed)) {}

  std::int64_t count() const { return source_.size(); }

  std::string record(std::int64_t sample) {
    const Record file = source_.read(order_[std::size_t(sample)], room_);
    const Example example(file.payload, file.origin);
    try {
      const Image image = decode_image(example.bytes("image/encoded"));
      if (image.height() != kSide || image.width() != kSide)
        throw InputError("expected {0} x {0} pixels, got {1} x {2}", kSide, image.height(), image.width());
      return png_record(image, example.integer("image/class/label"));
    } catch (const InputError& error) {
      throw InputError("[cifar10] {}: {}", file.origin.file, error.what());
    }
  }

 private:
  static std::vector<std::string> names() {
    const auto classes = find_dataset("cifar10")->class_names;
    return {classes.begin(), classes.end()};
  }

  ImageFolder source_;
  std::vector<std::int64_t> order_;
  std::vector<std::byte> room_;
};

template <class Source>
std::vector<WrittenFile> write(Source train, Source test, const ConvertOptions& options,
                               const WriteProgress& progress) {
  const DatasetInfo& info = *find_dataset("cifar10");
  const RecordFilePlan plans[] = {
      {std::string(info.train.files), train.count(), [&](std::int64_t i) { return train.record(i); }},
      {std::string(info.test.files), test.count(), [&](std::int64_t i) { return test.record(i); }},
  };
  return write_record_files(options.output_dir, plans, info.class_names, progress);
}

}  // namespace

std::vector<WrittenFile> convert_cifar10(const ConvertOptions& options, const WriteProgress& progress,
                                         Log& log) {
  const fs::path& input = options.input_dir;
  if (is_image_folder(input / "train") && is_image_folder(input / "test"))
    return write(Files(input / "train", options.seed, log), Files(input / "test", options.seed, log), options,
                 progress);
  const fs::path below = input / "cifar-10-batches-bin";
  const fs::path folder = fs::is_directory(below) ? below : input;
  return write(Batches(folder, {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                "data_batch_4.bin", "data_batch_5.bin"}),
               Batches(folder, {"test_batch.bin"}), options, progress);
}

}  // namespace fastnn

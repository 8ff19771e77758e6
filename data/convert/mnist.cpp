#include "data/convert/mnist.h"

#include <algorithm>
#include <string>

#include "data/convert/idx.h"
#include "data/datasets/dataset_table.h"
#include "data/datasets/file_list.h"
#include "data/images/png.h"
#include "engine/base/error.h"

namespace fastnn {
namespace fs = std::filesystem;
namespace {

fs::path find_file(const fs::path& folder, const std::string& name) {
  for (const fs::path& path : {folder / name, folder / (name + ".gz")})
    if (fs::is_regular_file(path)) return path;
  throw InputError("[mnist] neither {0} nor {0}.gz is in {1}, which holds {2}", name, folder.string(),
                   describe_folder(folder));
}

/// One half of MNIST: images and their labels, read side by side.
class Digits {
 public:
  Digits(const fs::path& folder, const std::string& stem)
      : images_(find_file(folder, stem + "-images-idx3-ubyte"), 3),
        labels_(find_file(folder, stem + "-labels-idx1-ubyte"), 1) {
    if (images_.items() != labels_.items())
      throw InputError(
          "[mnist] as many labels as images are expected: {} holds {} images, {} holds {} labels",
          images_.path().string(), images_.items(), labels_.path().string(), labels_.items());
  }

  std::int64_t count() const { return images_.items(); }

  std::string next_record() {
    const int label = labels_.next()[0];
    ++read_;
    if (label > 9)
      throw InputError("[mnist] {}, item {}: expected a label of 0 to 9, got {}", labels_.path().string(),
                       read_ - 1, label);
    Image image(static_cast<int>(images_.extents()[1]), static_cast<int>(images_.extents()[2]), 1);
    std::ranges::copy(images_.next(), image.pixels().begin());
    if (read_ == count()) {
      images_.finish();
      labels_.finish();
    }
    return serialize_image_record({.encoded = encode_png(image),
                                   .format = "png",
                                   .label = label,
                                   .height = image.height(),
                                   .width = image.width()});
  }

 private:
  IdxReader images_;
  IdxReader labels_;
  std::int64_t read_ = 0;
};

}  // namespace

std::vector<WrittenFile> convert_mnist(const ConvertOptions& options, const WriteProgress& progress, Log&) {
  const DatasetInfo& info = *find_dataset("mnist");
  Digits train(options.input_dir, "train");
  Digits test(options.input_dir, "t10k");
  const RecordFilePlan plans[] = {
      {std::string(info.train.files), train.count(), [&](std::int64_t) { return train.next_record(); }},
      {std::string(info.test.files), test.count(), [&](std::int64_t) { return test.next_record(); }},
  };
  return write_record_files(options.output_dir, plans, info.class_names, progress);
}

}  // namespace fastnn

#include "data/convert/class_folders.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <utility>

#include "data/convert/conversion_plan.h"
#include "data/convert/parallel.h"
#include "data/datasets/class_names.h"
#include "data/datasets/image_folder.h"
#include "data/images/decode.h"
#include "data/records/example.h"
#include "data/records/record_writer.h"
#include "engine/base/error.h"
#include "engine/base/file_kind.h"

namespace fastnn {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kProgressStep = 50;
constexpr int kMostShards = 99'999;

/// One record file to write, of images of one source.
struct Shard {
  std::string name;
  const ImageFolder* source = nullptr;
  std::vector<std::int64_t> images;
};

/// The folder of the split that is not "train"; empty if there is none.
fs::path second_split(const fs::path& folder) {
  for (const char* name : {"validation", "test"})
    if (is_image_folder(folder / name)) return folder / name;
  return {};
}

bool has_splits(const fs::path& folder) {
  return is_image_folder(folder / "train") && !second_split(folder).empty();
}

std::string_view format_of(std::span<const std::byte> encoded) {
  switch (kind_of_bytes(encoded.first(std::min(encoded.size(), kFileKindBytes)), encoded.size())) {
    case FileKind::png:
      return "png";
    case FileKind::gif:
      return "gif";
    case FileKind::bmp:
      return "bmp";
    default:
      return "jpg";
  }
}

/// The record of TF-Slim's layout for an image file that was read as an Example.
std::string record_of(const Record& file) {
  const Example example(file.payload, file.origin);
  const auto encoded = example.bytes("image/encoded");
  try {
    const Image image = decode_image(encoded);
    return serialize_image_record({.encoded = encoded,
                                   .format = format_of(encoded),
                                   .label = example.integer("image/class/label"),
                                   .height = image.height(),
                                   .width = image.width()});
  } catch (const InputError& error) {
    throw InputError("[convert] {} cannot be decoded: {}", file.origin.file, error.what());
  }
}

class Conversion {
 public:
  Conversion(std::string_view name, const ConvertOptions& options, const WriteProgress& progress, Log& log)
      : name_(name), options_(options), progress_(progress), log_(log) {
    if (options.shards < 1 || options.shards > kMostShards)
      throw UsageError("[convert] shards must be 1 to {}, got {}", kMostShards, options.shards);
    if (name_.empty() || name_.find('/') != name_.npos)
      throw UsageError("[convert] dataset_name begins the names of files; \"{}\" cannot", name);
    if (has_splits(options.input_dir))
      plan_given_splits();
    else
      plan_drawn_splits();
    for (const Shard& shard : shards_) total_ += std::int64_t(shard.images.size());
  }

  std::vector<WrittenFile> run() {
    std::vector<std::string> names;
    for (const Shard& shard : shards_) names.push_back(shard.name);
    const ConversionPlan plan(name_, options_, names);
    std::vector<WrittenFile> files(shards_.size());
    parallel_for(std::int64_t(shards_.size()), options_.threads, [&](std::int64_t i) {
      const Shard& shard = shards_[std::size_t(i)];
      const std::optional<WrittenFile> whole = plan.find_whole(shard.name);
      files[std::size_t(i)] = whole ? keep(*whole, shard) : write(shard);
    });
    finish(files);
    return files;
  }

 private:
  void plan_given_splits() {
    if (options_.validation_samples > 0)
      throw UsageError(
          "[convert] {} has a folder of its own for validation: validation_samples must be 0, got {}",
          options_.input_dir.string(), options_.validation_samples);
    const fs::path train = options_.input_dir / "train", second = second_split(options_.input_dir);
    class_names_ = class_folders(train);
    for (const fs::path& folder : {train, second}) {
      sources_.push_back(std::make_unique<ImageFolder>(folder, class_names_, log_));
      add_shards(folder.filename().string(), *sources_.back(),
                 shuffled_order(sources_.back()->size(), options_.seed));
    }
  }

  void plan_drawn_splits() {
    class_names_ = class_folders(options_.input_dir);
    sources_.push_back(std::make_unique<ImageFolder>(options_.input_dir, class_names_, log_));
    const ImageFolder& source = *sources_.back();
    if (options_.validation_samples >= source.size())
      throw UsageError("[convert] validation_samples must leave images to train on: got {} of {} images",
                       options_.validation_samples, source.size());
    const std::vector<std::int64_t> order = shuffled_order(source.size(), options_.seed);
    const auto middle = order.begin() + options_.validation_samples;
    add_shards("train", source, {middle, order.end()});
    add_shards("validation", source, {order.begin(), middle});
  }

  void add_shards(const std::string& split, const ImageFolder& source,
                  const std::vector<std::int64_t>& images) {
    const auto count = std::min<std::int64_t>(options_.shards, std::int64_t(images.size()));
    for (std::int64_t i = 0; i < count; ++i) {
      const auto begin = images.begin() + std::int64_t(images.size()) * i / count;
      const auto end = images.begin() + std::int64_t(images.size()) * (i + 1) / count;
      shards_.push_back(
          {fmt::format("{}_{}_{:05}-of-{:05}.tfrecord", name_, split, i, count), &source, {begin, end}});
    }
  }

  WrittenFile keep(const WrittenFile& file, const Shard& shard) {
    log_.info(fmt::format("{} is complete ({} records); it is kept", file.path.string(), file.records));
    add_done(std::int64_t(shard.images.size()));
    return file;
  }

  WrittenFile write(const Shard& shard) {
    RecordWriter writer(options_.output_dir / shard.name);
    std::vector<std::byte> room;
    for (const std::int64_t image : shard.images) {
      if (has_failed_) return {};
      try {
        writer.write(record_of(shard.source->read(image, room)));
      } catch (const InputError& error) {
        skip_or_throw(error);
      }
      add_done(1);
    }
    writer.close();
    const fs::path path = options_.output_dir / shard.name;
    return {path, writer.records(), std::int64_t(fs::file_size(path))};
  }

  void skip_or_throw(const InputError& error) {
    if (options_.bad_images == ConvertOptions::BadImages::fail) {
      has_failed_ = true;
      throw InputError("{}; repair or remove it, or skip such images (--skip_bad=true)", error.what());
    }
    log_.warning(fmt::format("{}; it is left out", error.what()));
    ++skipped_;
  }

  void add_done(std::int64_t images) {
    const std::lock_guard lock(progress_mutex_);
    const bool is_step = (done_ + images) / kProgressStep > done_ / kProgressStep;
    done_ += images;
    if (progress_ && (is_step || done_ == total_)) progress_(done_, total_);
  }

  void finish(const std::vector<WrittenFile>& files) {
    if (skipped_ > 0)
      log_.warning(fmt::format("[convert] {} of {} images could not be decoded and are left out",
                               skipped_.load(), total_));
    if (std::ranges::all_of(files, [](const WrittenFile& file) { return file.records == 0; }))
      throw InputError("[convert] no image of {} can be decoded", options_.input_dir.string());
    const std::vector<std::string_view> names(class_names_.begin(), class_names_.end());
    write_class_names(options_.output_dir / kClassNamesFile, names);
  }

  std::string name_;
  const ConvertOptions& options_;
  const WriteProgress& progress_;
  Log& log_;
  std::vector<std::string> class_names_;
  std::vector<std::unique_ptr<ImageFolder>> sources_;
  std::vector<Shard> shards_;
  std::int64_t total_ = 0;
  std::mutex progress_mutex_;
  std::int64_t done_ = 0;
  std::atomic<std::int64_t> skipped_ = 0;
  /// One image has ended the conversion: the other threads need not finish their shards.
  std::atomic<bool> has_failed_ = false;
};

}  // namespace

std::vector<std::int64_t> shuffled_order(std::int64_t count, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::mt19937_64 random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

bool holds_class_folders(const fs::path& folder) {
  return is_image_folder(folder) || has_splits(folder);
}

std::vector<WrittenFile> convert_class_folders(std::string_view name, const ConvertOptions& options,
                                               const WriteProgress& progress, Log& log) {
  return Conversion(name, options, progress, log).run();
}

}  // namespace fastnn

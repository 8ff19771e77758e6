#include "tools/fastnn_data/inspect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <tuple>

#include "data/images/encoded_image.h"
#include "data/records/example.h"
#include "engine/base/error.h"

namespace fastnn::tools {
namespace {

struct FeatureCount {
  std::set<std::string_view> kinds;
  std::int64_t records = 0;
  /// File and record of the example.
  std::pair<std::size_t, std::int64_t> place{};
  std::int64_t values = 0, bytes = 0;
};

std::pair<std::int64_t, std::int64_t> size_of(const Example& example, std::string_view key) {
  switch (example.kind(key)) {
    case FeatureKind::bytes: {
      const auto list = example.bytes_list(key);
      std::int64_t bytes = 0;
      for (const auto& value : list) bytes += std::int64_t(value.size());
      return {std::int64_t(list.size()), bytes};
    }
    case FeatureKind::real: {
      const auto count = std::int64_t(example.reals(key).size());
      return {count, 4 * count};
    }
    case FeatureKind::integer: {
      const auto count = std::int64_t(example.integers(key).size());
      return {count, 8 * count};
    }
    case FeatureKind::none:
      break;
  }
  return {};
}

Spread spread_of(std::vector<std::int64_t>& values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  return {values.front(), values[(values.size() - 1) / 2], values.back()};
}

/// Takes records from several threads.
class Collector {
 public:
  void add(const OpenedFile& file, std::pair<std::size_t, std::int64_t> place) {
    try {
      const Record record = file.records->read(place.second);
      const Example example(record.payload, record.origin);
      const std::lock_guard lock(mutex_);
      add_features(example, place);
      add_label(example);
      add_image(example);
    } catch (const InputError&) {
      const std::lock_guard lock(mutex_);
      ++inspection_.bad_records;
    }
  }

  Inspection finish() {
    for (const auto& [key, count] : features_)
      inspection_.features[key] = {fmt::format("{}", fmt::join(count.kinds, "/")), count.records,
                                   count.values, count.bytes};
    inspection_.image_bytes = spread_of(image_bytes_);
    inspection_.heights = spread_of(heights_);
    inspection_.widths = spread_of(widths_);
    return std::move(inspection_);
  }

 private:
  void add_features(const Example& example, std::pair<std::size_t, std::int64_t> place) {
    for (const std::string_view key : example.keys()) {
      FeatureCount& count = features_[std::string(key)];
      count.kinds.insert(name_of(example.kind(key)));
      if (count.records++ > 0 && count.place < place) continue;
      count.place = place;
      std::tie(count.values, count.bytes) = size_of(example, key);
    }
  }

  void add_label(const Example& example) {
    if (example.kind("image/class/label") != FeatureKind::integer) return;
    for (const std::int64_t label : example.integers("image/class/label")) ++inspection_.labels[label];
  }

  void add_image(const Example& example) {
    if (example.kind("image/encoded") != FeatureKind::bytes) return;
    for (const auto encoded : example.bytes_list("image/encoded")) {
      image_bytes_.push_back(std::int64_t(encoded.size()));
      try {
        const ImageInfo info = EncodedImage(encoded, {}).info();
        ++inspection_.formats[std::string(info.format)];
        heights_.push_back(info.height);
        widths_.push_back(info.width);
      } catch (const InputError&) {
        ++inspection_.formats[is_raw(example) ? "raw" : "unknown"];
      }
    }
  }

  static bool is_raw(const Example& example) {
    if (example.kind("image/format") != FeatureKind::bytes) return false;
    const auto format = example.bytes_list("image/format");
    return format.size() == 1 &&
           std::string_view(reinterpret_cast<const char*>(format[0].data()), format[0].size()) == "raw";
  }

  std::mutex mutex_;
  Inspection inspection_;
  std::map<std::string, FeatureCount> features_;
  std::vector<std::int64_t> image_bytes_, heights_, widths_;
};

}  // namespace

Inspection inspect_files(const std::vector<std::filesystem::path>& paths, int threads, Log& log) {
  const OpenedFiles opened(paths, threads, log);
  if (opened.records() == 0)
    throw InputError("[inspect] no records in {} files: {}", paths.size(),
                     opened.files().front().fault.empty() ? "they are empty" : opened.files().front().fault);
  Collector collector;
  opened.visit(threads, {}, [&](std::size_t file, std::int64_t record) {
    collector.add(opened.files()[file], {file, record});
  });
  Inspection inspection = collector.finish();
  inspection.files = std::int64_t(paths.size());
  inspection.records = opened.records();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const OpenedFile& file = opened.files()[i];
    inspection.bytes += std::int64_t(std::filesystem::file_size(paths[i]));
    if (inspection.class_names.empty()) inspection.class_names = file.class_names;
    if (file.fault.empty()) continue;
    ++inspection.bad_files;
    log.warning(file.fault);
  }
  return inspection;
}

}  // namespace fastnn::tools

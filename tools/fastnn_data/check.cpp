#include "tools/fastnn_data/check.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

#include "data/datasets/image_example.h"
#include "data/images/decode.h"
#include "data/records/example.h"
#include "engine/base/error.h"

namespace fastnn::tools {
namespace {

void check_label(std::int64_t label, std::int64_t classes) {
  if (label >= 0 && (classes == 0 || label < classes)) return;
  if (classes > 0) throw InputError("expected a label of 0 to {}, got {}", classes - 1, label);
  throw InputError("expected a label of 0 or more, got {}", label);
}

void check_extent(const Example& example, std::string_view key, int extent) {
  if (!example.contains(key)) return;
  const std::int64_t stored = example.integer(key);
  if (stored != extent) throw InputError("{} is {}, but the image has {}", key, stored, extent);
}

void check_record(const Record& record, std::int64_t classes) {
  const Example example(record.payload, record.origin);
  const ImageSchema schema;
  const ImageExample image = parse_image_example(example, schema);
  check_label(image.label, classes);
  const Image pixels = image.format == "raw" ? raw_image(example, schema, image.encoded, record.origin)
                                             : decode_image(image.encoded);
  check_extent(example, "image/height", pixels.height());
  check_extent(example, "image/width", pixels.width());
}

/// The message without the place it names: a fault says that itself.
std::string reason_of(std::string message, const std::string& place) {
  for (const char* before : {"; at ", "; in ", " in "})
    if (const auto at = message.find(before + place); at != message.npos)
      return message.erase(at, std::string_view(before).size() + place.size());
  return message;
}

std::int64_t classes_of(const OpenedFile& file, const CheckOptions& options) {
  return options.num_classes > 0 ? options.num_classes : std::int64_t(file.class_names.size());
}

}  // namespace

CheckResult check_files(const std::vector<std::filesystem::path>& paths, const CheckOptions& options,
                        Log& log, const RecordProgress& progress) {
  const OpenedFiles opened(paths, options.threads, log);
  CheckResult result{.files = std::int64_t(paths.size()), .records = opened.records(), .faults = {}};
  std::mutex mutex;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (const OpenedFile& file = opened.files()[i]; !file.fault.empty()) {
      const std::string path = paths[i].string();
      const RecordOrigin origin{path, file.lost_record, file.lost_byte};
      result.faults.push_back({path, origin.record, origin.byte, reason_of(file.fault, origin.text())});
    }
  }
  opened.visit(options.threads, progress, [&](std::size_t index, std::int64_t number) {
    const OpenedFile& file = opened.files()[index];
    try {
      check_record(file.records->read(number), classes_of(file, options));
    } catch (const InputError& error) {
      const RecordOrigin origin = file.records->origin(number);
      const std::lock_guard lock(mutex);
      result.faults.push_back(
          {paths[index].string(), number, origin.byte, reason_of(error.what(), origin.text())});
    }
  });
  std::ranges::sort(result.faults, [](const Fault& a, const Fault& b) {
    return std::tie(a.file, a.record) < std::tie(b.file, b.record);
  });
  return result;
}

}  // namespace fastnn::tools

#include "data/convert/image_record.h"

#include <memory>
#include <numeric>

#include "data/datasets/class_names.h"
#include "data/records/example_writer.h"
#include "data/records/record_writer.h"
#include "engine/base/error.h"

namespace fastnn {
namespace fs = std::filesystem;
namespace {

/// Samples between two calls of the progress function.
constexpr std::int64_t kProgressStep = 500;

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw EnvironmentError("[convert] the output folder {} cannot be made: {}", folder.string(),
                           error.message());
}

}  // namespace

std::string serialize_image_record(const ImageRecord& record) {
  const auto* encoded = reinterpret_cast<const char*>(record.encoded.data());
  return serialize_example({{"image/class/label", integer_feature(record.label)},
                            {"image/encoded", bytes_feature({encoded, record.encoded.size()})},
                            {"image/format", bytes_feature(std::string(record.format))},
                            {"image/height", integer_feature(record.height)},
                            {"image/width", integer_feature(record.width)}});
}

std::vector<WrittenFile> write_record_files(const fs::path& folder, std::span<const RecordFilePlan> plans,
                                            std::span<const std::string_view> class_names,
                                            const WriteProgress& progress) {
  make_folder(folder);
  const std::int64_t total =
      std::accumulate(plans.begin(), plans.end(), std::int64_t{0},
                      [](std::int64_t sum, const RecordFilePlan& plan) { return sum + plan.samples; });
  std::vector<std::unique_ptr<RecordWriter>> writers;
  std::int64_t done = 0;
  for (const RecordFilePlan& plan : plans) {
    writers.push_back(std::make_unique<RecordWriter>(folder / plan.name));
    for (std::int64_t sample = 0; sample < plan.samples; ++sample) {
      writers.back()->write(plan.payload(sample));
      if (++done; progress && (done % kProgressStep == 0 || done == total)) progress(done, total);
    }
  }
  write_class_names(folder / kClassNamesFile, class_names);
  std::vector<WrittenFile> files;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    writers[i]->close();
    const fs::path path = folder / plans[i].name;
    files.push_back({path, writers[i]->records(), static_cast<std::int64_t>(fs::file_size(path))});
  }
  return files;
}

}  // namespace fastnn

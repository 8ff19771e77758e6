#include "data/convert/conversion_plan.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "data/records/cache_folder.h"
#include "data/records/pending_file.h"
#include "data/records/record_file.h"
#include "engine/base/error.h"

namespace fastnn {
namespace fs = std::filesystem;
namespace {

/// All files below a folder with their sizes and times, a line each, sorted.
std::string listing_of(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> lines;
  const auto options = fs::directory_options::follow_directory_symlink;
  for (fs::recursive_directory_iterator entry(folder, options, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->is_regular_file()) continue;
    const FileStamp stamp = stamp_of(entry->path());
    lines.push_back(fmt::format("{} {} {}\n", entry->path().lexically_relative(folder).string(), stamp.bytes,
                                stamp.changed_ns));
  }
  if (error)
    throw EnvironmentError("[convert] the folder {} cannot be read: {}", folder.string(), error.message());
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string describe(const ConvertOptions& options) {
  return fmt::format("shards {}\nvalidation_samples {}\nseed {}\nskip_bad {}\nfiles {}\n", options.shards,
                     options.validation_samples, options.seed,
                     options.bad_images == ConvertOptions::BadImages::skip,
                     short_name_of(listing_of(options.input_dir)));
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw EnvironmentError("[convert] the output folder {} cannot be made: {}", folder.string(),
                           error.message());
}

void refuse_other_files(const fs::path& folder, const std::string& name,
                        std::span<const std::string> file_names) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    const bool is_shard = std::ranges::any_of(
        std::vector<std::string>{"train", "validation", "test"},
        [&](const std::string& split) { return file.starts_with(fmt::format("{}_{}_", name, split)); });
    if (is_shard && std::ranges::find(file_names, file) == file_names.end())
      throw UsageError(
          "[convert] {} is no part of this conversion, but would be read with it; remove it, or choose another output_dir",
          entry.path().string());
  }
}

/// What a run that was killed had not finished (PendingFile's temporary names).
void remove_unfinished(const fs::path& folder, std::span<const std::string> file_names) {
  std::vector<fs::path> unfinished;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (file.ends_with(".writing") && std::ranges::any_of(file_names, [&](const std::string& name) {
          return file.starts_with("." + name + ".");
        }))
      unfinished.push_back(entry.path());
  }
  for (const fs::path& path : unfinished) fs::remove(path);
}

}  // namespace

ConversionPlan::ConversionPlan(const std::string& name, const ConvertOptions& options,
                               std::span<const std::string> file_names)
    : folder_(options.output_dir) {
  make_folder(folder_);
  refuse_other_files(folder_, name, file_names);
  remove_unfinished(folder_, file_names);
  const fs::path file = folder_ / fmt::format(".{}-conversion", name);
  const std::string description = describe(options);
  if (content_of(file) == description) return;
  for (const std::string& old : file_names) fs::remove(folder_ / old);
  PendingFile pending(file);
  pending.append(description);
  pending.commit();
}

std::optional<WrittenFile> ConversionPlan::find_whole(const std::string& file_name) const {
  const fs::path path = folder_ / file_name;
  if (!fs::is_regular_file(path)) return std::nullopt;
  try {
    return WrittenFile{path, RecordFile(path).size(), std::int64_t(fs::file_size(path))};
  } catch (const InputError&) {
    return std::nullopt;  // written again
  }
}

}  // namespace fastnn

#include "tools/fastnn_data/record_files.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "data/convert/parallel.h"
#include "data/datasets/class_names.h"
#include "data/datasets/file_list.h"
#include "data/records/inflate.h"
#include "engine/base/error.h"

namespace fastnn::tools {
namespace fs = std::filesystem;
namespace {

/// Records that a thread takes at a time.
constexpr std::int64_t kBlock = 64;

fs::path make_scratch_folder() {
  std::string pattern = (fs::temp_directory_path() / "fastnn-data-XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    throw EnvironmentError("[records] no temporary folder can be made in {}",
                           fs::temp_directory_path().string());
  return pattern;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void read_names(const std::vector<fs::path>& paths, std::vector<OpenedFile>& files) {
  std::map<fs::path, std::vector<std::string>> names;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const fs::path list = folder_of(paths[i]) / kClassNamesFile;
    if (!names.contains(list) && fs::is_regular_file(list)) names[list] = read_class_names(list);
    if (names.contains(list)) files[i].class_names = names[list];
  }
}

}  // namespace

std::vector<fs::path> list_record_files(std::string_view list, Log& log) {
  return list_files({}, list, "files", log);
}

OpenedFiles::OpenedFiles(const std::vector<fs::path>& paths, int threads, Log& log)
    : paths_(paths), scratch_(make_scratch_folder()), files_(paths.size()) {
  parallel_for(std::int64_t(paths.size()), threads,
               [&](std::int64_t i) { files_[std::size_t(i)] = open(paths[std::size_t(i)]); });
  read_names(paths, files_);
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto& records = files_[i].records;
    first_records_.push_back(first_records_.back() + (records ? records->size() : 0));
    if (records && records->size() == 0 && files_[i].fault.empty())
      log.warning(fmt::format("[records] {} holds no records", paths[i].string()));
  }
}

OpenedFiles::~OpenedFiles() {
  std::error_code ignored;
  fs::remove_all(scratch_, ignored);
}

OpenedFile OpenedFiles::open(const fs::path& path) const {
  OpenedFile opened;
  std::vector<std::int64_t> offsets;
  try {
    MappedFile file(path);
    if (!starts_with_record(file.bytes()) && is_compressed(file.bytes())) {
      const fs::path copy = scratch_ / fmt::format("{:016x}", std::hash<std::string>{}(path.string()));
      inflate_to_file(file.bytes(), path, copy);
      file = MappedFile(copy);
    }
    try {
      scan_records(file.bytes(), path, offsets);
    } catch (const InputError& error) {
      opened.fault = error.what();
      opened.lost_record = std::int64_t(offsets.size()) - 1;
      opened.lost_byte = offsets.back();
    }
    opened.records.emplace(path, std::move(file), std::move(offsets));
  } catch (const InputError& error) {
    opened.fault = error.what();
  }
  return opened;
}

OpenedFiles::Location OpenedFiles::locate(std::int64_t record) const {
  const auto after = std::ranges::upper_bound(first_records_, record);
  const auto file = std::size_t(after - first_records_.begin()) - 1;
  return {file, record - first_records_[file]};
}

void OpenedFiles::visit(int threads, const RecordProgress& progress,
                        const std::function<void(std::size_t, std::int64_t)>& visit) const {
  std::mutex mutex;
  std::int64_t done = 0;
  parallel_for((records() + kBlock - 1) / kBlock, threads, [&](std::int64_t block) {
    const std::int64_t begin = block * kBlock, end = std::min(begin + kBlock, records());
    for (std::int64_t i = begin; i < end; ++i) {
      const Location at = locate(i);
      visit(at.file, at.record);
    }
    const std::lock_guard lock(mutex);
    done += end - begin;
    if (progress) progress(done, records());
  });
}

}  // namespace fastnn::tools

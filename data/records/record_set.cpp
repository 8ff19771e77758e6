#include "data/records/record_set.h"

#include <algorithm>
#include <string>
#include <utility>

#include "data/records/file_scan.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

constexpr std::size_t kMostFilesInMessage = 8;

std::string list_of(const std::vector<std::filesystem::path>& files) {
  std::string text;
  for (std::size_t i = 0; i < std::min(files.size(), kMostFilesInMessage); ++i)
    text += (i == 0 ? "" : ", ") + files[i].string();
  if (files.size() > kMostFilesInMessage)
    text += fmt::format(", {} more", files.size() - kMostFilesInMessage);
  return text;
}

double megabytes(std::int64_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}

}  // namespace

RecordSet::RecordSet(const std::vector<std::filesystem::path>& files, const Options& options, Log& log) {
  if (files.empty())
    throw InputError("[records] expected one or more TFRecord files; none were given; check the file names");
  add(open_record_files(files, options, log), log);
  if (size() == 0)
    throw InputError("[records] expected records; none are in the {} files given: {}", files.size(),
                     list_of(files));
  if (options.cache_bytes > 0) cache_ = std::make_unique<RecordCache>(size(), options.cache_bytes);
  log.info(fmt::format(
      "{} records in {} files, {:.1f} MB of payload; in memory at most {:.1f} MB of index, {:.1f} MB of records",
      size(), files.size(), megabytes(payload_bytes()), megabytes(index_bytes()),
      megabytes(std::min(options.cache_bytes, payload_bytes()))));
}

void RecordSet::add(std::vector<RecordFile> files, Log& log) {
  files_ = std::move(files);
  for (const RecordFile& file : files_) {
    first_records_.push_back(size() + file.size());
    if (file.size() == 0) log.warning(fmt::format("{} holds no records", file.path().string()));
  }
}

std::vector<std::int64_t> RecordSet::records_per_file() const {
  std::vector<std::int64_t> counts;
  for (const RecordFile& file : files_) counts.push_back(file.size());
  return counts;
}

std::int64_t RecordSet::payload_bytes() const {
  std::int64_t bytes = 0;
  for (const RecordFile& file : files_) bytes += file.payload_bytes();
  return bytes;
}

RecordSet::Location RecordSet::locate(std::int64_t record) const {
  if (record < 0 || record >= size())
    throw UsageError("[records] record {} is outside of the set's {} records", record, size());
  const auto next = std::upper_bound(first_records_.begin(), first_records_.end(), record);
  const auto file = static_cast<std::size_t>(next - first_records_.begin() - 1);
  return {.file = files_[file], .record = record - first_records_[file]};
}

RecordOrigin RecordSet::origin(std::int64_t record) const {
  const Location location = locate(record);
  return location.file.origin(location.record);
}

Record RecordSet::read(std::int64_t record) const {
  const Location location = locate(record);
  if (!cache_) return location.file.read(location.record);
  if (const std::byte* kept = cache_->find(record)) {
    const auto length = static_cast<std::size_t>(location.file.reference(location.record).length);
    return {.payload = {kept, length}, .origin = location.file.origin(location.record)};
  }
  Record read = location.file.read(location.record);
  cache_->keep(record, read.payload);
  return read;
}

}  // namespace fastnn

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/records/record_file.h"
#include "engine/base/log.h"

namespace fastnn::tools {

/// Told now and then how many records of how many are done. May be empty. Called by one thread at a time.
using RecordProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// The files of a list (list_files): hidden files and labels.txt of a folder are left out.
std::vector<std::filesystem::path> list_record_files(std::string_view list, Log& log);

/// A file that was opened, as far as it is whole.
struct OpenedFile {
  /// Of those records that can be found; nothing if the file cannot be read at all.
  std::optional<RecordFile> records{};
  /// Why a part or all of it is lost; empty if nothing is.
  std::string fault{};
  /// Number and byte of the first record that is lost.
  std::int64_t lost_record = 0;
  std::int64_t lost_byte = 0;
  /// labels.txt beside the file; empty if there is none.
  std::vector<std::string> class_names{};
};

/// Opens record files on several threads, plain or compressed (those are inflated into the temporary folder
/// of the system while this object lives). No index is read or kept: each header is verified.
class OpenedFiles {
 public:
  /// Throws InputError if a labels.txt is damaged, EnvironmentError if a file cannot be opened or inflated.
  OpenedFiles(const std::vector<std::filesystem::path>& paths, int threads, Log& log);
  ~OpenedFiles();
  OpenedFiles(const OpenedFiles&) = delete;
  OpenedFiles& operator=(const OpenedFiles&) = delete;

  const std::vector<OpenedFile>& files() const { return files_; }
  const std::vector<std::filesystem::path>& paths() const { return paths_; }
  std::int64_t records() const { return first_records_.back(); }

  /// Calls visit(file, record) for each record that was found, on several threads, in no order.
  void visit(int threads, const RecordProgress& progress,
             const std::function<void(std::size_t file, std::int64_t record)>& visit) const;

  struct Location {
    std::size_t file;
    std::int64_t record;
  };
  /// Where a record of all, numbered in the order of the files, is.
  Location locate(std::int64_t record) const;

 private:
  OpenedFile open(const std::filesystem::path& path) const;

  std::vector<std::filesystem::path> paths_;
  std::filesystem::path scratch_;
  std::vector<OpenedFile> files_;
  std::vector<std::int64_t> first_records_{0};
};

}  // namespace fastnn::tools

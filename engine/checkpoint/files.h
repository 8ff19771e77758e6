#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace fastnn {

/// A file open for reading at any position. Reads are thread-safe. Throws InputError if the file is missing
/// or no plain file, EnvironmentError if the system refuses to open or read it.
class ReadFile {
 public:
  explicit ReadFile(std::filesystem::path path);
  ReadFile(ReadFile&& other) noexcept;
  ReadFile& operator=(ReadFile&&) = delete;
  ~ReadFile();

  const std::filesystem::path& path() const { return path_; }
  /// Bytes at the time of opening.
  std::uint64_t size() const { return size_; }
  /// Fills 'bytes' from 'offset' on; InputError if the file ends before.
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const;

 private:
  std::filesystem::path path_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

/// A file written beside its final place, under the final name + kAsideSuffix, until place() puts it there in
/// one step. If it is destroyed before, it is removed and whatever was at the final place is untouched.
/// Every failure of the system is an EnvironmentError that names the file, the bytes wanted and the reason.
class AsideFile {
 public:
  static constexpr std::string_view kAsideSuffix = ".writing";

  /// 'expected_bytes' is how much will be written in all: only for messages.
  AsideFile(std::filesystem::path final_path, std::uint64_t expected_bytes);
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;
  ~AsideFile();

  void append(std::span<const std::byte> bytes);
  /// Returns once the bytes are on the disk.
  void sync();
  /// Renames the file to its final name, replacing what was there.
  void place();

 private:
  [[noreturn]] void fail(const char* doing, int error) const;

  std::filesystem::path final_path_;
  std::filesystem::path aside_path_;
  std::uint64_t expected_bytes_;
  std::uint64_t written_ = 0;
  int descriptor_ = -1;
};

/// A place that gets a new file: the old one, if any, is moved to its name + kReplacedSuffix. Destruction
/// undoes all: the old file moves back, or, if there was none, what was put there since is removed. drop()
/// makes the change last and removes the old file. Throws EnvironmentError if the old file cannot be moved.
class ReplacedFile {
 public:
  static constexpr std::string_view kReplacedSuffix = ".replaced";

  explicit ReplacedFile(std::filesystem::path path);
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;
  ~ReplacedFile();

  void drop();

 private:
  std::filesystem::path path_;
  std::filesystem::path replaced_path_;
  bool moved_ = false;
  bool dropped_ = false;
};

/// Makes the renames done in a folder last through a power cut. Throws EnvironmentError.
void sync_directory(const std::filesystem::path& directory);

/// The folder of a path; "." for a bare name.
std::filesystem::path directory_of(const std::filesystem::path& path);

/// path + suffix, where path / suffix would add a separator.
std::filesystem::path with_suffix(const std::filesystem::path& path, std::string_view suffix);

}  // namespace fastnn

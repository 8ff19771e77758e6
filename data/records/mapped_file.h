#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace fastnn {

/// A whole file, mapped into memory for reading. Holds no file descriptor, so that a data set may have more
/// files than a process may open. Movable. The file must not be shortened while it is mapped: the system
/// kills a process that touches bytes that are gone.
class MappedFile {
 public:
  /// No file, no bytes.
  MappedFile() = default;
  /// Throws InputError if there is no such file or it is a directory, EnvironmentError if it cannot be opened
  /// or mapped (permission, device); both name it.
  explicit MappedFile(std::filesystem::path path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  const std::filesystem::path& path() const { return path_; }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::filesystem::path path_;
  std::span<const std::byte> bytes_;
};

}  // namespace fastnn

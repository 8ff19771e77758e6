#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace fastnn {

/// Reads a file of the IDX format of MNIST, plain or gzip-compressed (told by its content), item by item.
/// Layout: bytes 0, 0, 8 (unsigned bytes), number of dimensions; each extent as uint32 big-endian; the items'
/// bytes. Every error names the file.
class IdxReader {
 public:
  /// Opens the file and reads its header. Throws InputError if it is not there, is no IDX file of bytes with
  /// that many dimensions, ends in its header, or has items of no bytes or more than 16 MiB.
  IdxReader(std::filesystem::path path, int dimensions);

  const std::filesystem::path& path() const { return path_; }
  /// Items the header announces.
  std::int64_t items() const { return extents_.front(); }
  /// All extents, the number of items first.
  const std::vector<std::int64_t>& extents() const { return extents_; }

  /// The next item's bytes, valid until the next call. Throws InputError if the file ends before it (says how
  /// many whole items were there) or its compression is damaged, UsageError after the last item.
  std::span<const std::uint8_t> next();

  /// To be called after the last item: throws InputError if more bytes follow.
  void finish();

 private:
  struct Close {
    void operator()(void* file) const;
  };

  /// Bytes read: fewer than asked for at the end of the file only.
  std::size_t read(std::span<std::uint8_t> target);

  std::filesystem::path path_;
  std::unique_ptr<void, Close> file_;
  std::vector<std::int64_t> extents_;
  std::vector<std::uint8_t> item_;
  std::int64_t next_ = 0;
};

}  // namespace fastnn

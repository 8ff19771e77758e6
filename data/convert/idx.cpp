#include "data/convert/idx.h"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/error.h"

namespace fastnn {
namespace {

constexpr std::int64_t kMostItemBytes = 16 << 20;

std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
         bytes[3];
}

gzFile gz(void* file) {
  return static_cast<gzFile>(file);
}

}  // namespace

void IdxReader::Close::operator()(void* file) const {
  gzclose(gz(file));
}

IdxReader::IdxReader(std::filesystem::path path, int dimensions)
    : path_(std::move(path)), file_(gzopen(path_.c_str(), "rb")) {
  if (!file_) throw InputError("[idx] cannot open {}: {}", path_.string(), std::strerror(errno));
  std::array<std::uint8_t, 4> magic{};
  if (read(magic) < magic.size() || big_endian(magic.data()) != 0x0800U + static_cast<unsigned>(dimensions))
    throw InputError("[idx] {} is no IDX file of bytes in {} dimensions: expected magic {:08x}, got {:08x}",
                     path_.string(), dimensions, 0x0800 + dimensions, big_endian(magic.data()));
  std::int64_t item_bytes = 1;
  for (int d = 0; d < dimensions; ++d) {
    std::array<std::uint8_t, 4> extent{};
    if (read(extent) < extent.size()) throw InputError("[idx] {} ends in its header", path_.string());
    extents_.push_back(big_endian(extent.data()));
    if (d > 0) item_bytes *= extents_.back();
    if (item_bytes < 1 || item_bytes > kMostItemBytes)
      throw InputError("[idx] {}: an item of {} bytes is not believable; 1 to {} are allowed", path_.string(),
                       item_bytes, kMostItemBytes);
  }
  item_.resize(static_cast<std::size_t>(item_bytes));
}

std::size_t IdxReader::read(std::span<std::uint8_t> target) {
  const int count = gzread(gz(file_.get()), target.data(), static_cast<unsigned>(target.size()));
  int error = Z_OK;
  const char* message = gzerror(gz(file_.get()), &error);
  if (count < 0 || (error != Z_OK && error != Z_STREAM_END && error != Z_BUF_ERROR))
    throw InputError("[idx] {} cannot be decompressed after item {}: {}", path_.string(), next_, message);
  return static_cast<std::size_t>(count);
}

std::span<const std::uint8_t> IdxReader::next() {
  if (next_ == items()) throw UsageError("[idx] {} holds {} items; all were read", path_.string(), items());
  if (read(item_) < item_.size())
    throw InputError(
        "[idx] {} is cut short: its header announces {} items of {} bytes, but it ends after {} whole ones",
        path_.string(), items(), item_.size(), next_);
  ++next_;
  return item_;
}

void IdxReader::finish() {
  std::array<std::uint8_t, 1> more{};
  if (read(more) > 0)
    throw InputError("[idx] {} holds more bytes than the {} items its header announces", path_.string(),
                     items());
}

}  // namespace fastnn

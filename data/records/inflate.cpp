#include "data/records/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <vector>

#include "data/records/pending_file.h"
#include "engine/base/error.h"
#include "engine/base/file_kind.h"

namespace fastnn {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 18;
/// The largest window, and gzip or zlib as the header says.
constexpr int kWindowBits = 15 + 32;

/// zlib's state of one stream.
class Inflater {
 public:
  Inflater(std::span<const std::byte> stream, const std::filesystem::path& source)
      : stream_(stream), source_(source) {
    if (::inflateInit2(&state_, kWindowBits) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { ::inflateEnd(&state_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// The next bytes; none at the end.
  std::span<const std::byte> next() {
    std::size_t got = 0;
    while (got == 0 && !ended_) got = step();
    out_bytes_ += static_cast<std::int64_t>(got);
    return {room_.data(), got};
  }

 private:
  std::size_t step() {
    const std::size_t offered =
        std::min<std::size_t>(stream_.size() - used_, std::numeric_limits<uInt>::max());
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(stream_.data() + used_));
    state_.avail_in = static_cast<uInt>(offered);
    state_.next_out = reinterpret_cast<Bytef*>(room_.data());
    state_.avail_out = static_cast<uInt>(room_.size());
    const int status = ::inflate(&state_, Z_NO_FLUSH);
    used_ += offered - state_.avail_in;
    const std::size_t got = room_.size() - state_.avail_out;
    if (status == Z_STREAM_END) return finish_member(), got;
    if (status == Z_BUF_ERROR || (status == Z_OK && used_ == stream_.size() && got == 0))
      fail("it is cut short");
    if (status != Z_OK) fail(state_.msg != nullptr ? state_.msg : "zlib gives no reason");
    return got;
  }

  /// Another gzip member may follow, or zeros that fill a block of a tape.
  void finish_member() {
    const auto rest = stream_.subspan(used_);
    ended_ = std::ranges::all_of(rest, [](std::byte b) { return b == std::byte{0}; });
    if (ended_) return;
    if (!is_compressed(rest)) fail("other bytes follow its end");
    ::inflateReset(&state_);
  }

  [[noreturn]] void fail(const char* reason) const {
    throw InputError(
        "[records] the compressed file {} is damaged at byte {} of {}, after {} inflated bytes: {}; copy or write it again",
        source_.string(), used_, stream_.size(), out_bytes_, reason);
  }

  std::span<const std::byte> stream_;
  const std::filesystem::path& source_;
  std::vector<std::byte> room_ = std::vector<std::byte>(kChunkBytes);
  ::z_stream state_{};
  std::size_t used_ = 0;
  std::int64_t out_bytes_ = 0;
  bool ended_ = false;
};

}  // namespace

bool is_compressed(std::span<const std::byte> stream) {
  const FileKind kind = kind_of_bytes(stream.first(std::min(stream.size(), kFileKindBytes)), stream.size());
  return kind == FileKind::gzip || kind == FileKind::zlib;
}

std::int64_t inflate_to_file(std::span<const std::byte> stream, const std::filesystem::path& source,
                             const std::filesystem::path& target, const InflateOptions& options) {
  Inflater inflater(stream, source);
  PendingFile file(target);
  for (auto bytes = inflater.next(); !bytes.empty(); bytes = inflater.next()) {
    file.append(bytes);
    if (file.bytes() > options.max_bytes)
      throw InputError("[records] the compressed file {} holds more than {} bytes; decompress it yourself",
                       source.string(), options.max_bytes);
  }
  file.commit();
  return file.bytes();
}

}  // namespace fastnn

#include "data/records/index_file.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "data/records/pending_file.h"
#include "engine/base/crc32c.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

constexpr std::uint64_t kMagic = 0x464e696e64657831;  // 'FNindex1'
constexpr std::uint32_t kVersion = 1;

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Takes values off the front of a text whose checksum was right; a wrong count is a fault all the same.
class Taker {
 public:
  explicit Taker(std::string_view rest) : rest_(rest) {}

  template <class T>
  T take() {
    T value{};
    std::memcpy(&value, bytes(sizeof value).data(), sizeof value);
    return value;
  }

  std::string_view bytes(std::uint64_t size) {
    if (size > rest_.size()) throw InputError("its lists are longer than the file");
    const auto taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

 private:
  std::string_view rest_;
};

/// The content between the checksum's rules; throws InputError with the reason why it is of no use.
std::string_view checked_content(std::string_view text) {
  std::uint64_t magic = 0;
  std::uint32_t stored = 0;
  if (text.size() < sizeof magic + sizeof stored) throw InputError("it is cut short");
  std::memcpy(&magic, text.data(), sizeof magic);
  if (magic == __builtin_bswap64(kMagic)) throw InputError("it is of a machine of the other byte order");
  if (magic != kMagic) throw InputError("it is no index file");
  const auto content = text.substr(0, text.size() - sizeof stored);
  std::memcpy(&stored, content.data() + content.size(), sizeof stored);
  if (crc32c(content) != stored) throw InputError("its checksum is wrong");
  return content.substr(sizeof magic);
}

FileIndex take_index(Taker& taker) {
  FileIndex index;
  index.stamp.bytes = taker.take<std::int64_t>();
  index.stamp.changed_ns = taker.take<std::int64_t>();
  const std::uint64_t offsets = taker.take<std::uint64_t>() + 1;
  const auto bytes = taker.bytes(offsets > UINT64_MAX / 8 ? UINT64_MAX : offsets * 8);
  index.offsets.resize(offsets);
  std::memcpy(index.offsets.data(), bytes.data(), bytes.size());
  return index;
}

FileIndexes parse_indexes(std::string_view text) {
  Taker taker(checked_content(text));
  if (const auto version = taker.take<std::uint32_t>(); version != kVersion)
    throw InputError("it is of version {}, not {}", version, kVersion);
  FileIndexes indexes;
  for (auto files = taker.take<std::uint32_t>(); files > 0; --files) {
    const std::string name(taker.bytes(taker.take<std::uint32_t>()));
    indexes[name] = take_index(taker);
  }
  return indexes;
}

}  // namespace

FileIndexes load_indexes(const std::filesystem::path& file, Log& log) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {};
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  try {
    return parse_indexes(text);
  } catch (const InputError& error) {
    log.info(
        fmt::format("[records] {} is not used: {}; the index is made again", file.string(), error.what()));
    return {};
  }
}

void save_indexes(const std::filesystem::path& file, const FileIndexes& indexes) {
  std::string text;
  append(text, kMagic);
  append(text, kVersion);
  append(text, static_cast<std::uint32_t>(indexes.size()));
  for (const auto& [name, index] : indexes) {
    append(text, static_cast<std::uint32_t>(name.size()));
    text += name;
    append(text, index.stamp.bytes);
    append(text, index.stamp.changed_ns);
    append(text, static_cast<std::int64_t>(index.offsets.size()) - 1);
    text.append(reinterpret_cast<const char*>(index.offsets.data()), index.offsets.size() * 8);
  }
  append(text, crc32c(text));
  PendingFile pending(file);
  pending.append(text);
  pending.commit();
}

}  // namespace fastnn

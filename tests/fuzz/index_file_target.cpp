#include <cstring>

#include "data/records/index_file.h"
#include "engine/base/crc32c.h"
#include "tests/fuzz/target.h"

using namespace fastnn;

/// Of every other input the last bytes become the right checksum.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> input) {
    std::string text(fuzz::text_of(input));
    if (text.size() % 2 == 0 && text.size() >= sizeof(std::uint32_t)) {
      const auto content = std::as_bytes(std::span(text)).first(text.size() - sizeof(std::uint32_t));
      const std::uint32_t crc = crc32c(content);
      std::memcpy(text.data() + content.size(), &crc, sizeof crc);
    }
    NoLog log;
    for (const auto& [name, index] : load_indexes(fuzz::write_scratch("index", text), log))
      fuzz::require(!index.offsets.empty());
  });
}

#include "data/records/inflate.h"
#include "tests/fuzz/target.h"

using namespace fastnn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> stream) {
    if (!is_compressed(stream)) return;
    constexpr std::int64_t kMostBytes = 1 << 20;
    const auto bytes =
        inflate_to_file(stream, "fuzz", fuzz::scratch_folder() / "inflated", {.max_bytes = kMostBytes});
    fuzz::require(bytes <= kMostBytes);
  });
}

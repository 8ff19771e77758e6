#include "data/convert/idx.h"
#include "tests/fuzz/target.h"

using namespace fastnn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> input) {
    const auto path = fuzz::write_scratch("idx", fuzz::text_of(input));
    for (const int dimensions : {1, 3}) {
      fuzz::run(nullptr, 0, [&](std::span<const std::byte>) {
        IdxReader reader(path, dimensions);
        constexpr std::int64_t kMostItems = 1000;
        for (std::int64_t i = 0; i < std::min(reader.items(), kMostItems); ++i) reader.next();
        if (reader.items() <= kMostItems) reader.finish();
      });
    }
  });
}

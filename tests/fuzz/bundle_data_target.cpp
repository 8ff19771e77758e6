#include <algorithm>

#include "engine/base/crc32c.h"
#include "engine/checkpoint/bundle_format.h"
#include "engine/checkpoint/bundle_reader.h"
#include "tests/engine/checkpoint/index_tables.h"
#include "tests/fuzz/target.h"

using namespace fastnn;

namespace {

/// Takes bytes off the front.
class Taker {
 public:
  explicit Taker(std::span<const std::byte> rest) : rest_(rest) {}
  int take() {
    if (rest_.empty()) return 0;
    const int value = std::to_integer<int>(rest_.front());
    rest_ = rest_.subspan(1);
    return value;
  }
  std::span<const std::byte> rest() const { return rest_; }

 private:
  std::span<const std::byte> rest_;
};

/// A tensor of type, rank, extents and place by the first bytes; its checksum is right where it lies inside
/// the data.
BundleEntry entry_of(Taker& taker) {
  BundleEntry entry{.type = taker.take() % 10};
  std::uint64_t elements = 1;
  for (int rank = taker.take() % 4; rank > 0; --rank) {
    entry.extents.push_back(taker.take() % 16);
    elements *= static_cast<std::uint64_t>(entry.extents.back());
  }
  entry.offset = static_cast<std::uint64_t>(taker.take());
  const int element_bytes = taker.take() % 9;
  entry.size = elements * static_cast<std::uint64_t>(element_bytes);
  return entry;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> input) {
    Taker taker(input);
    BundleEntry entry = entry_of(taker);
    const int mark = taker.take();
    const auto bytes = taker.rest();
    const bool inside = entry.offset <= bytes.size() && entry.size <= bytes.size() - entry.offset;
    const bool tampered = mark % 8 == 0;
    if (inside) entry.crc = (tampered ? 1U : 0U) ^ crc32c(bytes.subspan(entry.offset, entry.size));
    fuzz::write_scratch("data.data-00000-of-00001", fuzz::text_of(bytes));
    const auto prefix = fuzz::scratch_folder() / "data";
    tests::write_index(prefix, {{"", encode_bundle_header({})}, {"tensor", encode_bundle_entry(entry)}});
    const Tensor tensor = BundleReader(prefix).read("tensor");
    fuzz::require(inside && !tampered &&
                  std::ranges::equal(tensor.bytes(), bytes.subspan(entry.offset, entry.size)));
  });
}

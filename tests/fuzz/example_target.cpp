#include "data/datasets/image_example.h"
#include "data/records/example.h"
#include "tests/fuzz/target.h"

using namespace fastnn;

namespace {

/// Looks everything up; bytes must lie inside the payload.
void use(const Example& example, std::span<const std::byte> payload) {
  for (const std::string_view key : example.keys()) {
    switch (example.kind(key)) {
      case FeatureKind::none:
        break;
      case FeatureKind::bytes:
        for (const auto value : example.bytes_list(key))
          fuzz::require(value.empty() || (value.data() >= payload.data() &&
                                          value.data() + value.size() <= payload.data() + payload.size()));
        break;
      case FeatureKind::real:
        example.reals(key);
        break;
      case FeatureKind::integer:
        example.integers(key);
        break;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> payload) {
    const RecordOrigin origin{.file = "fuzz"};
    const Example example(payload, origin);
    use(example, payload);
    parse_boxes(example, origin);
    parse_image_example(example, {});
  });
}

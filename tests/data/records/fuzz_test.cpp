#include <algorithm>
#include <memory>
#include <random>

#include "data/records/example.h"
#include "data/records/example_writer.h"
#include "data/records/record_file.h"
#include "engine/base/error.h"
#include "tests/data/records/files.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

constexpr int kMutations = 5000;
const RecordOrigin kOrigin{.file = "fuzz"};

/// One to four random edits: a flipped bit, a byte set, a cut, an insertion, a part repeated.
std::string mutated(std::string bytes, std::mt19937& random) {
  const auto below = [&random](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
    const std::size_t at = below(bytes.size());
    const std::size_t length = below(std::min<std::size_t>(20, bytes.size() - at) + 1);
    switch (below(5)) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = "\x00\x7f\x80\xff\x0a"[below(5)];
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, length, static_cast<char>(below(256)));
        break;
      default:
        bytes.insert(at, bytes.substr(at, length));
    }
  }
  return bytes;
}

/// A copy of exactly its size on the heap, so that the address sanitizer sees each byte read outside.
struct HeapCopy {
  explicit HeapCopy(std::string_view text) : data(new std::byte[text.size()]), size(text.size()) {
    std::copy_n(reinterpret_cast<const std::byte*>(text.data()), size, data.get());
  }
  std::span<const std::byte> bytes() const { return {data.get(), size}; }
  std::unique_ptr<std::byte[]> data;
  std::size_t size;
};

/// Parses, and looks everything up that is there.
void use_example(std::span<const std::byte> payload) {
  const Example example(payload, kOrigin);
  for (const std::string_view key : example.keys()) switch (example.kind(key)) {
      case FeatureKind::none:
        break;
      case FeatureKind::bytes:
        for (const auto value : example.bytes_list(key))
          CHECK(value.data() + value.size() <= payload.data() + payload.size());
        break;
      case FeatureKind::real:
        example.reals(key);
        break;
      case FeatureKind::integer:
        example.integers(key);
        break;
    }
}

/// Calls f with mutations of a valid input; f may throw InputError and nothing else. Both outcomes must
/// occur.
template <class F>
void fuzz(const std::string& valid, unsigned seed, F f) {
  std::mt19937 random(seed);
  int refused = 0;
  for (int i = 0; i < kMutations; ++i) {
    INFO("seed " << seed << ", mutation " << i);
    const HeapCopy input(mutated(valid, random));
    try {
      f(input.bytes());
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused > 0);
  CHECK(refused < kMutations);
}

}  // namespace

TEST_CASE("fuzz: a mutated example is parsed or refused with an InputError") {
  const std::string valid = serialize_example({{"image/encoded", bytes_feature("some bytes of an image")},
                                               {"image/class/label", integer_feature(-3)},
                                               {"boxes", std::vector<float>{0.25F, 0.5F, 1}},
                                               {"ids", std::vector<std::int64_t>{1, 300, -1}},
                                               {"empty", std::vector<float>{}}});
  fuzz(valid, 20240501, use_example);
}

TEST_CASE("fuzz: a mutated TFRecord stream is read or refused with an InputError") {
  const TemporaryFolder folder;
  const std::string valid =
      file_content(write_records(folder / "valid", {"", "abc", std::string(50, 'x'), "a longer payload"}));
  fuzz(valid, 20240502, [](std::span<const std::byte> stream) {
    std::vector<std::int64_t> offsets;
    scan_records(stream, "fuzz", offsets);
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
      verified_payload(stream, {.offset = offsets[i], .length = offsets[i + 1] - offsets[i] - 16}, kOrigin);
  });
}

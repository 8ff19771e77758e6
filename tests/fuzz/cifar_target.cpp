#include "data/convert/cifar10.h"
#include "tests/fuzz/target.h"

using namespace fastnn;

namespace {

constexpr std::size_t kRecordBytes = 3073;

/// A folder whose training batches hold a record each.
const std::filesystem::path& input_folder() {
  static const std::filesystem::path folder = [] {
    for (int i = 1; i <= 5; ++i)
      fuzz::write_scratch(fmt::format("data_batch_{}.bin", i), std::string(kRecordBytes, '\x05'));
    return fuzz::scratch_folder();
  }();
  return folder;
}

}  // namespace

/// The input stands for test_batch.bin: each of its bytes is repeated, so that a short input makes whole
/// records.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> input) {
    const auto& folder = input_folder();
    std::string batch;
    for (const char byte : fuzz::text_of(input)) batch.append(input.size() < 8 ? kRecordBytes : 1, byte);
    fuzz::write_scratch("test_batch.bin", batch);
    NoLog log;
    convert_cifar10(
        {.input_dir = folder, .output_dir = folder / "out", .threads = 1}, [](std::int64_t, std::int64_t) {},
        log);
  });
}

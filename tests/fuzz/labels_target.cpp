#include "data/datasets/class_names.h"
#include "tests/fuzz/target.h"

using namespace fastnn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> input) {
    fuzz::require(!read_class_names(fuzz::write_scratch("labels.txt", fuzz::text_of(input))).empty());
  });
}

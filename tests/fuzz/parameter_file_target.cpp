#include "tests/fuzz/target.h"
#include "tools/parameters/parameters.h"
#include "tools/parameters/report.h"

using namespace fastnn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> input) {
    const auto path = fuzz::write_scratch("settings.txt", fuzz::text_of(input));
    try {
      const auto parameters = tools::load(tools::Program::train, path);
      for (const tools::ParameterRow& row : parameters.table().rows()) parameters.list(row.name);
    } catch (const UsageError&) {
      return;
    }
  });
}

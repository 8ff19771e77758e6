#include <map>

#include "engine/checkpoint/bundle_reader.h"
#include "tests/engine/checkpoint/index_tables.h"
#include "tests/fuzz/target.h"

using namespace fastnn;

namespace {

std::filesystem::path prefix() {
  return fuzz::scratch_folder() / "bundle";
}

/// Half of the inputs are the index file itself. Of the others each byte n in front of n bytes makes them a
/// key or, by turns, a value of a table whose checksums are right.
void write_index(std::string_view input) {
  if (input.empty() || input.front() != 'e') {
    fuzz::write_scratch("bundle.index", input);
    return;
  }
  input.remove_prefix(1);
  std::map<std::string, std::string> entries;
  const auto take = [&input] {
    if (input.empty()) return std::string();
    const std::size_t length =
        std::min<std::size_t>(static_cast<unsigned char>(input.front()), input.size() - 1);
    std::string taken(input.substr(1, length));
    input.remove_prefix(1 + length);
    return taken;
  };
  while (!input.empty()) {
    const std::string key = take();
    entries[key] = take();
  }
  tests::write_index(prefix(), entries);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::span<const std::byte> input) {
    static const auto shard = fuzz::write_scratch("bundle.data-00000-of-00001", std::string(4096, '\0'));
    write_index(fuzz::text_of(input));
    const BundleReader bundle(prefix());
    for (const auto& [name, entry] : bundle.entries())
      fuzz::run(nullptr, 0, [&, &name = name](std::span<const std::byte>) { bundle.read(name); });
  });
}

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/catch.h"

namespace {

struct Kernel {
  std::string file, name, code;
};

/// Kernels that move little, or whose elements do not lie side by side, by parts of their names.
constexpr std::string_view kScalarKernels[] = {"finish_sums_kernel"};

std::vector<Kernel> compiled_kernels() {
  std::vector<Kernel> kernels;
  for (const auto& file : std::filesystem::directory_iterator(FASTNN_PTX_DIR)) {
    if (file.path().extension() != ".ptx") continue;
    std::ifstream stream(file.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    constexpr std::string_view kEntry = ".entry ";
    for (auto at = text.find(kEntry); at != std::string::npos;) {
      const auto next = text.find(kEntry, at + 1);
      const auto name = at + kEntry.size();
      kernels.push_back({file.path().filename().string(), text.substr(name, text.find('(', name) - name),
                         text.substr(at, next - at)});
      at = next;
    }
  }
  return kernels;
}

bool is_scalar(const Kernel& kernel) {
  return std::ranges::any_of(
      kScalarKernels, [&](std::string_view part) { return kernel.name.find(part) != std::string::npos; });
}

bool has(const Kernel& kernel, std::string_view instruction) {
  return kernel.code.find(instruction) != std::string::npos;
}

}  // namespace

TEST_CASE("cuda ptx: kernels load and store 128 bits at once") {
  const auto kernels = compiled_kernels();
  CHECK(kernels.size() > 30);
  for (const Kernel& kernel : kernels) {
    if (is_scalar(kernel)) continue;
    INFO(kernel.file << ": " << kernel.name);
    CHECK(has(kernel, "ld.global.v4"));
    CHECK(has(kernel, "st.global.v4"));
  }
}

TEST_CASE("cuda ptx: kernels keep their variables in registers, and know that memory is global") {
  for (const Kernel& kernel : compiled_kernels()) {
    INFO(kernel.file << ": " << kernel.name);
    for (const char* instruction :
         {"ld.local", "st.local", "\tld.u", "\tld.f", "\tst.u", "\tst.f", "\tld.v4", "\tst.v4"})
      CHECK_FALSE(has(kernel, instruction));
  }
}

TEST_CASE("cuda ptx: a kernel that is listed as scalar exists") {
  const auto kernels = compiled_kernels();
  for (const std::string_view part : kScalarKernels) {
    INFO(part);
    CHECK(std::ranges::any_of(kernels,
                              [&](const Kernel& k) { return k.name.find(part) != std::string::npos; }));
  }
}

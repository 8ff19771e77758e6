#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/error.h"

/// What a fuzz target defines; libFuzzer calls it with one input after another. Any bytes must be read or
/// refused with an InputError: whatever else escapes ends the program, and libFuzzer keeps the input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fastnn::fuzz {

/// The folder of this process for files that a reader wants to open, in memory where the system has such a
/// place.
inline const std::filesystem::path& scratch_folder() {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path memory = "/dev/shm";
    const auto parent =
        std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    auto path = parent / ("fastnn-fuzz-" + std::to_string(::getpid()));
    std::filesystem::create_directories(path);
    return path;
  }();
  return folder;
}

inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Writes a file of the scratch folder.
inline std::filesystem::path write_scratch(std::string_view name, std::string_view content) {
  auto path = scratch_folder() / name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

/// Calls read(bytes of the input); an InputError is an answer like any other.
template <class Read>
int run(const std::uint8_t* data, std::size_t size, Read read) {
  try {
    read(std::as_bytes(std::span(data, size)));
  } catch (const InputError&) {
    return 0;
  }
  return 0;
}

/// Ends the program when a promise is broken that no sanitizer knows of.
inline void require(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace fastnn::fuzz

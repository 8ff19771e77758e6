#pragma once

#include <filesystem>
#include <string_view>

namespace fastnn {

/// What a file looks like from its first and last bytes.
enum class FileKind { empty, table, safetensors, hdf5, zip, gzip, text, unknown };

/// Looks at a plain file. A table is what both a TensorFlow V1 checkpoint and the index of a V2 bundle are.
/// Throws InputError if there is no such file.
FileKind kind_of_file(const std::filesystem::path& path);

/// For messages: "a safetensors file", "an empty file", ...
std::string_view description_of(FileKind kind);

}  // namespace fastnn

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace fastnn::tests {

/// A text file of the project, by its path from the root, with '/' between folders.
struct SourceFile {
  std::string path;
  std::string text;
};

/// Whether the project has a file of this path.
using FileExists = std::function<bool(const std::string& path)>;

/// What is wrong with the includes of one source file, a line each: "path:line: fault; what to do".
/// Rules: kernels < engine < {nets, optim, data} < {tools, bench, tests}, where a folder includes itself and
/// what stands left of it, never a sibling (tests include everything, bench also tools/common,
/// tools/parameters and tests/support). Rooms of engine likewise: base < core < graph < {passes, device} <
/// plan < checkpoint; base knows no kernels, passes neither kernels nor devices, checkpoint no graph. Own
/// files are named from the root, in quotes, and exist. The generated version.h is everybody's.
std::vector<std::string> include_faults(const SourceFile& file, const FileExists& exists);

/// What is wrong with the text of one file, likewise: more than 400 lines of C++, a header without
/// '#pragma once', a note of unfinished work, an absolute path of somebody's machine.
std::vector<std::string> text_faults(const SourceFile& file);

/// The project's own text files below 'root': C++ and CMake files, scripts and pages, without the golden
/// files. Sorted by path. Throws std::runtime_error if a file cannot be read.
std::vector<SourceFile> project_files(const std::filesystem::path& root);

/// Whether the path names a C++ (or CUDA) source or header.
bool is_code(const std::string& path);

}  // namespace fastnn::tests

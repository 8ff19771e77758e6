#include "tests/layering/source_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string_view>

namespace fastnn::tests {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLines = 400;

struct Layer {
  std::string_view folder;
  std::vector<std::string_view> may_include;
};

const std::vector<Layer>& layers() {
  static const std::vector<Layer> table = {
      {"kernels/", {"kernels/"}},
      {"engine/base/", {"engine/base/"}},
      {"engine/core/", {"kernels/", "engine/base/", "engine/core/"}},
      {"engine/graph/", {"kernels/", "engine/base/", "engine/core/", "engine/graph/"}},
      {"engine/passes/", {"engine/base/", "engine/core/", "engine/graph/", "engine/passes/"}},
      {"engine/device/", {"kernels/", "engine/base/", "engine/core/", "engine/graph/", "engine/device/"}},
      {"engine/plan/",
       {"kernels/", "engine/base/", "engine/core/", "engine/graph/", "engine/passes/", "engine/device/",
        "engine/plan/"}},
      {"engine/checkpoint/", {"engine/base/", "engine/core/", "engine/plan/", "engine/checkpoint/"}},
      {"nets/", {"kernels/", "engine/", "nets/"}},
      {"optim/", {"kernels/", "engine/", "optim/"}},
      {"data/", {"kernels/", "engine/", "data/"}},
      {"tools/", {"kernels/", "engine/", "nets/", "optim/", "data/", "tools/"}},
      {"bench/",
       {"kernels/", "engine/", "nets/", "optim/", "data/", "bench/", "tools/common/", "tools/parameters/",
        "tests/support/"}},
      {"tests/", {"kernels/", "engine/", "nets/", "optim/", "data/", "tools/", "bench/", "tests/"}},
  };
  return table;
}

const Layer* layer_of(std::string_view path) {
  for (const Layer& layer : layers())
    if (path.starts_with(layer.folder)) return &layer;
  return nullptr;
}

std::string_view extension(std::string_view path) {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(dot);
}

bool is_header(std::string_view path) {
  return extension(path) == ".h" || extension(path) == ".cuh";
}

/// Calls visit(line number from 1, line without its end).
template <class Visit>
void for_each_line(std::string_view text, Visit&& visit) {
  int number = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    visit(++number, text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

/// The fault of one '#include "name"' of a file in 'layer', empty if there is none.
std::string quoted_fault(const Layer& layer, const std::string& name, const FileExists& exists) {
  if (name == "version.h") return "";
  if (name.find("..") != std::string::npos || layer_of(name) == nullptr)
    return fmt::format("\"{}\" is not named from the project's root; write \"folder/file.h\"", name);
  const auto& allowed = layer.may_include;
  if (std::none_of(allowed.begin(), allowed.end(), [&](auto folder) { return name.starts_with(folder); }))
    return fmt::format("{} must not include \"{}\"; it may include {}", layer.folder, name,
                       fmt::join(allowed, " "));
  if (!exists(name)) return fmt::format("\"{}\" does not exist", name);
  return "";
}

/// Names of unfinished work and of machines, split so that this file holds none of them.
const std::regex& leftover() {
  static const std::regex pattern(
      "\\b(TO"
      "DO|FIX"
      "ME)\\b");
  return pattern;
}

const std::regex& machine_path() {
  static const std::regex pattern(
      "(^|[^A-Za-z0-9_.}-])/(wo"
      "rk|ro"
      "ot|ho"
      "me)/");
  return pattern;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("[layering] cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_ours(const fs::path& path) {
  constexpr std::array kExtensions = {".h", ".cpp", ".cuh", ".cu", ".cmake", ".sh", ".md"};
  const auto matches = [&](const char* known) { return path.extension() == known; };
  return path.filename() == "CMakeLists.txt" || std::any_of(kExtensions.begin(), kExtensions.end(), matches);
}

}  // namespace

bool is_code(const std::string& path) {
  return is_header(path) || extension(path) == ".cpp" || extension(path) == ".cu";
}

std::vector<std::string> include_faults(const SourceFile& file, const FileExists& exists) {
  static const std::regex include("^\\s*#\\s*include\\s*([\"<])([^\">]*)[\">]");
  std::vector<std::string> faults;
  const Layer* layer = layer_of(file.path);
  if (layer == nullptr) return {fmt::format("{}: stands in no folder of the allowed table", file.path)};
  for_each_line(file.text, [&](int number, std::string_view line) {
    std::cmatch match;
    if (!std::regex_search(line.data(), line.data() + line.size(), match, include)) return;
    std::string fault;
    if (match[1] == "\"")
      fault = quoted_fault(*layer, match[2], exists);
    else if (exists(match[2]))
      fault = fmt::format("<{}> is our own file; write it in quotes", match[2].str());
    if (!fault.empty()) faults.push_back(fmt::format("{}:{}: {}", file.path, number, fault));
  });
  return faults;
}

std::vector<std::string> text_faults(const SourceFile& file) {
  std::vector<std::string> faults;
  int lines = 0;
  for_each_line(file.text, [&](int number, std::string_view line) {
    lines = number;
    if (std::regex_search(line.begin(), line.end(), leftover()))
      faults.push_back(fmt::format("{}:{}: a note of unfinished work; finish it", file.path, number));
    if (std::regex_search(line.begin(), line.end(), machine_path()))
      faults.push_back(fmt::format("{}:{}: a path of one machine; name it from the root", file.path, number));
  });
  if (is_code(file.path) && lines > kMaxLines)
    faults.push_back(fmt::format("{}: {} lines, at most {}; split it", file.path, lines, kMaxLines));
  if (is_header(file.path) && !file.text.starts_with("#pragma once\n"))
    faults.push_back(fmt::format("{}:1: a header begins with #pragma once", file.path));
  return faults;
}

std::vector<SourceFile> project_files(const fs::path& root) {
  std::vector<SourceFile> files;
  const auto add = [&](const fs::path& path) {
    if (is_ours(path)) files.push_back({path.lexically_relative(root).generic_string(), read_text(path)});
  };
  for (const auto& entry : fs::directory_iterator(root))
    if (entry.is_regular_file()) add(entry.path());
  for (const char* folder : {"bench", "cmake", "data", "docs", "engine", "kernels", "nets", "optim",
                             "scripts", "tests", "tools"}) {
    if (!fs::is_directory(root / folder)) continue;
    for (auto entry = fs::recursive_directory_iterator(root / folder); entry != fs::end(entry); ++entry) {
      if (entry->path() == root / "tests/golden")
        entry.disable_recursion_pending();
      else if (entry->is_regular_file())
        add(entry->path());
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

}  // namespace fastnn::tests

#include "data/datasets/file_list.h"

#include <fmt/ranges.h>
#include <glob.h>

#include <algorithm>
#include <map>

#include "data/datasets/class_names.h"
#include "engine/base/error.h"

namespace fastnn {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostNames = 20;

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string_view> split_list(std::string_view list) {
  std::vector<std::string_view> elements;
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    if (const auto element = trim(list.substr(0, comma)); !element.empty()) elements.push_back(element);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return elements;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;  // an unreadable folder is reported as one without a match
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && !name.starts_with('.') && name != kClassNamesFile)
      files.push_back(entry.path());
  }
  return files;
}

std::vector<fs::path> glob_files(const fs::path& pattern) {
  if (fs::is_regular_file(pattern)) return {pattern};
  if (fs::is_directory(pattern)) return files_in(pattern);
  glob_t found{};
  std::vector<fs::path> files;
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
    for (std::size_t i = 0; i < found.gl_pathc; ++i)
      if (fs::is_regular_file(found.gl_pathv[i])) files.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  return files;
}

/// "train-00003-of-01024" has prefix "train-" and 1024 shards; 0 shards if the name is not of that form.
struct ShardName {
  std::string prefix;
  std::size_t shards = 0;
};

ShardName shard_name(const std::string& name) {
  constexpr std::size_t kDigits = 5;
  const auto of = name.find("-of-");
  const auto is_number = [&](std::size_t at) {
    return at + kDigits <= name.size() &&
           std::all_of(name.begin() + std::ptrdiff_t(at), name.begin() + std::ptrdiff_t(at + kDigits),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  if (of == std::string::npos || of < kDigits || !is_number(of - kDigits) || !is_number(of + 4)) return {};
  return {name.substr(0, of - kDigits), std::stoul(name.substr(of + 4, kDigits))};
}

void warn_of_missing_shards(const std::vector<fs::path>& files, Log& log) {
  std::map<std::pair<std::string, std::size_t>, std::size_t> sets;
  for (const fs::path& file : files) {
    const ShardName shard = shard_name(file.filename().string());
    if (shard.shards > 0) ++sets[{(file.parent_path() / shard.prefix).string(), shard.shards}];
  }
  for (const auto& [set, present] : sets)
    if (present < set.second)
      log.warning(fmt::format("[datasets] only {} of {} files {}*-of-{:05} are there; the rest is not used",
                              present, set.second, set.first, set.second));
}

}  // namespace

void require_local(std::string_view location, std::string_view option) {
  const auto scheme = location.find("://");
  if (scheme == std::string_view::npos) return;
  throw UsageError(
      "[datasets] {} must be a path on this machine, got {}: copy it here first ({}), then give the local folder, or name it once with path_map",
      option, location,
      location.substr(0, scheme) == "oss"
          ? fmt::format("ossutil cp -r {} FOLDER", location)
          : fmt::format("with a client for {}://", location.substr(0, scheme)));
}

std::string describe_folder(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found)
    throw InputError("[datasets] the folder {} does not exist", folder.string());
  if (!error && !fs::is_directory(status))
    throw InputError("[datasets] a folder is expected, but {} is a file", folder.string());
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  if (error)
    throw EnvironmentError("[datasets] the folder {} cannot be read: {}", folder.string(), error.message());
  if (names.empty()) return "nothing";
  std::ranges::sort(names);
  const std::size_t more = names.size() - std::min(names.size(), kMostNames);
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

std::vector<fs::path> list_files(const fs::path& folder, std::string_view list, std::string_view option,
                                 Log& log) {
  const auto elements = split_list(list);
  if (elements.empty()) throw UsageError("[datasets] {} names no file: \"{}\"", option, list);
  std::vector<fs::path> files;
  for (const std::string_view element : elements) {
    require_local(element, option);
    const fs::path pattern = folder / element;
    const auto found = glob_files(pattern);
    if (found.empty()) {
      const fs::path parent = pattern.has_parent_path() ? pattern.parent_path() : fs::path(".");
      const std::string present = describe_folder(parent);
      throw InputError("[datasets] no file matches {} (from {}); {} holds {}", pattern.string(), option,
                       parent.string(), present);
    }
    files.insert(files.end(), found.begin(), found.end());
  }
  std::ranges::sort(files);
  const auto repeated = std::unique(files.begin(), files.end());
  if (repeated != files.end())
    log.warning(fmt::format("[datasets] {} names {} files more than once; each is read once", option,
                            files.end() - repeated));
  files.erase(repeated, files.end());
  warn_of_missing_shards(files, log);
  return files;
}

}  // namespace fastnn

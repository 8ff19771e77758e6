#include "engine/checkpoint/checkpoint_state.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

#include "engine/base/error.h"
#include "engine/checkpoint/bundle_reader.h"
#include "engine/checkpoint/files.h"
#include "engine/checkpoint/quoted.h"

namespace fastnn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStateName = "checkpoint";
constexpr std::string_view kNewest = "model_checkpoint_path";
constexpr std::string_view kAll = "all_model_checkpoint_paths";
constexpr std::string_view kSavedName = "model.ckpt-";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

void parse_line(std::string_view line, const std::string& where, CheckpointState& state) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos)
    throw InputError("[checkpoint] {}: expected name: \"path\", got '{}'; repair or delete the file", where,
                     line);
  const std::string_view key = trimmed(line.substr(0, colon));
  if (key != kNewest && key != kAll) return;
  auto path = unquote(trimmed(line.substr(colon + 1)));
  if (!path || path->empty())
    throw InputError("[checkpoint] {}: expected a quoted path after {}, got '{}'; repair or delete the file",
                     where, key, line);
  if (key == kNewest)
    state.model_checkpoint_path = *std::move(path);
  else
    state.all_model_checkpoint_paths.push_back(*std::move(path));
}

std::string text_of(const CheckpointState& state) {
  std::string text = fmt::format("{}: {}\n", kNewest, quote(state.model_checkpoint_path));
  for (const std::string& path : state.all_model_checkpoint_paths)
    text += fmt::format("{}: {}\n", kAll, quote(path));
  return text;
}

// A path of the state file on this machine: as it says, or of the same name in the folder.
fs::path located(const fs::path& directory, const std::string& noted) {
  const fs::path path = directory / noted;
  std::error_code ignored;
  return fs::exists(bundle_index_path(path), ignored) ? path : directory / path.filename();
}

std::vector<fs::path> noted_newest_first(const fs::path& directory, const CheckpointState& state) {
  std::vector<std::string> noted = state.all_model_checkpoint_paths;
  std::erase(noted, state.model_checkpoint_path);
  if (!state.model_checkpoint_path.empty()) noted.push_back(state.model_checkpoint_path);
  std::vector<fs::path> paths;
  for (auto path = noted.rbegin(); path != noted.rend(); ++path) paths.push_back(located(directory, *path));
  return paths;
}

std::vector<fs::path> saved_newest_first(const fs::path& directory) {
  std::vector<fs::path> paths;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(directory, ignored)) {
    const fs::path prefix = directory / file.path().stem();
    if (file.path().extension() == ".index" && prefix.filename().string().starts_with(kSavedName) &&
        step_of(prefix))
      paths.push_back(prefix);
  }
  std::ranges::sort(paths, std::greater(), [](const fs::path& path) { return *step_of(path); });
  return paths;
}

CheckpointState state_or_warning(const fs::path& directory, Log& log) {
  try {
    return read_checkpoint_state(directory).value_or(CheckpointState());
  } catch (const InputError& error) {
    log.warning(fmt::format("{}; looking at the files of the folder instead", error.what()));
    return {};
  }
}

std::vector<fs::path> candidates_in(const fs::path& directory, Log& log) {
  std::vector<fs::path> noted = noted_newest_first(directory, state_or_warning(directory, log));
  std::vector<fs::path> saved = saved_newest_first(directory);
  std::erase_if(saved, [&](const fs::path& path) { return std::ranges::count(noted, path) != 0; });
  const auto newest =
      noted.empty() ? -1 : step_of(noted[0]).value_or(std::numeric_limits<std::int64_t>::max());
  const auto older =
      std::ranges::find_if(saved, [&](const fs::path& path) { return *step_of(path) <= newest; });
  std::vector<fs::path> candidates(saved.begin(), older);
  candidates.insert(candidates.end(), noted.begin(), noted.end());
  candidates.insert(candidates.end(), older, saved.end());
  return candidates;
}

std::optional<std::string> fault_of(const fs::path& prefix) {
  try {
    const BundleReader complete(prefix);
    return std::nullopt;
  } catch (const Error& error) {
    return error.what();
  }
}

template <class Wanted>
std::vector<fs::path> files_of(const fs::path& directory, Wanted wanted) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(directory, ignored))
    if (wanted(file.path().filename().string())) files.push_back(file.path());
  return files;
}

void remove_files(const std::vector<fs::path>& files, Log& log) {
  for (const fs::path& file : files) {
    std::error_code error;
    fs::remove(file, error);
    if (error) log.warning(fmt::format("cannot delete {}: {}", file.string(), error.message()));
  }
}

void remove_checkpoint(const fs::path& prefix, Log& log) {
  remove_files({bundle_index_path(prefix), with_suffix(prefix, ".meta")}, log);
  const std::string data_start = prefix.filename().string() + ".data-";
  remove_files(
      files_of(directory_of(prefix), [&](const std::string& name) { return name.starts_with(data_start); }),
      log);
}

bool is_temporary(const std::string& name) {
  return name.ends_with(AsideFile::kAsideSuffix) || name.ends_with(ReplacedFile::kReplacedSuffix);
}

// Takes the oldest beyond max_to_keep off the list.
std::vector<std::string> take_old(std::vector<std::string>& all, int max_to_keep) {
  const auto keep = static_cast<std::size_t>(max_to_keep);
  if (keep == 0 || all.size() <= keep) return {};
  const auto kept = all.end() - max_to_keep;
  std::vector<std::string> old(all.begin(), kept);
  all.erase(all.begin(), kept);
  return old;
}

// Only those noted by a bare name are surely ours to delete.
bool is_in_folder(const std::string& noted) {
  return !fs::path(noted).has_parent_path();
}

}  // namespace

std::optional<CheckpointState> read_checkpoint_state(const fs::path& directory) {
  const fs::path path = directory / kStateName;
  std::ifstream file(path);
  if (!file) return std::nullopt;
  CheckpointState state;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number)
    if (const auto content = trimmed(line); !content.empty() && content[0] != '#')
      parse_line(content, fmt::format("{} line {}", path.string(), number), state);
  return state;
}

void write_checkpoint_state(const fs::path& directory, const CheckpointState& state) {
  const std::string text = text_of(state);
  AsideFile file(directory / kStateName, text.size());
  file.append(std::as_bytes(std::span(text)));
  file.sync();
  file.place();
  sync_directory(directory);
}

std::optional<std::int64_t> step_of(const fs::path& prefix) {
  const std::string name = prefix.filename().string();
  const std::size_t dash = name.rfind('-');
  if (dash == std::string::npos || dash + 1 == name.size()) return std::nullopt;
  std::int64_t step = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + dash + 1, end, step);
  return error == std::errc() && stop == end ? std::optional(step) : std::nullopt;
}

std::optional<fs::path> latest_checkpoint(const fs::path& directory, Log& log) {
  const auto candidates = candidates_in(directory, log);
  for (const fs::path& candidate : candidates) {
    const auto fault = fault_of(candidate);
    if (!fault) return candidate;
    log.warning(fmt::format("skipping the checkpoint {}: {}", candidate.string(), *fault));
  }
  if (candidates.empty()) return std::nullopt;
  throw InputError(
      "[checkpoint] none of the {} checkpoints in {} is valid (the log says why); repair one, or empty the folder to start afresh",
      candidates.size(), directory.string());
}

void keep_checkpoint(const fs::path& prefix, const KeepOptions& options, Log& log) {
  if (options.max_to_keep < 0)
    throw UsageError("[checkpoint] max_to_keep must be 0 (all) or more, got {}", options.max_to_keep);
  const BundleReader complete(prefix);
  const fs::path directory = directory_of(prefix);
  const std::string name = prefix.filename().string();
  CheckpointState state = state_or_warning(directory, log);
  auto& all = state.all_model_checkpoint_paths;
  std::erase_if(all, [&](const std::string& noted) {
    return noted == name || !fs::exists(bundle_index_path(directory / noted));
  });
  all.push_back(name);
  state.model_checkpoint_path = name;
  const auto old = take_old(all, options.max_to_keep);
  write_checkpoint_state(directory, state);
  for (const std::string& noted : old)
    if (is_in_folder(noted)) remove_checkpoint(directory / noted, log);
  remove_files(files_of(directory, is_temporary), log);
}

}  // namespace fastnn

#include "data/datasets/class_names.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "data/records/pending_file.h"
#include "engine/base/error.h"

namespace fastnn {
namespace {

constexpr int kMaxLabel = 999'999;

/// The label before the colon; -1 if there is none.
int label_of(std::string_view line) {
  int label = -1;
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return -1;
  const auto [end, error] = std::from_chars(line.data(), line.data() + colon, label);
  return error == std::errc() && end == line.data() + colon && label >= 0 && label <= kMaxLabel ? label : -1;
}

}  // namespace

std::vector<std::string> read_class_names(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw EnvironmentError("[datasets] cannot open {}: {}", file.string(), std::strerror(errno));
  std::vector<std::string> names;
  std::vector<bool> seen;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty()) continue;
    const int label = label_of(line);
    if (label < 0)
      throw InputError("[datasets] {}, line {}: expected \"label:name\" with a label of 0 to {}, got \"{}\"",
                       file.string(), number, kMaxLabel, line);
    if (label >= static_cast<int>(names.size())) {
      names.resize(std::size_t(label) + 1);
      seen.resize(names.size());
    }
    if (seen[label])
      throw InputError("[datasets] {}, line {}: label {} is named a second time", file.string(), number,
                       label);
    seen[label] = true;
    names[label] = line.substr(line.find(':') + 1);
  }
  if (names.empty()) throw InputError("[datasets] {} names no class", file.string());
  return names;
}

void write_class_names(const std::filesystem::path& file, std::span<const std::string_view> names) {
  PendingFile pending(file);
  for (std::size_t label = 0; label < names.size(); ++label)
    pending.append(fmt::format("{}:{}\n", label, names[label]));
  pending.commit();
}

}  // namespace fastnn

#include "tools/train/data_record.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace fastnn::tools {
namespace {

constexpr const char* kRecords = "fastnn/records";
constexpr const char* kClasses = "fastnn/classes";
constexpr const char* kNames = "fastnn/class_names";

Tensor number(std::int64_t value) {
  return Tensor::of<std::int64_t>(Shape{}, std::array{value});
}

Tensor bytes_of(const std::vector<std::string>& names) {
  std::vector<std::uint8_t> bytes;
  for (const std::string& name : names) {
    bytes.insert(bytes.end(), name.begin(), name.end());
    bytes.push_back(0);
  }
  return Tensor::of<std::uint8_t>(Shape{static_cast<std::int64_t>(bytes.size())}, bytes);
}

std::vector<std::string> names_of(const Tensor& tensor) {
  std::vector<std::string> names;
  std::string name;
  for (const std::uint8_t byte : tensor.values<std::uint8_t>()) {
    if (byte != 0) {
      name += static_cast<char>(byte);
      continue;
    }
    names.push_back(std::move(name));
    name.clear();
  }
  return names;
}

/// Class by name; -1 for a name of several classes. Classes without a name are left out.
std::map<std::string, std::int32_t> by_name(const std::vector<std::string>& names) {
  std::map<std::string, std::int32_t> classes;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty() && !classes.emplace(names[i], static_cast<std::int32_t>(i)).second)
      classes[names[i]] = -1;
  return classes;
}

/// At most ten of some names.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 10;
  const auto shown = std::min(names.size(), kShown);
  return fmt::format("{}{}",
                     fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "");
}

void accept_without_names(const DataRecord& data, const DataRecord& run, Log& log) {
  if (data.classes != run.classes)
    throw InputError(
        "[data] the run learned {} classes and this data has {}, and not both have names by which they could "
        "be matched; put the run's labels.txt beside the data, or set num_classes={}",
        run.classes, data.classes, run.classes);
  if (data.class_names.empty() != run.class_names.empty())
    log.warning(
        fmt::format("[data] {} names of the classes are not known: that its labels mean what the run's do is "
                    "taken on trust",
                    data.class_names.empty() ? "this data's" : "the run's"));
}

void refuse_unknown(const std::vector<std::string>& unknown, const DataRecord& run) {
  if (!unknown.empty())
    throw InputError(
        "[data] the run knows no class {}; it learned {}; rename or remove what is not among them",
        listed(unknown), listed(run.class_names));
}

void say_mapping(const DataRecord& data, const DataRecord& run, const std::vector<std::int32_t>& classes,
                 Log& log) {
  std::vector<std::string> moved;
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (classes[i] >= 0 && classes[i] != static_cast<std::int32_t>(i))
      moved.push_back(fmt::format("{} ({} -> {})", data.class_names[i], i, classes[i]));
  log.warning(
      fmt::format("[data] the classes of this data are not those of the run ({} here, {} there); labels "
                  "are mapped by name{}{}",
                  data.classes, run.classes, moved.empty() ? "" : ": ", listed(moved)));
}

}  // namespace

ExtraTensors tensors_of(const DataRecord& record) {
  ExtraTensors tensors;
  tensors.emplace(kRecords, number(record.records));
  tensors.emplace(kClasses, number(record.classes));
  if (!record.class_names.empty()) tensors.emplace(kNames, bytes_of(record.class_names));
  return tensors;
}

std::optional<DataRecord> read_data_record(const BundleReader& bundle) {
  if (!bundle.contains(kRecords) || !bundle.contains(kClasses)) return std::nullopt;
  const auto read = [&](const char* name) { return bundle.read(name).values<std::int64_t>()[0]; };
  DataRecord record{.records = read(kRecords), .classes = read(kClasses), .class_names = {}};
  if (bundle.contains(kNames)) record.class_names = names_of(bundle.read(kNames));
  return record;
}

std::vector<std::int32_t> map_classes(const DataRecord& data, const DataRecord& run, Log& log) {
  if (data.class_names.empty() || run.class_names.empty()) {
    accept_without_names(data, run, log);
    return {};
  }
  if (data.class_names == run.class_names) return {};
  const auto known = by_name(run.class_names), here = by_name(data.class_names);
  std::vector<std::int32_t> classes(static_cast<std::size_t>(data.classes), -1);
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < data.class_names.size(); ++i) {
    const std::string& name = data.class_names[i];
    if (name.empty()) continue;
    const auto found = known.find(name);
    if (found == known.end()) {
      unknown.push_back(name);
      continue;
    }
    if (found->second < 0 || here.at(name) < 0)
      throw InputError(
          "[data] the classes of this data are not those of the run, and {} names several of them", name);
    classes[i] = found->second;
  }
  refuse_unknown(unknown, run);
  say_mapping(data, run, classes, log);
  return classes;
}

MappedLabels::MappedLabels(std::shared_ptr<const SampleReader> reader, std::vector<std::int32_t> classes)
    : reader_(std::move(reader)), classes_(std::move(classes)) {}

std::int32_t MappedLabels::read(std::span<const std::byte> record, const RecordOrigin& origin,
                                const SampleKey& key, std::span<float> image, StageClock& clock) const {
  const std::int32_t label = reader_->read(record, origin, key, image, clock);
  const std::int32_t mapped = classes_.at(static_cast<std::size_t>(label));
  if (mapped < 0)
    throw InputError("[data] {}: class {} has no name by which it could be matched with the run's",
                     origin.text(), label);
  return mapped;
}

}  // namespace fastnn::tools

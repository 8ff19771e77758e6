#include "tools/fastnn_data/report.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

namespace fastnn::tools {
namespace {

std::string spread_text(std::string_view name, const Spread& spread) {
  return fmt::format("\n  {:<12} {} / {} / {}", name, spread.min, spread.median, spread.max);
}

std::string features_text(const Inspection& inspection) {
  std::string text = "\nfeatures: kind, records that have it, an example's size";
  for (const auto& [key, feature] : inspection.features)
    text +=
        fmt::format("\n  {:<32} {:<8} {:>8}  {} value{}, {} bytes", key, feature.kinds, feature.records,
                    feature.example_values, feature.example_values == 1 ? "" : "s", feature.example_bytes);
  return text;
}

std::string labels_text(const Inspection& inspection) {
  std::string text = fmt::format("\nlabels: {} different", inspection.labels.size());
  for (const auto& [label, records] : inspection.labels) {
    const bool is_named = label >= 0 && label < std::int64_t(inspection.class_names.size());
    text += fmt::format("\n  {:>6} {:>8}  {}", label, records,
                        is_named ? inspection.class_names[std::size_t(label)] : "");
    while (text.back() == ' ') text.pop_back();
  }
  return text;
}

std::string images_text(const Inspection& inspection) {
  std::string text = "\nimage formats, by content:";
  for (const auto& [format, records] : inspection.formats)
    text += fmt::format("\n  {:<12} {}", format, records);
  return text + "\nimages: smallest / median / largest" + spread_text("bytes", inspection.image_bytes) +
         spread_text("height", inspection.heights) + spread_text("width", inspection.widths);
}

}  // namespace

std::string inspection_text(const Inspection& inspection) {
  std::string text =
      fmt::format("{} files, {} records, {} bytes", inspection.files, inspection.records, inspection.bytes);
  if (inspection.bad_records > 0 || inspection.bad_files > 0)
    text += fmt::format("\n{} records cannot be read and {} files are damaged: fastnn-data check names them",
                        inspection.bad_records, inspection.bad_files);
  text += features_text(inspection);
  if (!inspection.labels.empty()) text += labels_text(inspection);
  if (!inspection.formats.empty()) text += images_text(inspection);
  return text;
}

std::string fault_text(const Fault& fault) {
  return fmt::format("{}, record {}, byte {}: {}", fault.file, fault.record, fault.byte, fault.reason);
}

std::string check_text(const CheckResult& result) {
  std::set<std::string_view> files;
  for (const Fault& fault : result.faults) files.insert(fault.file);
  const std::string checked = fmt::format("checked {} files, {} records", result.files, result.records);
  if (files.empty()) return checked + ": no fault";
  return fmt::format("[check] {}: {} faults in {} files", checked, result.faults.size(), files.size());
}

}  // namespace fastnn::tools

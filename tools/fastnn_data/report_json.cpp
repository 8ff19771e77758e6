#include <nlohmann/json.hpp>

#include "tools/fastnn_data/report.h"

namespace fastnn::tools {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes that are no UTF-8, in a file's name or a key, are replaced.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_of(const Spread& spread) {
  return {{"min", spread.min}, {"median", spread.median}, {"max", spread.max}};
}

Json labels_of(const Inspection& inspection) {
  Json labels = Json::array();
  for (const auto& [label, records] : inspection.labels) {
    Json row = {{"label", label}, {"records", records}};
    if (label >= 0 && label < std::int64_t(inspection.class_names.size()))
      row["name"] = inspection.class_names[std::size_t(label)];
    labels.push_back(row);
  }
  return labels;
}

}  // namespace

std::string inspection_json(const Inspection& inspection) {
  Json features = Json::object();
  for (const auto& [key, feature] : inspection.features)
    features[key] = {{"kinds", feature.kinds},
                     {"records", feature.records},
                     {"example_values", feature.example_values},
                     {"example_bytes", feature.example_bytes}};
  return text_of({{"files", inspection.files},
                  {"records", inspection.records},
                  {"bytes", inspection.bytes},
                  {"bad_records", inspection.bad_records},
                  {"bad_files", inspection.bad_files},
                  {"features", features},
                  {"labels", labels_of(inspection)},
                  {"formats", inspection.formats},
                  {"image_bytes", json_of(inspection.image_bytes)},
                  {"heights", json_of(inspection.heights)},
                  {"widths", json_of(inspection.widths)}});
}

std::string check_json(const CheckResult& result) {
  Json faults = Json::array();
  for (const Fault& fault : result.faults)
    faults.push_back(
        {{"file", fault.file}, {"record", fault.record}, {"byte", fault.byte}, {"reason", fault.reason}});
  return text_of({{"files", result.files}, {"records", result.records}, {"faults", faults}});
}

}  // namespace fastnn::tools

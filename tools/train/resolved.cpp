#include "tools/train/resolved.h"

#include <fmt/format.h>

#include <algorithm>

#include "nets/net_table.h"
#include "tools/train/settings.h"

namespace fastnn::tools {
namespace {

using Data = std::optional<DataRecord>;
using Resolver = std::optional<std::string> (*)(const Parameters& parameters, const Data& data);

std::string preprocessing_of(const Parameters& p) {
  return preprocessing_name(p, find_net(p.text("model_name")));
}

std::string image_size_of(const Parameters& p) {
  return std::to_string(image_size(p, find_net(p.text("model_name"))));
}

/// The luong schemes halve unless the user sets the factor.
std::string decay_factor_of(const Parameters& p) {
  const bool halves = !p.is_set("learning_rate_decay_factor") && !p.text("decay_scheme").empty();
  return fmt::format("{}", halves ? 0.5 : p.real("learning_rate_decay_factor"));
}

struct Row {
  std::string_view name;
  Resolver resolve;
};

constexpr Row kRows[] = {
    {"preprocessing_name",
     [](const Parameters& p, const Data&) { return std::optional(preprocessing_of(p)); }},
    {"train_image_size", [](const Parameters& p, const Data&) { return std::optional(image_size_of(p)); }},
    {"eval_image_size", [](const Parameters& p, const Data&) { return std::optional(image_size_of(p)); }},
    {"learning_rate_decay_factor",
     [](const Parameters& p, const Data&) { return std::optional(decay_factor_of(p)); }},
    {"dataset_split_name",
     [](const Parameters& p, const Data&) {
       return std::optional(p.has_value("dataset_split_name") ? p.text("dataset_split_name") : "train");
     }},
    {"dataset_name", [](const Parameters& p, const Data&) { return std::optional(dataset_name(p)); }},
    {"use_fp16",
     [](const Parameters& p, const Data&) {
       return std::optional<std::string>(p.is_set("use_fp16") && p.flag("use_fp16") ? "True" : "False");
     }},
    {"device",
     [](const Parameters& p, const Data&) {
       return std::optional(p.text("device") == "auto" ? "cpu" : p.text("device"));
     }},
    {"num_classes",
     [](const Parameters& p, const Data& data) -> std::optional<std::string> {
       if (p.is_set("num_classes")) return p.text("num_classes");
       return data ? std::optional(std::to_string(data->classes)) : std::nullopt;
     }},
    {"num_sample_per_epoch",
     [](const Parameters& p, const Data& data) -> std::optional<std::string> {
       if (p.is_set("num_sample_per_epoch")) return p.text("num_sample_per_epoch");
       return data ? std::optional(std::to_string(data->records)) : std::nullopt;
     }},
};

}  // namespace

std::optional<std::string> resolved_value(const Parameters& parameters, std::string_view name,
                                          const std::optional<DataRecord>& data) {
  const auto row = std::ranges::find(kRows, name, &Row::name);
  return row == std::end(kRows) ? std::nullopt : row->resolve(parameters, data);
}

std::vector<Difference> resolved_differences(const RunSettings& a, const RunSettings& b) {
  std::vector<Difference> found;
  for (Difference& difference : differences(a.parameters, b.parameters)) {
    const auto of_a = resolved_value(a.parameters, difference.name, a.data);
    const auto of_b = resolved_value(b.parameters, difference.name, b.data);
    if (of_a && of_b && *of_a == *of_b) continue;
    if (of_a && of_b) difference = {.name = difference.name, .a = *of_a, .b = *of_b};
    found.push_back(std::move(difference));
  }
  return found;
}

}  // namespace fastnn::tools

#include "data/datasets/dataset_table.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "data/synth/draw.h"
#include "data/synth/shapes.h"

namespace fastnn {
namespace {

constexpr std::string_view kDigits[] = {"zero", "one", "two",   "three", "four",
                                        "five", "six", "seven", "eight", "nine"};

std::span<const std::string_view> shape_names() {
  static const auto names = [] {
    std::vector<std::string_view> list;
    for (const ShapeClass& shape : shape_classes()) list.push_back(shape.name);
    return list;
  }();
  return names;
}

const std::array<DatasetInfo, 2>& table() {
  static const std::array rows{
      DatasetInfo{.name = "mnist",
                  .class_names = kDigits,
                  .train = {"mnist_train.tfrecord", 60000},
                  .validation = {},
                  .test = {"mnist_test.tfrecord", 10000},
                  .height = 28,
                  .width = 28,
                  .stored_channels = 1},
      DatasetInfo{.name = "shapes",
                  .class_names = shape_names(),
                  .train = {"shapes_train.tfrecord", 10000},
                  .validation = {"shapes_validation.tfrecord", 2000},
                  .test = {},
                  .height = kShapesSize,
                  .width = kShapesSize,
                  .stored_channels = 3},
  };
  return rows;
}

constexpr std::string_view kSplitNames[] = {"train", "validation", "test"};

}  // namespace

std::string_view name_of(Split split) {
  return kSplitNames[static_cast<int>(split)];
}

const SplitInfo& DatasetInfo::split(Split wanted) const {
  const SplitInfo* const splits[] = {&train, &validation, &test};
  return *splits[static_cast<int>(wanted)];
}

Split DatasetInfo::evaluation_split() const {
  return validation.files.empty() ? Split::test : Split::validation;
}

std::span<const DatasetInfo> datasets() {
  return table();
}

const DatasetInfo* find_dataset(std::string_view name) {
  const auto found = std::ranges::find(datasets(), name, &DatasetInfo::name);
  return found == datasets().end() ? nullptr : &*found;
}

std::string known_datasets() {
  std::vector<std::string_view> names;
  for (const DatasetInfo& info : datasets()) names.push_back(info.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace fastnn

#include "data/datasets/dataset_table.h"

#include <algorithm>
#include <array>

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

constexpr std::string_view kCifar10[] = {"airplane", "automobile", "bird",  "cat",  "deer",
                                         "dog",      "frog",       "horse", "ship", "truck"};
constexpr std::string_view kFlowers[] = {"daisy", "dandelion", "roses", "sunflowers", "tulips"};

const std::array<DatasetInfo, 5>& table() {
  static const std::array rows{
      DatasetInfo{.name = "cifar10",
                  .class_names = kCifar10,
                  .classes = 10,
                  .train = {"cifar10_train.tfrecord", 50000},
                  .validation = {},
                  .test = {"cifar10_test.tfrecord", 10000},
                  .height = 32,
                  .width = 32,
                  .stored_channels = 3},
      DatasetInfo{.name = "flowers",
                  .class_names = kFlowers,
                  .classes = 5,
                  .train = {"flowers_train_*", 3320},
                  .validation = {"flowers_validation_*", 350},
                  .test = {},
                  .stored_channels = 3},
      // Label 0 is "background", and no image has it.
      DatasetInfo{.name = "imagenet",
                  .class_names = {},
                  .classes = 1001,
                  .train = {"train-*", 1281167},
                  .validation = {"validation-*", 50000},
                  .test = {},
                  .stored_channels = 3},
      DatasetInfo{.name = "mnist",
                  .class_names = kDigits,
                  .classes = 10,
                  .train = {"mnist_train.tfrecord", 60000},
                  .validation = {},
                  .test = {"mnist_test.tfrecord", 10000},
                  .height = 28,
                  .width = 28,
                  .stored_channels = 1},
      DatasetInfo{.name = "shapes",
                  .class_names = shape_names(),
                  .classes = static_cast<int>(shape_names().size()),
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

std::vector<std::string_view> dataset_names() {
  std::vector<std::string_view> names;
  for (const DatasetInfo& info : datasets()) names.push_back(info.name);
  return names;
}

}  // namespace fastnn

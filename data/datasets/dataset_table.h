#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fastnn {

enum class Split { train, validation, test };

/// "train", "validation", "test".
std::string_view name_of(Split split);

/// One split of a known data set.
struct SplitInfo {
  /// Files relative to dataset_dir, as a glob pattern; empty if the data set has no such split.
  std::string_view files;
  /// Samples of the published data set.
  std::int64_t samples = 0;
};

/// A known data set of TFRecords: a row of the table of data sets.
struct DatasetInfo {
  std::string_view name;
  /// By label; used where dataset_dir has no labels.txt. May be empty.
  std::span<const std::string_view> class_names;
  /// Labels are 0 .. classes - 1.
  int classes = 0;
  SplitInfo train, validation, test;
  /// Extents of its images, 0 where they differ, and the channels they were stored with (a net may read gray
  /// ones as three).
  int height = 0;
  int width = 0;
  int stored_channels = 0;

  const SplitInfo& split(Split split) const;
  /// What to evaluate on where nobody says: validation, else test.
  Split evaluation_split() const;
};

std::span<const DatasetInfo> datasets();

/// Null if there is no such row.
const DatasetInfo* find_dataset(std::string_view name);

/// cifar10, flowers, imagenet, mnist, shapes.
std::vector<std::string_view> dataset_names();

}  // namespace fastnn

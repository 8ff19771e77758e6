#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/datasets/dataset_table.h"
#include "data/datasets/image_example.h"
#include "data/datasets/path_map.h"
#include "engine/base/log.h"

namespace fastnn {

struct DatasetOptions {
  /// A row of the table of data sets, or any other name where the files are given below.
  std::string dataset_name{};
  std::filesystem::path dataset_dir{};
  /// For evaluation, DatasetInfo::evaluation_split() says what a known data set has.
  Split split = Split::train;
  /// Comma-separated names and glob patterns, relative to dataset_dir; they win over file_pattern, and that
  /// over the table. train_files serves the split train, eval_files the others.
  std::string train_files{};
  std::string eval_files{};
  /// For all splits; "%s" stands for the split's name.
  std::string file_pattern{};
  /// Applied to dataset_dir and to each file named.
  PathMap path_map{};
  /// Keys of the two features of a record.
  std::string image_feature{"image/encoded"};
  std::string label_feature{"image/class/label"};
  /// Subtracted from every label: 1 for ImageNet labels 1..1000 and a net of 1000 classes.
  int labels_offset = 0;
  /// 0: from labels.txt in dataset_dir, else from the table.
  int num_classes = 0;
};

/// The files and classes of one split of a data set; reads no records. The files are TFRecords, or the images
/// of a folder of class folders: that is what the one folder named as the files is, if it holds such, and,
/// for a data set that is not known and whose files nobody names, dataset_dir/SPLIT or dataset_dir. Its
/// classes are those of labels.txt in dataset_dir, else the sorted names of the folders of dataset_dir/train
/// or, where that holds none, its own.
class Dataset {
 public:
  /// Throws UsageError for an unknown name without files, a split the data set does not have, a number of
  /// classes that cannot be known, one that is too small for a label of labels.txt, and addresses such as
  /// oss://; InputError where files are missing (list_files) or labels.txt is damaged. Warns where
  /// num_classes is larger than the number of classes named.
  Dataset(const DatasetOptions& options, Log& log);

  const std::string& name() const { return name_; }
  Split split() const { return split_; }
  /// Sorted, at least one; none where image_folder() is set.
  const std::vector<std::filesystem::path>& files() const { return files_; }
  /// The folder of class folders; empty where the files are TFRecords.
  const std::filesystem::path& image_folder() const { return image_folder_; }
  /// Names by label, as the image folder's source needs them.
  const std::vector<std::string>& label_names() const { return label_names_; }
  const ImageSchema& schema() const { return schema_; }
  int classes() const { return classes_; }
  int labels_offset() const { return labels_offset_; }
  /// By class (labels_offset subtracted); shorter than classes() where names are not known, or empty.
  const std::vector<std::string>& class_names() const { return class_names_; }
  /// Samples of the published split where its own files are read.
  std::optional<std::int64_t> published_samples() const { return published_samples_; }

 private:
  void find_files(const DatasetOptions& options, const DatasetInfo* info, Log& log);
  void find_classes(const DatasetOptions& options, const DatasetInfo* info, Log& log);

  std::string name_;
  Split split_;
  std::vector<std::filesystem::path> files_;
  std::filesystem::path image_folder_;
  ImageSchema schema_;
  std::vector<std::string> label_names_;
  int classes_ = 0;
  int labels_offset_ = 0;
  std::vector<std::string> class_names_;
  std::optional<std::int64_t> published_samples_;
};

}  // namespace fastnn

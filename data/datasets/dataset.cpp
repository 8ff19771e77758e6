#include "data/datasets/dataset.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "data/datasets/class_names.h"
#include "data/datasets/file_list.h"
#include "data/datasets/image_folder.h"
#include "engine/base/error.h"
#include "engine/base/names.h"

namespace fastnn {
namespace fs = std::filesystem;
namespace {

/// Which files to look for, and who said so.
struct FileChoice {
  std::string list;
  std::string option;
};

std::string replace_split(std::string pattern, std::string_view split) {
  for (std::size_t at = 0; (at = pattern.find("%s", at)) != std::string::npos; at += split.size())
    pattern.replace(at, 2, split);
  return pattern;
}

std::string splits_of(const DatasetInfo& info) {
  std::vector<std::string_view> names;
  for (const Split split : {Split::train, Split::validation, Split::test})
    if (!info.split(split).files.empty()) names.push_back(name_of(split));
  return fmt::format("{}", fmt::join(names, ", "));
}

FileChoice choose_files(const DatasetOptions& options, const DatasetInfo* info) {
  const bool training = options.split == Split::train;
  const std::string& given = training ? options.train_files : options.eval_files;
  const std::string_view given_option = training ? "train_files" : "eval_files";
  if (!given.empty()) return {given, std::string(given_option)};
  if (!options.file_pattern.empty())
    return {replace_split(options.file_pattern, name_of(options.split)), "file_pattern"};
  if (info == nullptr)
    throw UsageError("[datasets] {}; for a data set of your own give {} or file_pattern",
                     unknown_name("data set", options.dataset_name, dataset_names()), given_option);
  const SplitInfo& split = info->split(options.split);
  if (split.files.empty())
    throw UsageError("[datasets] {} has no split {}; it has: {}", info->name, name_of(options.split),
                     splits_of(*info));
  return {std::string(split.files), fmt::format("dataset {}", info->name)};
}

/// Names by label, and where they come from.
struct LabelNames {
  std::vector<std::string> names;
  std::string source;
};

LabelNames find_names(const fs::path& folder, const fs::path& image_folder, const DatasetInfo* info) {
  const fs::path file = folder / kClassNamesFile;
  if (fs::exists(file)) return {read_class_names(file), file.string()};
  if (!image_folder.empty()) {
    const fs::path train = folder / name_of(Split::train);
    const fs::path& named = is_image_folder(train) ? train : image_folder;
    return {class_folders(named), fmt::format("the folders in {}", named.string())};
  }
  if (info == nullptr) return {};
  return {{info->class_names.begin(), info->class_names.end()}, fmt::format("dataset {}", info->name)};
}

DatasetOptions with_local_paths(DatasetOptions options) {
  options.dataset_dir = options.path_map.mapped(options.dataset_dir.string());
  for (std::string* list : {&options.train_files, &options.eval_files, &options.file_pattern})
    *list = options.path_map.mapped_list(*list);
  return options;
}

/// The folder of class folders that the options stand for; empty if they stand for none.
fs::path find_image_folder(const DatasetOptions& options, const DatasetInfo* info) {
  const std::string& given = options.split == Split::train ? options.train_files : options.eval_files;
  std::vector<fs::path> candidates;
  if (!given.empty())
    candidates = {options.dataset_dir / given};
  else if (!options.file_pattern.empty())
    candidates = {options.dataset_dir / replace_split(options.file_pattern, name_of(options.split))};
  else if (info == nullptr && !options.dataset_dir.empty())
    candidates = {options.dataset_dir / name_of(options.split), options.dataset_dir};
  const auto found = std::ranges::find_if(candidates, is_image_folder);
  return found == candidates.end() ? fs::path() : *found;
}

}  // namespace

Dataset::Dataset(const DatasetOptions& given, Log& log)
    : name_(given.dataset_name), split_(given.split), labels_offset_(given.labels_offset) {
  const DatasetOptions options = with_local_paths(given);
  require_local(options.dataset_dir.string(), "dataset_dir");
  const DatasetInfo* info = find_dataset(options.dataset_name);
  schema_ = {.image_feature = options.image_feature, .label_feature = options.label_feature};
  if (info != nullptr)
    schema_.raw_shape = {.height = info->height, .width = info->width, .channels = info->stored_channels};
  find_files(options, info, log);
  find_classes(options, info, log);
}

void Dataset::find_files(const DatasetOptions& options, const DatasetInfo* info, Log& log) {
  image_folder_ = find_image_folder(options, info);
  if (!image_folder_.empty()) return;
  const FileChoice choice = choose_files(options, info);
  files_ = list_files(options.dataset_dir, choice.list, choice.option, log);
  if (info != nullptr && choice.list == info->split(split_).files)
    published_samples_ = info->split(split_).samples;
}

void Dataset::find_classes(const DatasetOptions& options, const DatasetInfo* info, Log& log) {
  const fs::path first = image_folder_.empty() ? files_.front() : image_folder_;
  const fs::path folder = options.dataset_dir.empty() ? first.parent_path() : options.dataset_dir;
  const LabelNames labels = find_names(folder, image_folder_, info);
  label_names_ = labels.names;
  const int labelled = labels.names.empty() && info != nullptr ? info->classes : int(labels.names.size());
  const int named = labelled - labels_offset_;
  classes_ = options.num_classes > 0 ? options.num_classes : named;
  if (options.num_classes < 0 || classes_ < 1)
    throw UsageError(
        "[datasets] the number of classes is not known: got num_classes {}, labels_offset {} and {} names ({}); set num_classes, or put a {} of lines \"label:name\" into {}",
        options.num_classes, labels_offset_, labels.names.size(),
        labels.source.empty() ? "no labels file" : labels.source, kClassNamesFile,
        folder.empty() ? "." : folder.string());
  if (labels.names.empty()) return;
  if (named > classes_)
    throw UsageError(
        "[datasets] label {} (\"{}\") of {} does not fit: num_classes is {}, labels_offset {}; set num_classes to {}, or labels_offset where labels start at 1",
        labels.names.size() - 1, labels.names.back(), labels.source, classes_, labels_offset_, named);
  if (named < classes_)
    log.warning(
        fmt::format("[datasets] num_classes is {}, but {} names {} classes: the others never get a sample",
                    classes_, labels.source, named));
  for (int c = 0; c < named; ++c)
    class_names_.push_back(c + labels_offset_ < 0 ? std::string() : labels.names[c + labels_offset_]);
}

}  // namespace fastnn

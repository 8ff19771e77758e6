#include "tools/train/input.h"

#include <fmt/ranges.h>

#include <span>
#include <vector>

#include "data/datasets/dataset.h"
#include "data/datasets/image_folder.h"
#include "data/datasets/image_reader.h"
#include "data/datasets/mock.h"
#include "data/records/record_set.h"
#include "tools/train/settings.h"

namespace fastnn::tools {
namespace {

ImageShape image_shape(const Parameters& parameters, const NetEntry& net) {
  const auto size = static_cast<int>(image_size(parameters, net));
  return {.height = size, .width = size, .channels = 3};
}

/// FastNN's default, there for any data set.
constexpr std::int64_t kMockClasses = 100;
constexpr std::int64_t kMockEvaluationSamples = 1000;

constexpr const char* kNotForMock[] = {
    "dataset_dir",        "train_files",        "eval_files",       "file_pattern",
    "path_map",           "dataset_split_name", "labels_offset",    "image_feature",
    "label_feature",      "bad_record_policy",  "bad_record_limit", "index_dir",
    "preprocessing_name", "jpeg_dct",           "exif_orientation", "datasets_use_caching"};
constexpr const char* kNotForFolders[] = {"index_dir", "datasets_use_caching"};

/// Says which parameters the user set that this kind of data does not read.
void warn_of_idle(const Parameters& parameters, std::span<const char* const> idle, std::string_view data,
                  Log& log) {
  std::vector<std::string_view> set;
  for (const char* name : idle)
    if (parameters.is_set(name)) set.push_back(name);
  if (!set.empty()) log.warning(fmt::format("set without effect on {}: {}", data, fmt::join(set, ", ")));
}

Input mock_input(const Parameters& parameters, const NetEntry& net, Log& log) {
  warn_of_idle(parameters, kNotForMock, "synthetic data (dataset_name is mock)", log);
  const bool training = parameters.program() == Program::train;
  const std::int64_t classes = integer_if_set(parameters, "num_classes").value_or(kMockClasses);
  const std::int64_t samples = training ? parameters.integer("num_sample_per_epoch") : kMockEvaluationSamples;
  const MockOptions options{.image = image_shape(parameters, net),
                            .classes = static_cast<int>(classes),
                            .samples = samples,
                            .seed = training ? std::uint64_t(parameters.integer("seed")) : 0};
  return {.records = std::make_shared<MockRecords>(samples),
          .reader = std::make_shared<MockReader>(options, log),
          .num_classes = classes};
}

void open_records(Input& input, const Dataset& dataset, const Parameters& parameters, Log& log) {
  if (!dataset.image_folder().empty()) {
    warn_of_idle(parameters, kNotForFolders, "class folders", log);
    input.records = std::make_shared<ImageFolder>(dataset.image_folder(), dataset.label_names(), log);
    return;
  }
  const RecordSetOptions options = record_set_options(parameters);
  input.records = std::make_shared<RecordSet>(dataset.files(), options, log);
  input.cache_bytes = options.cache_bytes;
}

Input open_data(const Parameters& parameters, const NetEntry& net, Log& log) {
  if (dataset_name(parameters) == kMockDataset) return mock_input(parameters, net, log);
  const bool training = parameters.program() == Program::train;
  if (!parameters.is_set("dataset_name"))
    log.info(fmt::format("data set {}, named by its folder; dataset_name gives it another name",
                         dataset_name(parameters)));
  const Dataset dataset(dataset_options(parameters), log);
  auto preprocessing =
      make_preprocessing(preprocessing_name(parameters, net),
                         {.mode = training ? PreprocessingMode::training : PreprocessingMode::evaluation,
                          .output = image_shape(parameters, net)});
  Input input{.records = nullptr,
              .reader = std::make_shared<ImageReader>(dataset, decode_options(parameters),
                                                      std::move(preprocessing), log),
              .num_classes = dataset.classes(),
              .class_names = dataset.class_names()};
  open_records(input, dataset, parameters, log);
  return input;
}

void use_classes_of(const DataRecord& run, Input& input, Log& log) {
  const std::vector<std::int32_t> classes = map_classes(data_record_of(input), run, log);
  if (!classes.empty()) input.reader = std::make_shared<MappedLabels>(input.reader, classes);
  input.num_classes = run.classes;
  if (!run.class_names.empty()) input.class_names = run.class_names;
}

}  // namespace

Input open_input(const Parameters& parameters, const NetEntry& net, const std::optional<DataRecord>& run,
                 Log& log) {
  Input input = open_data(parameters, net, log);
  if (run) use_classes_of(*run, input, log);
  return input;
}

DataRecord data_record_of(const Input& input) {
  return {.records = input.records->size(), .classes = input.num_classes, .class_names = input.class_names};
}

}  // namespace fastnn::tools

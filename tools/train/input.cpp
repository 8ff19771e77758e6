#include "tools/train/input.h"

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

Input mock_input(const Parameters& parameters, const NetEntry& net, Log& log) {
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

std::shared_ptr<const RecordSource> open_records(const Dataset& dataset, const Parameters& parameters,
                                                 Log& log) {
  if (!dataset.image_folder().empty())
    return std::make_shared<ImageFolder>(dataset.image_folder(), dataset.label_names(), log);
  return std::make_shared<RecordSet>(dataset.files(), record_set_options(parameters), log);
}

}  // namespace

Input open_input(const Parameters& parameters, const NetEntry& net, Log& log) {
  if (parameters.text("dataset_name") == kMockDataset) return mock_input(parameters, net, log);
  const bool training = parameters.program() == Program::train;
  const Dataset dataset(dataset_options(parameters), log);
  auto preprocessing =
      make_preprocessing(preprocessing_name(parameters, net),
                         {.mode = training ? PreprocessingMode::training : PreprocessingMode::evaluation,
                          .output = image_shape(parameters, net)});
  return {.records = open_records(dataset, parameters, log),
          .reader = std::make_shared<ImageReader>(dataset, decode_options(parameters),
                                                  std::move(preprocessing), log),
          .num_classes = dataset.classes()};
}

}  // namespace fastnn::tools

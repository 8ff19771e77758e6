#include "tools/train/input.h"

#include "data/datasets/dataset.h"
#include "data/datasets/image_reader.h"
#include "tools/train/settings.h"

namespace fastnn::tools {
namespace {

ImageShape image_shape(const Parameters& parameters, const NetEntry& net) {
  const auto size = static_cast<int>(image_size(parameters, net));
  return {.height = size, .width = size, .channels = 3};
}

}  // namespace

Input open_input(const Parameters& parameters, const NetEntry& net, Log& log) {
  const bool training = parameters.program() == Program::train;
  const Dataset dataset(dataset_options(parameters), log);
  auto preprocessing =
      make_preprocessing(preprocessing_name(parameters, net),
                         {.mode = training ? PreprocessingMode::training : PreprocessingMode::evaluation,
                          .output = image_shape(parameters, net)});
  return {
      .records = std::make_shared<RecordSet>(dataset.files(), RecordSetOptions{cache_bytes(parameters)}, log),
      .reader = std::make_shared<ImageReader>(dataset, std::move(preprocessing)),
      .num_classes = dataset.classes()};
}

}  // namespace fastnn::tools

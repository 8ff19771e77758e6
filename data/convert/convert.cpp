#include "data/convert/convert.h"

#include <algorithm>

#include "data/convert/cifar10.h"
#include "data/convert/class_folders.h"
#include "data/convert/mnist.h"
#include "data/datasets/file_list.h"
#include "engine/base/error.h"
#include "engine/base/names.h"

namespace fastnn {
namespace {

constexpr Converter kConverters[] = {
    {"cifar10", "CIFAR-10's binary version, or folders train and test of its class folders", convert_cifar10},
    {"mnist", "the four IDX files of MNIST, plain or .gz", convert_mnist},
};

std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names;
  for (const Converter& converter : kConverters) names.push_back(converter.dataset);
  return names;
}

}  // namespace

std::span<const Converter> converters() {
  return kConverters;
}

std::vector<WrittenFile> convert_dataset(std::string_view dataset, const ConvertOptions& options,
                                         const WriteProgress& progress, Log& log) {
  require_local(options.input_dir.string(), "input_dir");
  require_local(options.output_dir.string(), "output_dir");
  const auto* converter = std::ranges::find(kConverters, dataset, &Converter::dataset);
  if (converter != std::end(kConverters)) return converter->convert(options, progress, log);
  if (!holds_class_folders(options.input_dir))
    throw UsageError(
        "[convert] {}; a data set of any other name is converted from class folders (FOLDER/CLASS/*.jpg), and {} holds none",
        unknown_name("converter for dataset_name", dataset, known_names()), options.input_dir.string());
  return convert_class_folders(dataset, options, progress, log);
}

}  // namespace fastnn

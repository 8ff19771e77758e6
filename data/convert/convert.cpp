#include "data/convert/convert.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "data/convert/mnist.h"
#include "data/datasets/file_list.h"
#include "engine/core/error.h"

namespace fastnn {
namespace {

constexpr Converter kConverters[] = {
    {"mnist", "the four IDX files of MNIST, plain or .gz", convert_mnist},
};

std::string known_names() {
  std::vector<std::string_view> names;
  for (const Converter& converter : kConverters) names.push_back(converter.dataset);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::span<const Converter> converters() {
  return kConverters;
}

std::vector<WrittenFile> convert_dataset(std::string_view dataset, const ConvertOptions& options,
                                         const WriteProgress& progress) {
  const auto* converter = std::ranges::find(kConverters, dataset, &Converter::dataset);
  if (converter == std::end(kConverters))
    throw UsageError("[convert] no converter for dataset_name \"{}\"; known: {}", dataset, known_names());
  require_local(options.input_dir.string(), "input_dir");
  require_local(options.output_dir.string(), "output_dir");
  return converter->convert(options, progress);
}

}  // namespace fastnn

#include "data/preprocess/preprocessing.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "data/preprocess/lenet.h"
#include "engine/core/error.h"

namespace fastnn {
namespace {

constexpr PreprocessingEntry kPreprocessings[] = {
    {"lenet", "crop or pad to the size, then (x - 128) / 128", make_lenet_preprocessing},
};

std::string known_names() {
  std::vector<std::string_view> names;
  for (const PreprocessingEntry& entry : kPreprocessings) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::span<const PreprocessingEntry> preprocessings() {
  return kPreprocessings;
}

std::unique_ptr<Preprocessing> make_preprocessing(std::string_view name,
                                                  const PreprocessingOptions& options) {
  const auto* entry = std::ranges::find(kPreprocessings, name, &PreprocessingEntry::name);
  if (entry == std::end(kPreprocessings))
    throw UsageError("[preprocess] unknown preprocessing \"{}\"; known: {}", name, known_names());
  const ImageShape& output = options.output;
  if (output.height < 1 || output.width < 1 || output.channels < 1)
    throw UsageError("[preprocess] {}: an image needs at least one pixel and channel, got {} x {} x {}", name,
                     output.height, output.width, output.channels);
  return entry->make(options);
}

}  // namespace fastnn

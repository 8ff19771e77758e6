#include "data/datasets/mock.h"

#include <algorithm>
#include <cstring>

#include "engine/base/error.h"
#include "engine/base/hash.h"
#include "kernels/philox.h"

namespace fastnn {

MockRecords::MockRecords(std::int64_t samples) : samples_(samples) {
  if (samples < 1) throw UsageError("[datasets] the data set mock needs a sample, got {}", samples);
}

Record MockRecords::read(std::int64_t record, std::vector<std::byte>& room) const {
  room.resize(sizeof record);
  std::memcpy(room.data(), &record, sizeof record);
  return {.payload = room, .origin = {.file = kMockDataset, .record = record}};
}

MockReader::MockReader(const MockOptions& options, Log& log) : options_(options) {
  if (options.classes < 1 || options.images < 1 || options.image.elements() < 1)
    throw UsageError("[datasets] the data set mock needs classes, images and pixels; got {}, {} and {}",
                     options.classes, options.images, options.image.elements());
  constexpr std::uint64_t kLabels = fnv1a64("data/mock/label"), kPixels = fnv1a64("data/mock/pixel");
  const kernels::RandomState state{.seed = options.seed};
  images_.reserve(options.image.elements() * static_cast<std::size_t>(options.images));
  for (std::uint64_t image = 0; image < static_cast<std::uint64_t>(options.images); ++image) {
    labels_.push_back(static_cast<std::int32_t>(kernels::random_words(state, kLabels, image, 0)[0] %
                                                static_cast<std::uint32_t>(options.classes)));
    const std::size_t end = images_.size() + options.image.elements();
    for (std::uint32_t block = 0; images_.size() < end; ++block)
      for (const std::uint32_t word : kernels::random_words(state, kPixels, image, block))
        if (images_.size() < end) images_.push_back(2 * kernels::uniform01(word) - 1);
  }
  log.warning(fmt::format(
      "SYNTHETIC DATA: dataset_name is mock; {} images of noise with random labels of {} classes are used again and again: rates are real, accuracy and loss mean nothing",
      options.images, options.classes));
}

std::int32_t MockReader::read(std::span<const std::byte> record, const RecordOrigin&, const SampleKey&,
                              std::span<float> image, StageClock& clock) const {
  std::int64_t number = 0;
  std::memcpy(&number, record.data(), sizeof number);
  const auto which = static_cast<std::size_t>(number % options_.images);
  std::copy_n(images_.begin() + static_cast<std::ptrdiff_t>(which * image.size()), image.size(),
              image.begin());
  clock.finish(Stage::preprocess);
  return labels_[which];
}

}  // namespace fastnn

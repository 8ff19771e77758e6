#include "bench/input_bench.h"

#include <algorithm>
#include <array>

#include "data/datasets/file_list.h"
#include "data/datasets/image_example.h"
#include "data/datasets/image_reader.h"
#include "data/images/encoded_image.h"
#include "data/records/example.h"
#include "engine/base/error.h"
#include "engine/plan/profile.h"

namespace fastnn::bench {
namespace {

/// Any label will do: what it means costs no time.
constexpr int kMostClasses = 1'000'000;

std::unique_ptr<Preprocessing> preprocessing_of(const InputOptions& options) {
  return make_preprocessing(options.preprocessing,
                            {.mode = PreprocessingMode::training,
                             .output = {.height = options.image_size, .width = options.image_size}});
}

/// Keeps which part a preprocessing asks for.
class PartSource final : public ImageSource {
 public:
  explicit PartSource(const EncodedImage& image) : image_(image) {}
  int height() const override { return image_.info().height; }
  int width() const override { return image_.info().width; }
  void decode_crop(const Rectangle& crop, Image& out) const override {
    part_ = crop;
    image_.decode_crop(crop, out);
  }
  const Rectangle& part() const { return part_; }

 private:
  const EncodedImage& image_;
  mutable Rectangle part_{};
};

/// What the training decodes of one record.
struct EncodedPart {
  std::vector<std::byte> encoded;
  Rectangle part;
};

/// One core's work on sample after sample.
class SampleLoop {
 public:
  SampleLoop(const InputOptions& options, const InputRun& input)
      : options_(options), input_(input), pixels_(input.reader().image_shape().elements()) {}

  /// The next sample; adds the seconds of its stages.
  void sample(std::span<double> seconds) {
    StageTimes times;
    StageClock clock(times);
    const Record record = input_.records().read(next_ % input_.records().size(), room_);
    clock.finish(Stage::read);
    input_.reader().read(record.payload, record.origin, {.seed = 1, .position = next_}, pixels_, clock);
    ++next_;
    for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] += times.seconds(static_cast<Stage>(i));
  }

  /// The parts of the first samples, so many that they do not stay in a cache.
  std::vector<EncodedPart> parts() {
    constexpr std::int64_t kMostParts = 500;
    const auto preprocessing = preprocessing_of(options_);
    std::vector<EncodedPart> parts;
    for (std::int64_t i = 0; i < std::min(input_.records().size(), kMostParts); ++i) {
      const Record record = input_.records().read(i, room_);
      const Example example(record.payload, record.origin);
      const auto encoded = parse_image_example(example, {}).encoded;
      const EncodedImage image(encoded, decode_options());
      const PartSource source(image);
      preprocessing->run(
          source, {.key = {.seed = 1, .position = i}, .boxes = parse_boxes(example, record.origin)}, pixels_);
      parts.push_back({{encoded.begin(), encoded.end()}, source.part()});
    }
    return parts;
  }

  DecodeOptions decode_options() const { return {.jpeg_dct = options_.jpeg_dct}; }

 private:
  const InputOptions& options_;
  const InputRun& input_;
  std::vector<float> pixels_;
  std::vector<std::byte> room_;
  std::int64_t next_ = 0;
};

/// Samples and decoding alone by turns: parts 0 .. 2 are the stages of a sample, 3 is the sample, 4 the
/// decoding.
std::vector<Measurement> measure_core(const InputOptions& options, const InputRun& input,
                                      const ProtocolOptions& protocol) {
  SampleLoop loop(options, input);
  const auto parts = loop.parts();
  Image image;
  std::size_t next = 0;
  const auto call = [&](std::span<double> seconds) {
    const double begin = seconds_now();
    loop.sample(seconds.first(3));
    const double middle = seconds_now();
    const EncodedPart& part = parts[next++ % parts.size()];
    EncodedImage(part.encoded, loop.decode_options()).decode_crop(part.part, image);
    seconds[3] += middle - begin;
    seconds[4] += seconds_now() - middle;
  };
  return measure_parts(call, 5, protocol).parts;
}

Measurement per_image(Measurement batch, int batch_size) {
  for (double* seconds : {&batch.median, &batch.fastest, &batch.slowest}) *seconds /= batch_size;
  return batch;
}

}  // namespace

InputRun::InputRun(const InputOptions& options, Log& log)
    : records_(
          std::make_shared<RecordSet>(list_files("", options.files, "files", log), RecordSetOptions{}, log)),
      reader_(std::make_shared<ImageReader>(
          ImageReader::Options{.classes = kMostClasses, .decode = {.jpeg_dct = options.jpeg_dct}},
          preprocessing_of(options), log)),
      pipeline_(records_, reader_,
                {.batch_size = options.batch_size,
                 .threads = options.threads,
                 .prefetch_batches = kPrefetch,
                 .niceness = 0},
                log) {}

InputResult bench_input(const InputOptions& options, const ProtocolOptions& protocol, Log& log) {
  InputResult result{.options = options};
  auto input = std::make_unique<InputRun>(options, log);
  result.records = input->records().size();
  result.record_bytes =
      static_cast<double>(input->records().payload_bytes()) / static_cast<double>(result.records);
  // The threads have filled their batches when the core is measured, and wait.
  for (int i = 0; i < input->batches_ahead(); ++i) input->next();
  const auto parts = measure_core(options, *input, protocol);
  result.read = parts[0];
  result.decode = parts[1];
  result.preprocess = parts[2];
  result.sample = parts[3];
  result.decode_alone = parts[4];
  result.batch = per_image(measure([&] { input->next(); }, protocol), options.batch_size);
  return result;
}

}  // namespace fastnn::bench

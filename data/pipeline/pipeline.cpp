#include "data/pipeline/pipeline.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/base/error.h"

namespace fastnn {
namespace {

using Mode = PipelineOptions::Mode;

void require_at_least(std::string_view name, std::int64_t value, std::int64_t least) {
  if (value < least) throw UsageError("[data] {} must be {} or more, got {}", name, least, value);
}

PipelineOptions checked(const PipelineOptions& options) {
  require_at_least("batch_size", options.batch_size, 1);
  require_at_least("threads", options.threads, 1);
  require_at_least("prefetch_batches", options.prefetch_batches, 1);
  require_at_least("max_bytes", options.max_bytes, 1);
  require_at_least("first_position", options.first_position, 0);
  require_at_least("shuffle_buffer_size", options.shuffle_buffer_size, 0);
  require_at_least("ranks", options.ranks, 1);
  require_at_least("bad_record_limit", options.bad_record_limit, 0);
  if (options.rank < 0 || options.rank >= options.ranks)
    throw UsageError("[data] rank must be in [0, {}), got {}", options.ranks, options.rank);
  return options;
}

/// The label of a row whose record is bad and stays out of an evaluation.
constexpr std::int32_t kLeftOut = -1;

OrderOptions order_options(const PipelineOptions& options) {
  if (options.mode == Mode::evaluation)
    return {.seed = options.seed, .shuffle_buffer_size = 0, .files = FileOrder::given};
  return {
      .seed = options.seed, .shuffle_buffer_size = options.shuffle_buffer_size, .files = FileOrder::shuffled};
}

BadRecordFate fate_of_bad(const PipelineOptions& options) {
  return options.mode == Mode::evaluation ? BadRecordFate::left_out : BadRecordFate::replaced;
}

std::int64_t global_batch(const PipelineOptions& options) {
  return std::int64_t{options.batch_size} * options.ranks;
}

std::int64_t batches_of(const PipelineOptions& options, std::int64_t records) {
  if (options.mode == Mode::training) return std::numeric_limits<std::int64_t>::max();
  const std::int64_t left = std::max(std::int64_t{0}, records - options.first_position);
  return (left + global_batch(options) - 1) / global_batch(options);
}

/// Lowers the number of batches to the limit of bytes, and says what memory is used.
BatchRingOptions ring_options(const PipelineOptions& options, const ImageShape& image, std::int64_t records,
                              Log& log) {
  BatchRingOptions ring{.slots = 1,
                        .rows = options.batch_size,
                        .image_elements = image.elements(),
                        .batches = batches_of(options, records)};
  const std::int64_t most = options.max_bytes / BatchRing::bytes_of(ring) - 1;
  const int prefetch = static_cast<int>(std::clamp<std::int64_t>(most, 1, options.prefetch_batches));
  ring.slots = prefetch + 1;
  if (prefetch < options.prefetch_batches)
    log.warning(fmt::format("prefetch_batches lowered from {} to {}: all batches may take {} bytes",
                            options.prefetch_batches, prefetch, options.max_bytes));
  log.info(fmt::format("input: {} threads, {} batches of [{},{},{},{}] in {} bytes", options.threads,
                       ring.slots, options.batch_size, image.height, image.width, image.channels,
                       BatchRing::bytes_of(ring)));
  return ring;
}

}  // namespace

Pipeline::Pipeline(std::shared_ptr<const RecordSource> records, std::shared_ptr<const SampleReader> reader,
                   const PipelineOptions& options, Log& log)
    : records_(std::move(records)),
      reader_(std::move(reader)),
      options_(checked(options)),
      ring_options_(ring_options(options_, reader_->image_shape(), records_->size(), log)),
      order_(records_->records_per_file(), order_options(options_)),
      bad_records_(options_.bad_records, options_.bad_record_limit, fate_of_bad(options_), log),
      ring_(ring_options_) {
  start_threads();
}

Pipeline::~Pipeline() {
  stop_threads();
}

void Pipeline::start_threads() {
  threads_.reserve(static_cast<std::size_t>(options_.threads));
  try {
    for (int i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    stop_threads();
    throw EnvironmentError("[data] cannot start {} input threads: {}; lower the number of threads",
                           options_.threads, error.what());
  }
}

void Pipeline::stop_threads() {
  ring_.stop();
  for (std::thread& thread : threads_) thread.join();
}

void Pipeline::work() {
  // On Linux a priority belongs to the thread. A refusal (a negative niceness) costs speed, not correctness.
  ::setpriority(PRIO_PROCESS, static_cast<::id_t>(::gettid()), options_.niceness);
  std::vector<std::byte> room;
  StageClock clock(times_);
  while (const auto row = ring_.claim()) {
    clock.finish(Stage::batch);
    std::exception_ptr error;
    try {
      fill(*row, room, clock);
    } catch (...) {
      error = std::current_exception();
    }
    ring_.finish(*row, std::move(error));
  }
}

void Pipeline::fill(const BatchRing::Row& row, std::vector<std::byte>& room, StageClock& clock) {
  const auto index = static_cast<std::size_t>(row.row);
  const auto image =
      ring_.images(row.batch).subspan(index * ring_options_.image_elements, ring_options_.image_elements);
  std::int32_t& label = ring_.labels(row.batch)[index];
  const std::int64_t first_position = first_position_of(row.batch);
  if (row.row >= valid_rows(first_position)) {
    std::fill(image.begin(), image.end(), 0.0F);
    label = 0;
    return;
  }
  label = read_good(first_position + row.row, image, room, clock);
}

std::int32_t Pipeline::read_good(std::int64_t position, std::span<float> image, std::vector<std::byte>& room,
                                 StageClock& clock) {
  const SampleKey key{.seed = options_.seed, .position = position};
  for (std::int64_t further = 0; further < order_.size(); ++further) {
    const std::int64_t number = order_.record(position + further);
    try {
      const Record record = records_->read(number, room);
      clock.finish(Stage::read);
      return reader_->read(record.payload, record.origin, key, image, clock);
    } catch (const InputError& error) {
      if (bad_records_.policy() == BadRecordPolicy::fail) throw;
      bad_records_.add(number, error);
      if (options_.mode == Mode::evaluation) return kLeftOut;
    }
  }
  throw InputError("[data] none of the {} records is good; correct the data set", order_.size());
}

std::int64_t Pipeline::first_position_of(std::int64_t batch) const {
  return options_.first_position + batch * global_batch(options_) +
         std::int64_t{options_.rank} * options_.batch_size;
}

int Pipeline::valid_rows(std::int64_t first_position) const {
  if (options_.mode == Mode::training) return options_.batch_size;
  return static_cast<int>(std::clamp<std::int64_t>(order_.size() - first_position, 0, options_.batch_size));
}

const Batch* Pipeline::next() {
  const auto number = ring_.next();
  if (!number) return nullptr;
  batch_.first_position = first_position_of(*number);
  batch_.valid = valid_rows(batch_.first_position);
  batch_.images = ring_.images(*number);
  batch_.labels = ring_.labels(*number);
  if (options_.mode == Mode::evaluation) batch_.valid = close_gaps(*number, batch_.valid);
  samples_ += batch_.valid;
  return &batch_;
}

int Pipeline::close_gaps(std::int64_t batch, int rows) {
  const std::span<float> images = ring_.images(batch);
  const std::span<std::int32_t> labels = ring_.labels(batch).first(static_cast<std::size_t>(rows));
  const auto image = [&](std::size_t row) {
    return images.subspan(row * ring_options_.image_elements, ring_options_.image_elements);
  };
  std::size_t kept = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] == kLeftOut) continue;
    if (kept != row) {
      std::ranges::copy(image(row), image(kept).begin());
      labels[kept] = labels[row];
    }
    ++kept;
  }
  for (std::size_t row = kept; row < labels.size(); ++row) {
    std::ranges::fill(image(row), 0.0F);
    labels[row] = 0;
  }
  return static_cast<int>(kept);
}

PipelineStatistics Pipeline::statistics() const {
  PipelineStatistics statistics{.wait_seconds = ring_.wait_seconds(),
                                .samples = samples_,
                                .memory_bytes = BatchRing::bytes_of(ring_options_),
                                .bad_records = bad_records_.count()};
  for (int i = 0; i < kStages; ++i)
    statistics.stage_seconds[static_cast<std::size_t>(i)] = times_.seconds(static_cast<Stage>(i));
  return statistics;
}

std::string describe(const PipelineStatistics& s) {
  const double all = std::accumulate(s.stage_seconds.begin(), s.stage_seconds.end(), 0.0);
  const auto share = [&](Stage stage) {
    return all > 0 ? 100 * s.stage_seconds[static_cast<std::size_t>(stage)] / all : 0.0;
  };
  return fmt::format(
      "input: {:.3f} s waited for data; threads: {:.0f} % reading, {:.0f} % decoding, {:.0f} % preprocessing, {:.0f} % waiting for room; {} bad records",
      s.wait_seconds, share(Stage::read), share(Stage::decode), share(Stage::preprocess), share(Stage::batch),
      s.bad_records);
}

}  // namespace fastnn

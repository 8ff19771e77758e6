#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "data/pipeline/bad_records.h"
#include "data/pipeline/batch_ring.h"
#include "data/pipeline/order.h"
#include "data/pipeline/sample.h"
#include "data/records/record_source.h"
#include "engine/base/log.h"

namespace fastnn {

/// One rank's part of a batch, in the pipeline's memory.
struct Batch {
  /// Position in the stream of samples of row 0.
  std::int64_t first_position = 0;
  /// Rows that are samples; the rest are zeros (evaluation only).
  int valid = 0;
  /// [N, H, W, C]
  std::span<const float> images;
  /// [N]
  std::span<const std::int32_t> labels;
};

struct PipelineOptions {
  /// training: endless, shuffled, batches cross the borders of epochs.
  /// evaluation: the records once, in the order of the files; the last batch is padded.
  enum class Mode { training, evaluation };

  Mode mode = Mode::training;
  /// Rows of this rank's batches; a global batch has batch_size * ranks rows.
  int batch_size = 32;
  int threads = 2;
  /// Batches filled ahead of the one in use.
  int prefetch_batches = 2;
  /// Most bytes of all batches; prefetch_batches is lowered, to 1 at least, to stay below.
  std::int64_t max_bytes = std::int64_t{4} << 30;
  /// Position of the first sample of the first global batch: where a resumed run goes on.
  std::int64_t first_position = 0;
  std::uint64_t seed = 0;
  /// See OrderOptions; for training.
  int shuffle_buffer_size = 1024;
  /// Of each global batch rank r takes the rows [r * batch_size, (r + 1) * batch_size): the stream of samples
  /// does not depend on the number of ranks, and all ranks see the same number of batches.
  int rank = 0;
  int ranks = 1;
  /// Niceness of the threads, so that they yield to the thread that runs the steps.
  int niceness = 10;
  BadRecordPolicy bad_records = BadRecordPolicy::fail;
  /// Bad records above which the run ends all the same.
  std::int64_t bad_record_limit = 100;
};

struct PipelineStatistics {
  /// Time next() has waited for data since the start.
  double wait_seconds = 0;
  /// Samples returned, without padding.
  std::int64_t samples = 0;
  /// Memory of all batches, constant.
  std::int64_t memory_bytes = 0;
  /// Time of all threads together, by Stage.
  std::array<double, kStages> stage_seconds{};
  /// Records that others stood in for.
  std::int64_t bad_records = 0;
};

/// Where the time of the input went: "input: 1.2 s waited for data; threads: 5 % reading, 70 % decoding, 20 %
/// preprocessing, 5 % waiting for room; 0 bad records".
std::string describe(const PipelineStatistics& statistics);

/// Reads, decodes and batches samples on threads of its own, ahead of the one that calls next().
/// Contents and order of the batches depend only on the records, the reader, the seed and the position:
/// neither on threads nor on timing. That holds for what stands in for a bad record in training too: the next
/// good record of the order, with the random numbers of the place it takes. An evaluation leaves a bad record
/// out: its batch has fewer valid rows, none if all are bad.
/// The threads use no OpenMP. All functions are for one thread.
class Pipeline {
 public:
  /// Starts the threads. Throws UsageError for an option out of range, EnvironmentError if memory or threads
  /// are refused.
  Pipeline(std::shared_ptr<const RecordSource> records, std::shared_ptr<const SampleReader> reader,
           const PipelineOptions& options, Log& log);
  /// Stops the threads: each finishes its sample.
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// The next batch, valid until the next call; waits for it. nullptr when an evaluation pass is over.
  /// What a thread threw for a sample is thrown here, as it was, when the sample's batch is due.
  /// Allocates nothing, and touches memory only that the constructor has touched.
  const Batch* next();

  PipelineStatistics statistics() const;

 private:
  void start_threads();
  void stop_threads();
  void work();
  void fill(const BatchRing::Row& row, std::vector<std::byte>& room, StageClock& clock);
  std::int32_t read_good(std::int64_t position, std::span<float> image, std::vector<std::byte>& room,
                         StageClock& clock);
  std::int64_t first_position_of(std::int64_t batch) const;
  int valid_rows(std::int64_t first_position) const;
  /// Moves the samples of a batch together where bad records left gaps. @returns how many there are.
  int close_gaps(std::int64_t batch, int rows);

  std::shared_ptr<const RecordSource> records_;
  std::shared_ptr<const SampleReader> reader_;
  PipelineOptions options_;
  BatchRingOptions ring_options_;
  SampleOrder order_;
  BadRecords bad_records_;
  BatchRing ring_;
  StageTimes times_;
  Batch batch_;
  std::int64_t samples_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace fastnn

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/protocol.h"
#include "data/pipeline/pipeline.h"
#include "data/preprocess/preprocessing.h"
#include "data/records/record_set.h"
#include "engine/base/log.h"

namespace fastnn::bench {

struct InputOptions {
  /// Comma-separated files, glob patterns and folders of TFRecords in TF-Slim's layout.
  std::string files;
  /// A row of preprocessings(), in training mode.
  std::string preprocessing = "inception";
  int image_size = 224;
  int batch_size = 32;
  int threads = 1;
  JpegDct jpeg_dct = JpegDct::accurate;
};

/// The input of a training run without the training: records, what reads them, and batches made by threads of
/// their own.
class InputRun {
 public:
  /// Throws what RecordSet, make_preprocessing and Pipeline throw.
  InputRun(const InputOptions& options, Log& log);

  /// Takes the next batch; waits for it.
  void next() { pipeline_.next(); }
  /// Batches that may be ready ahead: after so many more a rate is that of the work, not of what was in
  /// store.
  int batches_ahead() const { return kPrefetch; }
  const RecordSet& records() const { return *records_; }
  const SampleReader& reader() const { return *reader_; }
  PipelineStatistics statistics() const { return pipeline_.statistics(); }

 private:
  static constexpr int kPrefetch = 2;

  std::shared_ptr<const RecordSet> records_;
  std::shared_ptr<const SampleReader> reader_;
  Pipeline pipeline_;
};

/// Rates of one core, stage by stage, and of all threads together.
struct InputResult {
  InputOptions options;
  std::int64_t records = 0;
  /// Mean bytes of a record's payload.
  double record_bytes = 0;
  /// Seconds of an image on one core: its record read from the page cache with its checksum verified; its
  /// record parsed and its part decoded; the rest of the preprocessing.
  Measurement read, decode, preprocess;
  /// All three.
  Measurement sample;
  /// The same parts decoded alone, by the decoder without all that stands around it.
  Measurement decode_alone;
  /// Seconds of an image by the pipeline, all threads together, batching included.
  Measurement batch;

  /// Rate of whole samples over that of decoding alone.
  double share_of_decoding() const { return decode_alone.median / sample.median; }
  double read_bytes_per_second() const { return record_bytes / read.median; }
};

/// Measures in windows that alternate between samples and decoding alone, so that a change of the machine's
/// speed meets both, then the pipeline. Throws what InputRun throws.
InputResult bench_input(const InputOptions& options, const ProtocolOptions& protocol, Log& log);

}  // namespace fastnn::bench

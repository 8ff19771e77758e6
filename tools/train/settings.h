#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/datasets/dataset.h"
#include "data/images/encoded_image.h"
#include "data/pipeline/pipeline.h"
#include "data/records/record_set.h"
#include "engine/base/log.h"
#include "engine/device/device.h"
#include "nets/net_table.h"
#include "optim/optimizer.h"
#include "optim/schedule.h"
#include "optim/stop.h"
#include "tools/parameters/parameters.h"
#include "tools/train/save_schedule.h"

namespace fastnn::tools {

/// What the parameters mean to the parts of a run: one function per part, the only places that know both
/// names.

/// Compute threads: threads, else intra_op_parallelism_threads where the user set it, else 0 (one per core).
int compute_threads(const Parameters& parameters);

/// Samples of one update: batch_size * accumulate_steps.
std::int64_t samples_per_step(const Parameters& parameters);

/// What activations are computed in: bf16 where the user set use_fp16 and the device multiplies it, else f32.
/// Says so in the log.
Dtype compute_type(const Parameters& parameters, const Device& device, Log& log);

/// Height and width of the images: train_image_size or eval_image_size where set, else the net's default.
std::int64_t image_size(const Parameters& parameters, const NetEntry& net);

/// dataset_name where the user set it; else, where the user named files or their folder, the name of that
/// folder; else mock.
std::string dataset_name(const Parameters& parameters);

/// The split is dataset_split_name where set, else train in training and the data set's evaluation split.
DatasetOptions dataset_options(const Parameters& parameters);

/// preprocessing_name where set, else the net's.
std::string preprocessing_name(const Parameters& parameters, const NetEntry& net);

/// The index folder is index_dir where set; damage is skipped with bad_record_policy skip and report.
RecordSetOptions record_set_options(const Parameters& parameters);

DecodeOptions decode_options(const Parameters& parameters);

/// prefetch_buffer_size batches are ready at most, and num_parallel_batches beside them where the user set
/// it.
PipelineOptions pipeline_options(const Parameters& parameters, PipelineOptions::Mode mode);

/// Most bytes of encoded records kept in memory: with datasets_use_caching record_cache_mib, else half of the
/// machine's memory; without it 0.
std::int64_t cache_bytes(const Parameters& parameters);

optim::OptimizerOptions optimizer_options(const Parameters& parameters);

/// @param samples records of the training set.
optim::StopOptions stop_options(const Parameters& parameters, std::int64_t samples);

/// @param samples records of the training set; num_sample_per_epoch wins where the user set it.
optim::ScheduleOptions schedule_options(const Parameters& parameters, std::int64_t samples,
                                        std::int64_t stop_at_step);

/// The clock rules, and the steps where the user set no clock, or set them as well.
SaveSchedule::Options save_options(const Parameters& parameters);

/// An optional number: empty while it has no value.
std::optional<double> optional_real(const Parameters& parameters, std::string_view name);

/// The user's own value of a number; empty where it is the default.
std::optional<std::int64_t> integer_if_set(const Parameters& parameters, std::string_view name);
std::optional<double> real_if_set(const Parameters& parameters, std::string_view name);

/// A hook of the run: "LoggingTensorHook" and so on.
bool has_hook(const Parameters& parameters, std::string_view hook);

}  // namespace fastnn::tools

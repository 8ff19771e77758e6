#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "data/convert/convert.h"

namespace fastnn {

/// 0 .. count - 1 in an order that depends on the seed alone, the same on every machine (Fisher-Yates over
/// std::mt19937_64).
std::vector<std::int64_t> shuffled_order(std::int64_t count, std::uint64_t seed);

/// Whether convert_class_folders can read a folder.
bool holds_class_folders(const std::filesystem::path& folder);

/// Writes the images of class folders, input_dir/CLASS/*.jpg, as NAME_train_00000-of-0000N and
/// NAME_validation_... (".tfrecord"), with labels.txt: labels are those of the sorted class names. The images
/// are mixed by the seed; 'validation_samples' of them become the split validation. Where input_dir/train
/// and one of input_dir/validation and input_dir/test hold class folders, these are the splits, and the name
/// of the second is that of its folder.
/// The bytes of the images are kept; image/format is told by the content ("jpg", "png", "gif", "bmp"), and
/// each image is decoded once, for its extents and to know that it can be. Shards are written on several
/// threads, each aside and renamed when it is complete. ".NAME-conversion" in output_dir remembers what was
/// converted, and how: another run with the same input and options keeps the shards that are there, which
/// the log says; with others it replaces them.
/// Throws InputError for an image that cannot be decoded (names its file; with BadImages::skip a warning),
/// if no image is left, and what ImageFolder throws; UsageError if 'shards' is not 1 .. 99999, if
/// 'validation_samples' leaves nothing to train on or if input_dir has a split of its own, and if output_dir
/// has record files of that name that this conversion would not write; EnvironmentError if the disk refuses.
std::vector<WrittenFile> convert_class_folders(std::string_view name, const ConvertOptions& options,
                                               const WriteProgress& progress, Log& log);

}  // namespace fastnn

#pragma once

#include <vector>

#include "data/convert/convert.h"

namespace fastnn {

/// Converts CIFAR-10 to cifar10_train.tfrecord, cifar10_test.tfrecord and labels.txt as TF-Slim's converter
/// does: PNGs of 32 x 32 pixels in colour. input_dir, or its folder cifar-10-batches-bin, holds the binary
/// version: data_batch_1.bin .. data_batch_5.bin and test_batch.bin, each of records of 3073 bytes: the
/// label, then 32 x 32 red, green and blue values; records keep their order. Or input_dir/train and
/// input_dir/test hold folders of the ten classes with image files, which are mixed by the seed and encoded
/// again. Throws InputError, naming the file, if one is missing (says what the folder holds), empty or not of
/// whole records, for a label above 9, and for an image that cannot be decoded or has another size.
std::vector<WrittenFile> convert_cifar10(const ConvertOptions& options, const WriteProgress& progress,
                                         Log& log);

}  // namespace fastnn

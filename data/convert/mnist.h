#pragma once

#include <vector>

#include "data/convert/convert.h"

namespace fastnn {

/// Converts MNIST's IDX files (train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-..., each plain or .gz)
/// to mnist_train.tfrecord, mnist_test.tfrecord and labels.txt as TF-Slim's converter does: gray PNGs, one
/// record a digit in the order of the files, label 6 named "six".
/// Throws InputError naming the file if one is missing (says what the folder holds), damaged (IdxReader), of
/// another number of labels than images, or holds a label above 9.
std::vector<WrittenFile> convert_mnist(const ConvertOptions& options, const WriteProgress& progress,
                                       Log& log);

}  // namespace fastnn

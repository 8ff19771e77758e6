#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "engine/checkpoint/bundle_format.h"
#include "engine/core/tensor.h"

namespace fastnn {

/// What finish() does, in this order.
enum class BundleWriteStep {
  write_data,
  sync_data,
  write_index,
  sync_index,
  set_old_aside,
  rename_data,
  rename_index,
  sync_directory,
  drop_old,
};

struct BundleWriterOptions {
  /// Called before each step; an exception ends the save as any failure of the step would. For tests of
  /// faults.
  std::function<void(BundleWriteStep)> before_step = [](BundleWriteStep) {};
};

/// Writes a TensorFlow V2 checkpoint, PREFIX.index and PREFIX.data-00000-of-00001, byte for byte as
/// TensorFlow does: tensors sorted by name and densely packed, index uncompressed.
///
///   BundleWriter writer("train/model.ckpt-100");
///   writer.add("LeNet/conv1/weights", weights);
///   writer.finish();
///
/// Both files are written beside their final names and synced, then the data is renamed, then the index: a
/// prefix with an index is complete. A bundle that is already at the prefix is set aside while the names
/// change, so that its index never meets the new data. If finish() fails, the temporaries are removed and all
/// earlier checkpoints, one at the same prefix included, are as they were. If the process dies, the
/// temporaries (AsideFile::kAsideSuffix, ReplacedFile::kReplacedSuffix) stay until the next
/// keep_checkpoint().
class BundleWriter {
 public:
  explicit BundleWriter(std::filesystem::path prefix, BundleWriterOptions options = {});

  /// Takes a tensor, in any order. Throws UsageError for an empty name, one that begins with a zero byte
  /// (TensorFlow keeps those for itself), or one added before.
  void add(std::string name, Tensor tensor);
  /// Writes all; call it once. Throws EnvironmentError naming the file, the bytes wanted and the system's
  /// reason.
  void finish();

 private:
  std::string index_bytes() const;
  void write(const std::string& index);

  std::filesystem::path prefix_;
  BundleWriterOptions options_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace fastnn

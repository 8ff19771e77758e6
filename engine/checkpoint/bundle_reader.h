#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/checkpoint/bundle_format.h"
#include "engine/checkpoint/files.h"
#include "engine/core/tensor.h"

namespace fastnn {

/// Reads a TensorFlow V2 checkpoint: PREFIX.index with PREFIX.data-NNNNN-of-NNNNN.
///
///   const BundleReader bundle("train/model.ckpt-100");
///   const Tensor weights = bundle.read("LeNet/conv1/weights");
///
/// Opening verifies the checksums of the index, the header, that every shard is there, and that every tensor
/// lies inside its shard with as many bytes as its shape needs; reading a tensor verifies its checksum. All
/// files stay open, so a checkpoint that is deleted meanwhile can still be read. Reads are thread-safe.
///
/// Errors are InputError, naming the file, the tensor, the byte and, where there is no bundle, what is there
/// instead; EnvironmentError if the system fails to read.
class BundleReader {
 public:
  explicit BundleReader(std::filesystem::path prefix);

  const std::filesystem::path& prefix() const { return prefix_; }
  /// Every tensor by name, those of types the engine has not (dtype() is nothing) included; a partitioned
  /// variable once, under its name.
  const std::map<std::string, BundleEntry>& entries() const { return entries_; }
  bool contains(const std::string& name) const { return entries_.contains(name); }
  /// A tensor whose checksum is right; partitioned variables are put together. Throws InputError if there is
  /// none of this name (naming those most alike), if the engine has no such type or rank, or if it is
  /// damaged.
  Tensor read(const std::string& name) const;

 private:
  void read_index(const ReadFile& index);
  void open_shards(int shards);
  void check_entry(const std::string& name, const BundleEntry& entry) const;
  void check_header(const BundleHeader& header, const std::string& where) const;
  void read_bytes(const std::string& name, const BundleEntry& entry, std::span<std::byte> bytes) const;
  Tensor read_slices(const std::string& name, const BundleEntry& entry) const;
  const BundleEntry& part_of(const std::string& name, const BundleEntry& entry, const Slice& slice) const;
  std::string where(const std::string& name) const;

  std::filesystem::path prefix_;
  std::map<std::string, BundleEntry> entries_;
  /// Parts of partitioned tensors, by slice_key().
  std::map<std::string, BundleEntry> parts_;
  std::vector<ReadFile> shards_;
};

}  // namespace fastnn

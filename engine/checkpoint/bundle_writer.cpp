#include "engine/checkpoint/bundle_writer.h"

#include <leveldb/env.h>
#include <leveldb/options.h>
#include <leveldb/table_builder.h>

#include <utility>

#include "engine/base/crc32c.h"
#include "engine/base/error.h"
#include "engine/checkpoint/files.h"

namespace fastnn {
namespace {

// TensorFlow's defaults: older versions read no compressed index.
constexpr std::size_t kBlockBytes = 262144;
constexpr int kRestartInterval = 16;

// The table in memory: it is small, and writing it ourselves keeps the system's reason for a failure.
class StringFile final : public leveldb::WritableFile {
 public:
  leveldb::Status Append(const leveldb::Slice& data) override {
    text_.append(data.data(), data.size());
    return leveldb::Status::OK();
  }
  leveldb::Status Close() override { return leveldb::Status::OK(); }
  leveldb::Status Flush() override { return leveldb::Status::OK(); }
  leveldb::Status Sync() override { return leveldb::Status::OK(); }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

leveldb::Options table_options() {
  leveldb::Options options;
  options.compression = leveldb::kNoCompression;
  options.block_size = kBlockBytes;
  options.block_restart_interval = kRestartInterval;
  return options;
}

BundleEntry entry_of(const Tensor& tensor, std::uint64_t offset) {
  const auto extents = tensor.shape().extents();
  return {.type = bundle_type_of(tensor.dtype()),
          .extents = {extents.begin(), extents.end()},
          .shard = 0,
          .offset = offset,
          .size = tensor.bytes().size(),
          .crc = crc32c(std::as_const(tensor).bytes()),
          .slices = {}};
}

}  // namespace

BundleWriter::BundleWriter(std::filesystem::path prefix, BundleWriterOptions options)
    : prefix_(std::move(prefix)), options_(std::move(options)) {}

void BundleWriter::add(std::string name, Tensor tensor) {
  if (name.empty() || name[0] == '\0')
    throw UsageError(
        "[checkpoint] a tensor's name must not be empty or begin with a zero byte, got '{}' for {}", name,
        prefix_.string());
  const auto [place, added] = tensors_.emplace(std::move(name), std::move(tensor));
  if (!added)
    throw UsageError("[checkpoint] tensor '{}' was added to {} before; give every tensor a name of its own",
                     place->first, prefix_.string());
}

std::string BundleWriter::index_bytes() const {
  StringFile file;
  leveldb::TableBuilder builder(table_options(), &file);
  builder.Add("", encode_bundle_header({.producer = kBundleVersion}));
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors_) {
    builder.Add(name, encode_bundle_entry(entry_of(tensor, offset)));
    offset += tensor.bytes().size();
  }
  const leveldb::Status status = builder.Finish();
  if (!status.ok())
    throw EnvironmentError("[checkpoint] cannot build the index of {}: {}", prefix_.string(),
                           status.ToString());
  return file.text();
}

void BundleWriter::finish() {
  write(index_bytes());
}

void BundleWriter::write(const std::string& index) {
  using Step = BundleWriteStep;
  const auto& before = options_.before_step;
  const auto data_path = bundle_data_path(prefix_, 0, 1);
  const auto index_path = bundle_index_path(prefix_);
  std::uint64_t data_bytes = 0;
  for (const auto& [name, tensor] : tensors_) data_bytes += tensor.bytes().size();

  before(Step::write_data);
  AsideFile data_file(data_path, data_bytes);
  for (const auto& [name, tensor] : tensors_) data_file.append(tensor.bytes());
  before(Step::sync_data);
  data_file.sync();
  before(Step::write_index);
  AsideFile index_file(index_path, index.size());
  index_file.append(std::as_bytes(std::span(index)));
  before(Step::sync_index);
  index_file.sync();

  before(Step::set_old_aside);
  ReplacedFile old_index(index_path);
  ReplacedFile old_data(data_path);
  before(Step::rename_data);
  data_file.place();
  before(Step::rename_index);
  index_file.place();
  before(Step::sync_directory);
  sync_directory(directory_of(prefix_));
  before(Step::drop_old);
  old_data.drop();
  old_index.drop();
}

}  // namespace fastnn

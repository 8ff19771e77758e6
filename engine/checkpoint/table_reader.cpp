#include "engine/checkpoint/table_reader.h"

#include <leveldb/env.h>
#include <leveldb/options.h>
#include <leveldb/table.h>

#include <exception>
#include <memory>
#include <new>
#include <string>

#include "engine/base/error.h"
#include "engine/base/wire.h"

namespace fastnn {
namespace {

constexpr std::string_view kMagic = "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
constexpr std::size_t kFooterBytes = 48;
constexpr std::size_t kBlockTrailerBytes = 5;  // compression type and checksum

// The file as leveldb sees it. leveldb adds the trailer to a block's size without looking for overflow, so a
// read shorter than a trailer comes from a size that wrapped around. Exceptions wait in failure() while
// leveldb, which knows none, returns.
class CheckedFile final : public leveldb::RandomAccessFile {
 public:
  explicit CheckedFile(const ReadFile& file) : file_(file) {}

  leveldb::Status Read(std::uint64_t offset, std::size_t n, leveldb::Slice* result,
                       char* scratch) const override {
    last_offset_ = offset;
    if (n < kBlockTrailerBytes || offset > file_.size() || n > file_.size() - offset)
      return leveldb::Status::Corruption("a block reaches outside the file");
    try {
      file_.read_at(offset, std::as_writable_bytes(std::span(scratch, n)));
    } catch (...) {
      failure_ = std::current_exception();
      return leveldb::Status::IOError("cannot read");
    }
    *result = leveldb::Slice(scratch, n);
    return leveldb::Status::OK();
  }

  std::uint64_t last_offset() const { return last_offset_; }
  std::exception_ptr failure() const { return failure_; }

 private:
  const ReadFile& file_;
  mutable std::uint64_t last_offset_ = 0;
  mutable std::exception_ptr failure_;
};

[[noreturn]] void damaged(const ReadFile& file, std::uint64_t offset, std::string_view what) {
  throw InputError(
      "[checkpoint] the table {} is damaged at byte {} of {}: {}; take another copy or an older checkpoint",
      file.path().string(), offset, file.size(), what);
}

void require(const leveldb::Status& status, const ReadFile& file, const CheckedFile& checked) {
  if (checked.failure()) std::rethrow_exception(checked.failure());
  if (!status.ok()) damaged(file, checked.last_offset(), status.ToString());
}

bool take_handle(std::string_view& footer, std::uint64_t limit) {
  std::uint64_t offset = 0, size = 0;
  return take_varint(footer, offset) && take_varint(footer, size) && offset <= limit &&
         size <= limit - offset && limit - offset - size >= kBlockTrailerBytes;
}

// The footer has no checksum, and leveldb allocates what it says before looking at the file.
void check_footer(const ReadFile& file) {
  if (file.size() < kFooterBytes)
    damaged(file, 0, "shorter than a table's footer, truncated or no table at all");
  const std::uint64_t begin = file.size() - kFooterBytes;
  if (!has_table_magic(file)) damaged(file, begin, "no table magic number in the last 8 bytes");
  std::string footer(kFooterBytes, '\0');
  file.read_at(begin, std::as_writable_bytes(std::span(footer)));
  std::string_view rest = footer;
  if (!take_handle(rest, begin) || !take_handle(rest, begin))
    damaged(file, begin, "the footer names no block");
}

std::string_view view_of(const leveldb::Slice& slice) {
  return {slice.data(), slice.size()};
}

void visit_table(const ReadFile& file, const std::function<void(std::string_view, std::string_view)>& visit) {
  CheckedFile checked(file);
  leveldb::Options options;
  options.paranoid_checks = true;
  leveldb::ReadOptions read_options;
  read_options.verify_checksums = true;
  leveldb::Table* opened = nullptr;
  require(leveldb::Table::Open(options, &checked, file.size(), &opened), file, checked);
  const std::unique_ptr<leveldb::Table> table(opened);
  const std::unique_ptr<leveldb::Iterator> entry(table->NewIterator(read_options));
  for (entry->SeekToFirst(); entry->Valid(); entry->Next())
    visit(view_of(entry->key()), view_of(entry->value()));
  require(entry->status(), file, checked);
}

}  // namespace

bool has_table_magic(const ReadFile& file) {
  if (file.size() < kFooterBytes) return false;
  std::string tail(kMagic.size(), '\0');
  file.read_at(file.size() - kMagic.size(), std::as_writable_bytes(std::span(tail)));
  return tail == kMagic;
}

void read_table(const ReadFile& file, const std::function<void(std::string_view, std::string_view)>& visit) {
  check_footer(file);
  try {
    visit_table(file, visit);
  } catch (const std::bad_alloc&) {
    damaged(file, 0, "a block claims more bytes than there is memory");
  }
}

}  // namespace fastnn

#include "data/records/file_scan.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "data/records/inflate.h"
#include "engine/base/error.h"

namespace fastnn {
namespace fs = std::filesystem;
namespace {

constexpr unsigned kMostThreads = 16;

double gigabytes(std::int64_t bytes) {
  return static_cast<double>(bytes) / 1e9;
}

/// A file and what becomes of it; each is worked on by one thread.
struct Scanned {
  fs::path path;
  std::string name;  ///< absolute: the key in the index file
  FileStamp stamp;
  MappedFile file{};
  std::vector<std::int64_t> offsets{};
  bool is_new = false;   ///< not from the index file
  bool is_whole = true;  ///< no part of it was lost
  std::string lost{};    ///< why a part was lost
  std::exception_ptr error{};
};

/// Opens the files one by one, from several threads.
class FileScan {
 public:
  FileScan(const std::vector<fs::path>& files, const RecordSetOptions& options, Log& log)
      : options_(options), log_(log) {
    for (const fs::path& path : files) {
      files_.push_back({.path = path, .name = fs::absolute(path).string(), .stamp = stamp_of(path)});
      total_bytes_ += files_.back().stamp.bytes;
    }
    if (options.index_dir) folder_ = choose_cache_folder(*options.index_dir, folder_of(files.front()), log);
    if (folder_.empty()) return;
    std::string names;
    for (const Scanned& file : files_) names += file.name + '\n';
    index_file_ = folder_ / fmt::format(".fastnn-index-{}", short_name_of(names));
    known_ = load_indexes(index_file_, log);
  }

  std::vector<RecordFile> run() {
    scan_all();
    for (const Scanned& file : files_)
      if (file.error) std::rethrow_exception(file.error);
    for (const Scanned& file : files_)
      if (!file.is_whole) log_.warning(file.lost);
    save();
    std::vector<RecordFile> opened;
    opened.reserve(files_.size());
    for (Scanned& file : files_)
      opened.emplace_back(std::move(file.path), std::move(file.file), std::move(file.offsets));
    return opened;
  }

 private:
  static fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
  }

  void scan_all() {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const auto count = std::min<std::size_t>(files_.size(), std::min(cores, kMostThreads));
    std::vector<std::thread> threads;
    try {
      for (std::size_t i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      work();  // fewer threads scan as well, only slower
    }
    report_progress();
    for (std::thread& thread : threads) thread.join();
  }

  void work() {
    for (std::size_t i = next_++; i < files_.size(); i = next_++) {
      try {
        open(files_[i]);
      } catch (...) {
        files_[i].error = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      if (++done_ == files_.size()) all_done_.notify_all();
    }
  }

  void report_progress() {
    std::unique_lock lock(mutex_);
    while (!all_done_.wait_for(lock, options_.progress_interval, [this] { return done_ == files_.size(); }))
      log_.info(fmt::format("indexing the records: {:.2f} of {:.2f} GB, {} of {} files",
                            gigabytes(scanned_bytes_), gigabytes(total_bytes_), done_, files_.size()));
  }

  void open(Scanned& file) const {
    file.file = MappedFile(file.path);
    if (!starts_with_record(file.file.bytes()) && is_compressed(file.file.bytes()) && !folder_.empty())
      file.file = MappedFile(inflated(file));
    if (use_known(file)) return;
    file.is_new = true;
    try {
      scan_records(file.file.bytes(), file.path, file.offsets, &scanned_bytes_);
    } catch (const InputError& error) {
      if (options_.damage == RecordSetOptions::Damage::fail) throw;
      file.is_whole = false;
      file.lost = fmt::format("[records] bytes {} .. {} of {} are lost: {}", file.offsets.back(),
                              file.file.bytes().size(), file.path.string(), error.what());
    }
    file.offsets.shrink_to_fit();
  }

  bool use_known(Scanned& file) const {
    const auto found = known_.find(file.name);
    if (found == known_.end()) return false;
    const FileIndex& index = found->second;
    if (index.stamp != file.stamp || index.offsets.back() != std::int64_t(file.file.bytes().size())) {
      log_.info(fmt::format("[records] {} has changed since {} was made; it is indexed again",
                            file.path.string(), index_file_.string()));
      return false;
    }
    file.offsets = index.offsets;
    return true;
  }

  /// The inflated copy of a file, made if there is none of this very file.
  fs::path inflated(const Scanned& file) const {
    const std::string stem = fmt::format(".fastnn-inflated-{}-", short_name_of(file.name));
    fs::path copy =
        folder_ / (stem + short_name_of(fmt::format("{} {}", file.stamp.bytes, file.stamp.changed_ns)));
    if (fs::is_regular_file(copy)) return copy;
    log_.info(fmt::format("[records] inflating {} into {}", file.path.string(), copy.string()));
    remove_older(stem);
    inflate_to_file(file.file.bytes(), file.path, copy, {.max_bytes = options_.max_inflated_bytes});
    return copy;
  }

  void remove_older(const std::string& stem) const {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder_, ignored))
      if (entry.path().filename().string().starts_with(stem)) fs::remove(entry.path(), ignored);
  }

  /// An index that cannot be kept is made again next time. Nor is one with losses kept: each run warns.
  void save() const {
    const auto is_new = [](const Scanned& file) { return file.is_new; };
    const auto is_whole = [](const Scanned& file) { return file.is_whole; };
    if (folder_.empty() || std::ranges::none_of(files_, is_new) || !std::ranges::all_of(files_, is_whole))
      return;
    FileIndexes indexes;
    for (const Scanned& file : files_) indexes[file.name] = {.stamp = file.stamp, .offsets = file.offsets};
    try {
      save_indexes(index_file_, indexes);
    } catch (const EnvironmentError& error) {
      log_.warning(fmt::format("{}; the records are indexed again in the next run", error.what()));
    }
  }

  const RecordSetOptions& options_;
  Log& log_;
  std::vector<Scanned> files_;
  std::int64_t total_bytes_ = 0;
  fs::path folder_;
  fs::path index_file_;
  FileIndexes known_;

  std::atomic<std::size_t> next_ = 0;
  mutable std::atomic<std::int64_t> scanned_bytes_ = 0;
  std::mutex mutex_;
  std::condition_variable all_done_;
  std::size_t done_ = 0;
};

}  // namespace

std::vector<RecordFile> open_record_files(const std::vector<fs::path>& files, const RecordSetOptions& options,
                                          Log& log) {
  return FileScan(files, options, log).run();
}

}  // namespace fastnn

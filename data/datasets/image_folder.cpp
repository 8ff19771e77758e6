#include "data/datasets/image_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "engine/base/error.h"
#include "engine/base/wire.h"

namespace fastnn {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kExtensions[] = {".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp", ".tiff"};

bool has_image_name(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::find(kExtensions, extension) != std::end(kExtensions);
}

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

/// All files below a folder, sorted, hidden ones left out.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  const auto options = fs::directory_options::follow_directory_symlink;
  for (fs::recursive_directory_iterator entry(folder, options, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_hidden(entry->path()) && entry->is_directory()) entry.disable_recursion_pending();
    if (!is_hidden(entry->path()) && entry->is_regular_file()) files.push_back(entry->path());
  }
  if (error)
    throw EnvironmentError("[datasets] the folder {} cannot be read: {}", folder.string(), error.message());
  std::ranges::sort(files, {}, [](const fs::path& path) { return path.native(); });
  return files;
}

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : path_(path), number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ >= 0) return;
    if (errno == ENOENT || errno == ENOTDIR)
      throw InputError("[datasets] the image file {} is gone since the folder was listed", path);
    fail("open");
  }
  ~OpenFile() { ::close(number_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::size_t size() const {
    struct stat status {};
    if (::fstat(number_, &status) != 0) fail("read");
    return static_cast<std::size_t>(status.st_size);
  }

  void fill(std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
      const ::ssize_t got = ::read(number_, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("read");
      if (got == 0) throw InputError("[datasets] the image file {} was shortened while it was read", path_);
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
  }

 private:
  [[noreturn]] void fail(const char* action) const {
    throw EnvironmentError("[datasets] cannot {} the image file {}: {}", action, path_, std::strerror(errno));
  }

  const std::string& path_;
  int number_;
};

/// Bytes of a field of WireType::bytes with a number below 16.
std::size_t field_bytes(std::size_t content) {
  std::string length;
  append_varint(length, content);
  return 1 + length.size() + content;
}

void append_head(std::string& message, std::uint32_t field, std::size_t content) {
  append_varint(message, field << 3 | static_cast<std::uint32_t>(WireType::bytes));
  append_varint(message, content);
}

/// An Example up to the bytes of its image, which end it.
std::string example_head(std::int64_t label, std::size_t image_bytes) {
  std::string label_list, label_feature, label_entry, label_field, key;
  append_varint(label_list, std::uint64_t{1} << 3 | static_cast<std::uint64_t>(WireType::varint));
  append_varint(label_list, static_cast<std::uint64_t>(label));
  append_bytes_field(label_feature, 3, label_list);
  append_bytes_field(label_entry, 1, "image/class/label");
  append_bytes_field(label_entry, 2, label_feature);
  append_bytes_field(label_field, 1, label_entry);
  append_bytes_field(key, 1, "image/encoded");

  const std::size_t list = field_bytes(image_bytes), feature = field_bytes(list);
  const std::size_t entry = key.size() + field_bytes(feature);
  std::string head;
  append_head(head, 1, label_field.size() + field_bytes(entry));
  head += label_field;
  append_head(head, 1, entry);
  head += key;
  append_head(head, 2, feature);
  append_head(head, 1, list);
  append_head(head, 1, image_bytes);
  return head;
}

}  // namespace

std::vector<std::string> class_folders(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (!is_hidden(entry->path()) && entry->is_directory())
      names.push_back(entry->path().filename().string());
  if (error)
    throw EnvironmentError("[datasets] the folder {} cannot be read: {}", folder.string(), error.message());
  std::ranges::sort(names);
  return names;
}

bool is_image_folder(const fs::path& folder) {
  if (!fs::is_directory(folder)) return false;
  for (const std::string& name : class_folders(folder))
    for (const auto& entry : fs::directory_iterator(folder / name))
      if (has_image_name(entry.path()) && entry.is_regular_file()) return true;
  return false;
}

ImageFolder::ImageFolder(const fs::path& folder, const std::vector<std::string>& class_names, Log& log) {
  for (const std::string& name : class_folders(folder)) {
    const auto found = std::ranges::find(class_names, name);
    if (found == class_names.end())
      throw InputError(
          "[datasets] the folder {} is of none of the {} classes; add it to labels.txt or move it",
          (folder / name).string(), class_names.size());
    add_class(folder / name, static_cast<std::int32_t>(found - class_names.begin()), log);
  }
  for (const std::string& name : class_names)
    if (!name.empty() && !fs::is_directory(folder / name))
      log.warning(fmt::format("[datasets] {} has no folder of class {}", folder.string(), name));
  if (images_.empty()) throw InputError("[datasets] no images in the class folders of {}", folder.string());
  if (others_ > 0)
    log.warning(fmt::format("[datasets] {} files of {} are no images by their names; they are left out",
                            others_, folder.string()));
  log.info(fmt::format("{} images in {} class folders of {}", size(), class_names.size(), folder.string()));
}

void ImageFolder::add_class(const fs::path& folder, std::int32_t label, Log& log) {
  const auto before = images_.size();
  for (const fs::path& file : files_below(folder)) {
    if (has_image_name(file))
      images_.push_back({file.string(), label});
    else
      ++others_;
  }
  if (images_.size() == before) log.warning(fmt::format("[datasets] no images in {}", folder.string()));
}

std::vector<std::int64_t> ImageFolder::records_per_file() const {
  return std::vector<std::int64_t>(images_.size(), 1);
}

Record ImageFolder::read(std::int64_t record, std::vector<std::byte>& room) const {
  if (record < 0 || record >= size())
    throw UsageError("[datasets] image {} is outside of the folder's {} images", record, size());
  const ImageFile& image = images_[static_cast<std::size_t>(record)];
  const OpenFile file(image.path);
  const std::size_t size = file.size();
  const std::string head = example_head(image.label, size);
  room.resize(head.size() + size);
  std::memcpy(room.data(), head.data(), head.size());
  file.fill(std::span(room).subspan(head.size()));
  return {.payload = room, .origin = {.file = image.path}};
}

}  // namespace fastnn

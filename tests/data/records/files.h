#pragma once

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "data/records/record_writer.h"
#include "engine/base/log.h"
#include "tests/support/catch.h"

namespace fastnn::tests {

/// An empty folder, removed with its contents at the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("fastnn-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string file_content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::filesystem::path write_content(const std::filesystem::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

inline std::filesystem::path write_records(const std::filesystem::path& path,
                                           const std::vector<std::string>& payloads) {
  RecordWriter writer(path);
  for (const std::string& payload : payloads) writer.write(payload);
  writer.close();
  return path;
}

inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

inline std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

/// Keeps the lines.
class LinesLog final : public Log {
 public:
  void info(std::string_view line) override { lines += std::string(line) + "\n"; }
  void warning(std::string_view line) override { lines += "warning: " + std::string(line) + "\n"; }
  std::string lines;
};

/// The message of the error of type E that f throws; fails the test if it throws none or another.
template <class E, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  FAIL("expected an error");
  return {};
}

/// Whether each part stands in the text; says which one does not.
inline bool holds_all(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos) {
      UNSCOPED_INFO("\"" << part << "\" is missing in: " << text);
      return false;
    }
  return true;
}

}  // namespace fastnn::tests

#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/base/log.h"

namespace fastnn::tools {

/// A log on a stream, with an optional copy in a file. Warnings start with "warning: ". Each line is flushed.
/// A stream that can no longer be written (a closed pipe, a terminal that is gone) gets no further line. The
/// copy then says so and has the rest, and the stream's error is cleared; without a copy it stays set.
/// On a terminal a transient line (progress) stands below the log and gives way to each new line.
/// Thread-safe.
class ConsoleLog final : public Log {
 public:
  /// Writes to 'stream' (stdout or stderr), which must outlive the log.
  explicit ConsoleLog(std::FILE* stream);
  ~ConsoleLog() override;
  ConsoleLog(const ConsoleLog&) = delete;
  ConsoleLog& operator=(const ConsoleLog&) = delete;

  void info(std::string_view line) override;
  void warning(std::string_view line) override;

  /// Appends further lines to this file as well. Throws EnvironmentError if it cannot be opened. If writing
  /// fails later, a warning on the stream says so once and the copy ends.
  void copy_to(const std::filesystem::path& file);

  /// The stream is a terminal; without one, transient() does nothing.
  bool is_terminal() const { return is_terminal_; }
  /// Shows this line in place of the transient line, cut to the width of the terminal; empty: erases it.
  void transient(std::string_view line);

 private:
  void write(std::string_view prefix, std::string_view line);
  void write_stream(std::string_view prefix, std::string_view line);
  void hand_over_to_copy();
  void erase_transient();

  std::mutex mutex_;
  std::FILE* stream_;
  bool is_terminal_;
  bool transient_shown_ = false;
  /// Why the stream gets no further line; empty while it does.
  std::string stream_fault_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> copy_;
  std::string copy_name_;
};

/// Columns of the terminal behind a stream; 'otherwise' if it is none.
int terminal_width(std::FILE* stream, int otherwise);

}  // namespace fastnn::tools

#include "tools/common/console_log.h"

#include <stdio_ext.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/base/error.h"

namespace fastnn::tools {
namespace {

constexpr const char* kEraseLine = "\r\x1b[K";

bool put_line(std::FILE* stream, std::string_view prefix, std::string_view line) {
  std::fwrite(prefix.data(), 1, prefix.size(), stream);
  std::fwrite(line.data(), 1, line.size(), stream);
  std::fputc('\n', stream);
  return std::fflush(stream) == 0 && std::ferror(stream) == 0;
}

}  // namespace

ConsoleLog::ConsoleLog(std::FILE* stream)
    : stream_(stream), is_terminal_(isatty(fileno(stream)) == 1), copy_(nullptr, &std::fclose) {}

ConsoleLog::~ConsoleLog() {
  erase_transient();
}

void ConsoleLog::info(std::string_view line) {
  write("", line);
}

void ConsoleLog::warning(std::string_view line) {
  write("warning: ", line);
}

void ConsoleLog::copy_to(const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  copy_.reset(std::fopen(file.c_str(), "ae"));
  if (!copy_)
    throw EnvironmentError("[log] cannot open the log file {}: {}; check the folder and its permissions",
                           file.string(), std::strerror(errno));
  copy_name_ = file.string();
  if (!stream_fault_.empty()) hand_over_to_copy();
}

void ConsoleLog::transient(std::string_view line) {
  if (!is_terminal_) return;
  const std::lock_guard lock(mutex_);
  if (!stream_fault_.empty()) return;
  erase_transient();
  // One column stays free: a line that fills the last one wraps on some terminals.
  const std::string_view cut = line.substr(0, static_cast<std::size_t>(terminal_width(stream_, 80) - 1));
  if (cut.empty()) return;
  std::fwrite(cut.data(), 1, cut.size(), stream_);
  std::fflush(stream_);
  transient_shown_ = true;
}

void ConsoleLog::write(std::string_view prefix, std::string_view line) {
  const std::lock_guard lock(mutex_);
  write_stream(prefix, line);
  if (!copy_ || put_line(copy_.get(), prefix, line)) return;
  const std::string reason = std::strerror(errno);
  copy_.reset();
  write_stream("warning: ",
               fmt::format("[log] cannot write {}: {}; the copy of this log ends here", copy_name_, reason));
}

void ConsoleLog::write_stream(std::string_view prefix, std::string_view line) {
  if (!stream_fault_.empty()) return;
  erase_transient();
  if (put_line(stream_, prefix, line)) return;
  stream_fault_ = std::strerror(errno);
  if (copy_) hand_over_to_copy();
}

void ConsoleLog::hand_over_to_copy() {
  put_line(
      copy_.get(), "warning: ",
      fmt::format(
          "[log] the output can no longer be written ({}); the run goes on, and its lines are in this file alone",
          stream_fault_));
  __fpurge(stream_);
  clearerr(stream_);
}

void ConsoleLog::erase_transient() {
  if (!transient_shown_) return;
  std::fputs(kEraseLine, stream_);
  std::fflush(stream_);
  transient_shown_ = false;
}

int terminal_width(std::FILE* stream, int otherwise) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return size.ws_col;
}

}  // namespace fastnn::tools

#include "tools/common/console_log.h"

#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "engine/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"
#include "tests/support/run_command.h"
#include "tools/common/progress.h"

using fastnn::tests::contains;
using fastnn::tests::message_of;
using fastnn::tests::TemporaryFolder;
using fastnn::tools::ConsoleLog;

namespace {

std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// A stream on a file of a temporary folder.
class FileStream {
 public:
  FileStream() : stream_(std::fopen((folder_ / "out").c_str(), "w")) {}
  ~FileStream() { std::fclose(stream_); }
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;
  std::FILE* get() const { return stream_; }
  std::string text() const { return read(folder_ / "out"); }
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
  std::FILE* stream_;
};

/// A stream on a terminal of 20 columns.
class TerminalStream {
 public:
  TerminalStream() {
    winsize size{.ws_row = 5, .ws_col = 20, .ws_xpixel = 0, .ws_ypixel = 0};
    int slave = -1;
    REQUIRE(openpty(&master_, &slave, nullptr, nullptr, &size) == 0);
    stream_ = fdopen(slave, "w");
  }
  ~TerminalStream() {
    std::fclose(stream_);
    close(master_);
  }
  TerminalStream(const TerminalStream&) = delete;
  TerminalStream& operator=(const TerminalStream&) = delete;
  std::FILE* get() const { return stream_; }
  /// What was written since the last call; at least one byte must have been.
  std::string shown() const {
    // The system hands bytes over in parts, later than they were written.
    constexpr int kQuietMilliseconds = 50;
    std::string text;
    pollfd ready{.fd = master_, .events = POLLIN, .revents = 0};
    do {
      char buffer[4096];
      const ssize_t n = ::read(master_, buffer, sizeof(buffer));
      if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
    } while (::poll(&ready, 1, kQuietMilliseconds) > 0);
    return text;
  }

 private:
  int master_ = -1;
  std::FILE* stream_ = nullptr;
};

}  // namespace

TEST_CASE("console_log: lines go to the stream, warnings are marked") {
  const FileStream out;
  ConsoleLog log(out.get());
  log.info("a line");
  log.warning("look out");
  CHECK(out.text() == "a line\nwarning: look out\n");
}

TEST_CASE("console_log: the copy appends the lines after it was opened") {
  const FileStream out;
  std::ofstream(out / "copy") << "before\n";
  ConsoleLog log(out.get());
  log.info("first");
  log.copy_to(out / "copy");
  log.warning("second");
  CHECK(read(out / "copy") == "before\nwarning: second\n");
  CHECK(out.text() == "first\nwarning: second\n");
}

TEST_CASE("console_log: a copy that cannot be opened is an error naming the file") {
  const FileStream out;
  ConsoleLog log(out.get());
  CHECK(contains(message_of<fastnn::EnvironmentError>([&] { log.copy_to(out / "none/copy"); }), "none/copy"));
}

TEST_CASE("console_log: a full disk ends the copy with one warning, and the log goes on") {
  const FileStream out;
  ConsoleLog log(out.get());
  log.copy_to("/dev/full");
  log.info("a");
  log.info("b");
  CHECK(out.text() ==
        "a\nwarning: [log] cannot write /dev/full: No space left on device; the copy of this log ends "
        "here\nb\n");
}

TEST_CASE("console_log: where the stream cannot be written the copy says so and has the rest") {
  const FileStream out;
  std::FILE* full = std::fopen("/dev/full", "w");
  {
    ConsoleLog log(full);
    log.info("lost");
    CHECK(std::ferror(full) != 0);
    log.copy_to(out / "copy");
    log.info("kept");
  }
  CHECK(read(out / "copy") ==
        "warning: [log] the output can no longer be written (No space left on device); the run goes on, and "
        "its lines are in this file alone\nkept\n");
  CHECK(std::ferror(full) == 0);
  CHECK(std::fclose(full) == 0);
}

TEST_CASE("console_log: without a terminal there is no transient line") {
  const FileStream out;
  ConsoleLog log(out.get());
  CHECK_FALSE(log.is_terminal());
  log.transient("progress");
  fastnn::tools::ProgressLine(log, {.total = 10}).update(3);
  CHECK(out.text().empty());
}

TEST_CASE("console_log: on a terminal the transient line is cut, replaced, and gives way to log lines") {
  const TerminalStream terminal;
  ConsoleLog log(terminal.get());
  CHECK(log.is_terminal());
  log.transient("0123456789012345678901234");
  CHECK(terminal.shown() == "0123456789012345678");
  log.transient("next");
  CHECK(terminal.shown() == "\r\x1b[Knext");
  log.info("line");
  CHECK(terminal.shown() == "\r\x1b[Kline\r\n");
  log.info("line");
  CHECK(terminal.shown() == "line\r\n");
}

TEST_CASE("progress_line: shows at once, then not more than 5 times a second, and erases itself") {
  const TerminalStream terminal;
  ConsoleLog log(terminal.get());
  {
    fastnn::tools::ProgressLine progress(log, {.total = 10});
    progress.update(0);
    progress.update(1);
    CHECK(terminal.shown() == "step 0/10 (0 %)");
  }
  CHECK(terminal.shown() == "\r\x1b[K");
}

TEST_CASE("terminal_width: the terminal's columns, or the other width elsewhere") {
  const TerminalStream terminal;
  const FileStream out;
  CHECK(fastnn::tools::terminal_width(terminal.get(), 77) == 20);
  CHECK(fastnn::tools::terminal_width(out.get(), 77) == 77);
}

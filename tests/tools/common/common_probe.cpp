#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <thread>

#include "tools/common/run_program.h"
#include "tools/common/stop_signal.h"

namespace {

using fastnn::ExitCode;

/// Raises one signal for each argument and reports what the flag says; exits with 6 if one came.
ExitCode raise_signals(std::size_t count) {
  const fastnn::tools::StopSignal stop;
  for (std::size_t i = 0; i < count; ++i) {
    std::raise(SIGTERM);
    std::printf("requested %d, signal %d\n", stop.requested(), stop.number());
    std::fflush(stdout);
  }
  return stop.requested() ? ExitCode::stopped_by_signal : ExitCode::done;
}

/// Prints when the reader of the output has left.
ExitCode print_late() {
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::puts("text");
  return ExitCode::done;
}

ExitCode new_file_gets_no_standard_number() {
  return open("/dev/zero", O_RDONLY) > STDERR_FILENO ? ExitCode::done : ExitCode::internal_fault;
}

ExitCode probe(const std::vector<std::string>& arguments) {
  const std::string what = arguments.empty() ? "nothing" : arguments[0];
  if (what == "usage") throw fastnn::UsageError("[probe] usage {}", 1);
  if (what == "input") throw fastnn::InputError("[probe] input");
  if (what == "environment") throw fastnn::EnvironmentError("[probe] environment");
  if (what == "memory") throw std::bad_alloc();
  if (what == "exception") throw std::logic_error("broken");
  if (what == "number") throw 7;
  if (what == "print") std::puts("text");
  if (what == "late_print") return print_late();
  if (what == "first_descriptor") return new_file_gets_no_standard_number();
  if (what == "signals") return raise_signals(arguments.size() - 1);
  return ExitCode::done;
}

}  // namespace

int main(int argc, char** argv) {
  return fastnn::tools::run_program(argc, argv, probe);
}

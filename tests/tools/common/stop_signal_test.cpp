#include "tools/common/stop_signal.h"

#include <csignal>

#include <stdexcept>

#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"

using fastnn::tests::bin_dir;
using fastnn::tests::CommandResult;
using fastnn::tests::run_command;
using fastnn::tools::StopSignal;

TEST_CASE("stop_signal: no signal, no request") {
  CHECK_FALSE(StopSignal().requested());
}

TEST_CASE("stop_signal: the first signal that asks for the end sets the flag and the process goes on") {
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGXCPU, SIGUSR1}) {
    const StopSignal stop;
    std::raise(number);
    CHECK(stop.requested());
    CHECK(stop.number() == number);
  }
}

TEST_CASE("stop_signal: signals that come again of themselves do not end the process") {
  const StopSignal stop;
  for (int i = 0; i < 3; ++i)
    for (const int number : {SIGXCPU, SIGHUP, SIGUSR1}) std::raise(number);
  std::raise(SIGTERM);
  CHECK(stop.number() == SIGXCPU);
  CHECK(std::string(stop.name()) == "SIGXCPU");
}

TEST_CASE("stop_signal: SIGUSR2 asks for a save, once each time") {
  StopSignal stop;
  CHECK_FALSE(stop.take_save_request());
  std::raise(SIGUSR2);
  CHECK(stop.take_save_request());
  CHECK_FALSE(stop.take_save_request());
  CHECK_FALSE(stop.requested());
}

TEST_CASE("stop_signal: a signal that was ignored before stays ignored") {
  const auto former = std::signal(SIGHUP, SIG_IGN);
  {
    const StopSignal stop;
    std::raise(SIGHUP);
    CHECK_FALSE(stop.requested());
  }
  std::signal(SIGHUP, former);
}

TEST_CASE("stop_signal: a new object starts without a request") {
  {
    const StopSignal stop;
    std::raise(SIGTERM);
  }
  CHECK_FALSE(StopSignal().requested());
}

TEST_CASE("stop_signal: a second object at a time is refused") {
  const StopSignal stop;
  CHECK_THROWS_AS(StopSignal(), std::logic_error);
}

TEST_CASE("stop_signal: the former handlers return with the end of the object") {
  const auto former = std::signal(SIGTERM, SIG_IGN);
  { const StopSignal stop; }
  CHECK(std::signal(SIGTERM, former) == SIG_IGN);
}

TEST_CASE("stop_signal: a second signal ends the process at once") {
  const std::string probe = bin_dir() + "/common_probe signals ";
  const CommandResult once = run_command(probe + "1");
  CHECK(once.exit_code == 6);
  CHECK(once.output == "requested 1, signal 15\n");
  const CommandResult twice = run_command(probe + "1 2 3");
  CHECK(twice.exit_code == 128 + SIGTERM);
  CHECK(twice.output == "requested 1, signal 15\n");
}

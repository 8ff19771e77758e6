#include "tools/common/stop_signal.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <stdexcept>

namespace fastnn::tools {
namespace {

constexpr std::array kSignals = {SIGTERM, SIGINT};

// A signal handler can reach nothing but static storage.
std::atomic<int> received{0};
std::atomic<bool> installed{false};
std::array<struct sigaction, kSignals.size()> former;

static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only use lock-free atomics");

void on_signal(int number) {
  int none = 0;
  if (!received.compare_exchange_strong(none, number)) _exit(128 + number);
}

}  // namespace

StopSignal::StopSignal() {
  if (installed.exchange(true)) throw std::logic_error("[stop_signal] there is one already");
  received = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &former[i]);
}

StopSignal::~StopSignal() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &former[i], nullptr);
  installed = false;
}

int StopSignal::number() const {
  return received;
}

}  // namespace fastnn::tools

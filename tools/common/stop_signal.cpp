#include "tools/common/stop_signal.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>

namespace fastnn::tools {
namespace {

struct Kind {
  int number;
  const char* name;
};

constexpr std::array kStops = {Kind{SIGTERM, "SIGTERM"}, Kind{SIGINT, "SIGINT"}, Kind{SIGHUP, "SIGHUP"},
                               Kind{SIGXCPU, "SIGXCPU"}, Kind{SIGUSR1, "SIGUSR1"}};
constexpr int kSave = SIGUSR2;

// A signal handler can reach nothing but static storage.
std::atomic<int> received{0};
std::atomic<bool> insisted{false};
std::atomic<bool> save_requested{false};
std::atomic<bool> installed{false};
std::array<struct sigaction, kStops.size() + 1> former;

static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only use lock-free atomics");

void on_stop(int number) {
  const bool insists = number == SIGTERM || number == SIGINT;
  if (insists && insisted.exchange(true)) _exit(128 + number);
  int none = 0;
  received.compare_exchange_strong(none, number);
}

void on_save(int) {
  save_requested = true;
}

void install(int number, void (*handler)(int), struct sigaction& before) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, &before);
  if (before.sa_handler == SIG_IGN) sigaction(number, &before, nullptr);
}

}  // namespace

StopSignal::StopSignal() {
  if (installed.exchange(true)) throw std::logic_error("[stop_signal] there is one already");
  received = 0;
  insisted = false;
  save_requested = false;
  for (std::size_t i = 0; i < kStops.size(); ++i) install(kStops[i].number, on_stop, former[i]);
  install(kSave, on_save, former.back());
}

StopSignal::~StopSignal() {
  for (std::size_t i = 0; i < kStops.size(); ++i) sigaction(kStops[i].number, &former[i], nullptr);
  sigaction(kSave, &former.back(), nullptr);
  installed = false;
}

int StopSignal::number() const {
  return received;
}

const char* StopSignal::name() const {
  const auto kind = std::ranges::find(kStops, number(), &Kind::number);
  return kind == kStops.end() ? "no signal" : kind->name;
}

bool StopSignal::take_save_request() {
  return save_requested.exchange(false);
}

}  // namespace fastnn::tools

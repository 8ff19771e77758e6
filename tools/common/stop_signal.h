#pragma once

namespace fastnn::tools {

/// While it lives, the signals that ask a run to end (SIGTERM, SIGINT, SIGHUP, SIGXCPU, SIGUSR1) and to save
/// (SIGUSR2) only set flags, which the loop polls between steps. The second of SIGTERM and SIGINT ends the
/// process at once with 128 + signal number; the others never do, since terminals, limits and schedulers send
/// them again of themselves. A signal that the process was started to ignore (nohup) stays ignored. One
/// object at a time; the former handlers return with its end. Interrupted system calls are restarted.
class StopSignal {
 public:
  /// Throws std::logic_error if there is one already.
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool requested() const { return number() != 0; }
  /// The first signal that asked for the end; 0 for none.
  int number() const;
  /// Its name: "SIGTERM".
  const char* name() const;

  /// Whether SIGUSR2 came since the last call.
  bool take_save_request();
};

}  // namespace fastnn::tools

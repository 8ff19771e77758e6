#pragma once

namespace fastnn::tools {

/// While it lives, the first SIGTERM or SIGINT only sets a flag, which the loop polls between steps; a second
/// one ends the process at once with 128 + signal number. One object at a time; the former handlers return
/// with its end. Interrupted system calls are restarted.
class StopSignal {
 public:
  /// Throws std::logic_error if there is one already.
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool requested() const { return number() != 0; }
  /// The signal that came; 0 for none.
  int number() const;
};

}  // namespace fastnn::tools

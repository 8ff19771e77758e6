#pragma once

#include "kernels/simt/sanitizer.h"

namespace fastnn::simt {

/// A function with a stack of its own that can pause in the middle and go on later, on the OS thread it was
/// started on. Switching costs a few nanoseconds: no system call, no signal mask.
class Fiber {
 public:
  /// Must not throw.
  using Body = void (*)(void* argument);

  /// Throws std::bad_alloc if there is no memory for a stack.
  Fiber();
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Sets the fiber to the beginning of body(argument). What it was in the middle of is dropped, its
  /// destructors included.
  void start(Body body, void* argument);

  /// Runs the body until it pauses or returns. Not from within a fiber.
  void resume();

  /// Ends the running resume(). From within this fiber.
  void pause();

 private:
  static void enter();

  Body body_ = nullptr;
  void* argument_ = nullptr;
  void* stack_pointer_ = nullptr;
  void* caller_stack_pointer_ = nullptr;
  sanitizer::Stack stack_;
  sanitizer::Stack caller_;
};

}  // namespace fastnn::simt

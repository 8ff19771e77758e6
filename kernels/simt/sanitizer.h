#pragma once

#include <cstddef>

/// What the executor tells the sanitizer of this build about stacks and about what orders what. One of three
/// files implements it, chosen by CMake: sanitizer_none.cpp, sanitizer_address.cpp, sanitizer_thread.cpp.
namespace fastnn::simt::sanitizer {

/// A stack as the sanitizer knows it: that of a fiber, or of the OS thread that runs fibers.
struct Stack {
  void* bottom = nullptr;
  std::size_t bytes = 0;
  /// AddressSanitizer's stack of variables that may outlive their function.
  void* fake = nullptr;
  /// ThreadSanitizer's thread.
  void* thread = nullptr;
};

/// A new thread of execution begins on the stack; what was on it is forgotten.
void begin(Stack& stack);
/// The stack's memory is about to be unmapped.
void end(Stack& stack);
/// Just before the switch of stacks, on the old one. The caller's own stack is known after the first
/// arrive().
void leave(Stack& from, Stack& to);
/// Just after it, on the new one; 'from' is the stack that was left.
void arrive(Stack& to, Stack& from);

/// What happened before release(token) in one thread happened before what follows acquire(token) in another.
void release(void* token);
void acquire(void* token);

/// free() of memory that threads used which are not known to have ended.
void free_unordered(void* memory);

}  // namespace fastnn::simt::sanitizer

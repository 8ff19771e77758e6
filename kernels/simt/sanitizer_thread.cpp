#include <sanitizer/tsan_interface.h>
#include <sys/mman.h>

#include <cstdlib>

#include "kernels/simt/sanitizer.h"

// Of the sanitizer's run-time library, in none of its headers.
extern "C" void AnnotateIgnoreWritesBegin(const char* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char* file, int line);

namespace fastnn::simt::sanitizer {

// Each body is a thread of its own; mapping the stack anew forgets what an earlier one did there.
void begin(Stack& stack) {
  if (stack.thread != nullptr) __tsan_destroy_fiber(stack.thread);
  mmap(stack.bottom, stack.bytes, PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  stack.thread = __tsan_create_fiber(0);
}

void end(Stack& stack) {
  if (stack.thread != nullptr) __tsan_destroy_fiber(stack.thread);
}

// Without synchronisation: only barriers order threads.
void leave(Stack& from, Stack& to) {
  if (from.thread == nullptr) from.thread = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.thread, __tsan_switch_to_fiber_no_sync);
}

void arrive(Stack&, Stack&) {}

void release(void* token) {
  __tsan_release(token);
}

void acquire(void* token) {
  __tsan_acquire(token);
}

void free_unordered(void* memory) {
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  std::free(memory);
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
}

}  // namespace fastnn::simt::sanitizer

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

#include <cstdlib>

#include "kernels/simt/sanitizer.h"

namespace fastnn::simt::sanitizer {

// A body that was given up in the middle leaves its red zones behind.
void begin(Stack& stack) {
  __asan_unpoison_memory_region(stack.bottom, stack.bytes);
  stack.fake = nullptr;
}

// Or else memory that is mapped here later inherits them.
void end(Stack& stack) {
  __asan_unpoison_memory_region(stack.bottom, stack.bytes);
}

void leave(Stack& from, Stack& to) {
  __sanitizer_start_switch_fiber(&from.fake, to.bottom, to.bytes);
}

void arrive(Stack& to, Stack& from) {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(to.fake, &bottom, &bytes);
  from.bottom = const_cast<void*>(bottom);
  from.bytes = bytes;
}

void release(void*) {}
void acquire(void*) {}

void free_unordered(void* memory) {
  std::free(memory);
}

}  // namespace fastnn::simt::sanitizer

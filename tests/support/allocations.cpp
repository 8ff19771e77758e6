#include "tests/support/allocations.h"

#include <dlfcn.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace {

thread_local fastnn::tests::ThreadUse use;
/// Set while the owner of a call is looked up, which may allocate itself.
thread_local bool looking_up = false;

void count_call_from(const void* address) {
  if (looking_up) return;
  looking_up = true;
  Dl_info info{};
  const bool library = dladdr(address, &info) != 0 && std::strstr(info.dli_fname, "libdnnl") != nullptr;
  ++(library ? use.onednn_allocations : use.allocations);
  looking_up = false;
}

}  // namespace

// noinline: gcc warns of a mismatch where it sees the body of only one of the pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  count_call_from(__builtin_return_address(0));
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace fastnn::tests {

ThreadUse thread_use() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  ThreadUse now = use;
  now.page_faults = usage.ru_minflt + usage.ru_majflt;
  return now;
}

ThreadUse operator-(const ThreadUse& a, const ThreadUse& b) {
  return {.onednn_allocations = a.onednn_allocations - b.onednn_allocations,
          .allocations = a.allocations - b.allocations,
          .page_faults = a.page_faults - b.page_faults};
}

}  // namespace fastnn::tests

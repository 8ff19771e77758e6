#pragma once

namespace fastnn::tests {

/// What happened on this thread so far. A program that calls one of these counts every operator new of the
/// process, libfastnn's included; not with sanitizers, which replace that operator too.
struct ThreadUse {
  /// Calls of operator new by oneDNN's library, and by all else.
  long onednn_allocations = 0;
  long allocations = 0;
  long page_faults = 0;
};

ThreadUse thread_use();

ThreadUse operator-(const ThreadUse& a, const ThreadUse& b);

}  // namespace fastnn::tests

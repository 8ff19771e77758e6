#pragma once

#include <sys/resource.h>

#include <csignal>

namespace fastnn::tests {

/// Files of this process cannot grow beyond a size until the end of the scope: a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(::rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const ::rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  ::rlimit before_{};
  void (*handler_)(int);
};

}  // namespace fastnn::tests

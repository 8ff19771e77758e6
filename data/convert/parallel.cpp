#include "data/convert/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace fastnn {
namespace {

class Work {
 public:
  Work(std::int64_t count, const std::function<void(std::int64_t)>& work) : count_(count), work_(work) {}

  void run() {
    try {
      for (std::int64_t i = next_++; i < count_; i = next_++) work_(i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      next_ = count_;
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::int64_t count_;
  const std::function<void(std::int64_t)>& work_;
  std::atomic<std::int64_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work) {
  const auto wanted = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  Work shared(count, work);
  {
    std::vector<std::jthread> others;
    for (std::int64_t i = 1; i < std::min<std::int64_t>(wanted, count); ++i)
      others.emplace_back([&shared] { shared.run(); });
    shared.run();
  }
  shared.rethrow();
}

}  // namespace fastnn

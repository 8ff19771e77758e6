#pragma once

#include <array>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "kernels/simt/executor.h"
#include "kernels/simt/fiber.h"

namespace fastnn::simt {

/// Threads that can go on, first come, first served; each stands in it at most once. Never allocates between
/// two resets: ThreadSanitizer would take that for work of the kernel.
class ReadyThreads {
 public:
  void reset(std::size_t threads) {
    threads_.resize(threads);
    first_ = size_ = 0;
  }
  bool empty() const { return size_ == 0; }
  void push(int thread) { threads_[(first_ + size_++) % threads_.size()] = thread; }
  int pop() {
    const int thread = threads_[first_];
    first_ = (first_ + 1) % threads_.size();
    --size_;
    return thread;
  }

 private:
  std::vector<int> threads_;
  std::size_t first_ = 0, size_ = 0;
};

/// The threads of one block while it runs. One object runs the blocks of many launches, keeping its fibers.
class Block {
 public:
  /// The block that runs on this OS thread; null outside of run().
  static Block*& current();

  /// Runs all threads of one block.
  void run(const Launch& launch, const std::function<void()>& thread, const std::vector<int>& order);
  /// Behind the last block: until then, nothing orders the blocks.
  void end_launch();

  // From within a thread.
  void barrier();
  const std::uint64_t* exchange(std::uint32_t mask, std::uint64_t value, const char* name);
  void warp_barrier(std::uint32_t mask);
  int lane() const { return running_ % kWarp; }
  void* shared() const { return shared_.get(); }

 private:
  static constexpr int kWarp = 32;
  enum class State : std::uint8_t { fresh, ready, at_barrier, at_exchange, done };

  struct Warp {
    std::array<std::array<std::uint64_t, kWarp>, 2> values{};
    std::array<char, 2> tokens{};
    std::uint32_t mask = 0, arrived = 0, done = 0;
    /// Number of exchanges done; their values lie at its lowest bit.
    unsigned round = 0;
    const char* name = "";
  };

  static void thread_main(void* block);
  void make_shared(std::size_t bytes);
  void run_next(const std::vector<int>& order);
  void resume(int thread);
  void pause();
  void finish_thread();
  void release_barrier_if_complete();
  void release_warp(int first_thread, std::uint32_t mask);
  void check_exchange(const Warp& warp, std::uint32_t mask, const char* name) const;
  std::string deadlock() const;

  const std::function<void()>* body_ = nullptr;
  Extents extents_;
  int count_ = 0, started_ = 0, live_ = 0, at_barrier_ = 0, running_ = 0;
  unsigned barriers_ = 0;
  std::vector<State> states_;
  std::vector<Warp> warps_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  /// Fiber of each thread that has begun and not ended; those that are free.
  std::vector<Fiber*> fiber_of_, idle_;
  ReadyThreads ready_;
  std::unique_ptr<void, void (*)(void*)> shared_{nullptr, nullptr};
  std::exception_ptr error_;
  char start_token_ = 0, end_token_ = 0;
  std::array<char, 2> barrier_tokens_{};
};

}  // namespace fastnn::simt

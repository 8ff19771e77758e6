#include "kernels/simt/block.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "kernels/simt/simt.h"

namespace fastnn::simt {
namespace {

std::string text_of(std::uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

}  // namespace

Block*& Block::current() {
  static thread_local Block* block = nullptr;
  return block;
}

void Block::run(const Launch& launch, const std::function<void()>& thread, const std::vector<int>& order) {
  body_ = &thread;
  extents_ = launch.block;
  count_ = live_ = static_cast<int>(launch.block.count());
  started_ = at_barrier_ = 0;
  states_.assign(order.size(), State::fresh);
  fiber_of_.assign(order.size(), nullptr);
  warps_.assign((order.size() + kWarp - 1) / kWarp, {});
  ready_.reset(order.size());
  idle_.reserve(order.size());
  make_shared(launch.shared_bytes);
  sanitizer::release(&start_token_);
  while (error_ == nullptr && (!ready_.empty() || started_ < count_)) run_next(order);
  if (error_ == nullptr && live_ > 0) error_ = std::make_exception_ptr(Error(deadlock()));
  idle_.clear();
  for (const auto& fiber : fibers_) idle_.push_back(fiber.get());
  if (const auto error = std::exchange(error_, nullptr)) std::rethrow_exception(error);
}

void Block::end_launch() {
  shared_.reset();
  sanitizer::acquire(&end_token_);
}

// A buffer of its own and of just this size for each block: the red zone begins right behind it.
void Block::make_shared(std::size_t bytes) {
  shared_ = {bytes > 0 ? std::malloc(bytes) : nullptr, sanitizer::free_unordered};
  if (shared_ != nullptr) std::memset(shared_.get(), 0xFF, bytes);
}

// Those that can go on come first, so that few threads are under way at once.
void Block::run_next(const std::vector<int>& order) {
  if (!ready_.empty()) return resume(ready_.pop());
  const int thread = order[static_cast<std::size_t>(started_++)];
  if (idle_.empty()) {
    fibers_.push_back(std::make_unique<Fiber>());
    idle_.push_back(fibers_.back().get());
  }
  Fiber* fiber = idle_.back();
  idle_.pop_back();
  fiber_of_[static_cast<std::size_t>(thread)] = fiber;
  fiber->start(thread_main, this);
  resume(thread);
}

void Block::resume(int thread) {
  running_ = thread;
  states_[static_cast<std::size_t>(thread)] = State::ready;
  const auto t = static_cast<std::uint32_t>(thread);
  threadIdx = {t % extents_.x, t / extents_.x % extents_.y, t / extents_.x / extents_.y};
  fiber_of_[static_cast<std::size_t>(thread)]->resume();
}

void Block::thread_main(void* argument) {
  Block& block = *static_cast<Block*>(argument);
  sanitizer::acquire(&block.start_token_);
  try {
    (*block.body_)();
  } catch (...) {
    block.error_ = std::current_exception();
  }
  block.finish_thread();
}

void Block::finish_thread() {
  const auto thread = static_cast<std::size_t>(running_);
  states_[thread] = State::done;
  idle_.push_back(fiber_of_[thread]);
  Warp& warp = warps_[thread / kWarp];
  warp.done |= 1U << lane();
  if (error_ == nullptr && warp.arrived != 0 && (warp.mask >> lane() & 1) != 0)
    error_ = std::make_exception_ptr(Error(std::string(warp.name) + ": thread " + std::to_string(running_) +
                                           " ended while others of its warp wait for it"));
  --live_;
  release_barrier_if_complete();
  sanitizer::release(&end_token_);
}

void Block::pause() {
  fiber_of_[static_cast<std::size_t>(running_)]->pause();
}

void Block::barrier() {
  char* token = &barrier_tokens_[barriers_ & 1];
  sanitizer::release(token);
  ++at_barrier_;
  states_[static_cast<std::size_t>(running_)] = State::at_barrier;
  release_barrier_if_complete();
  pause();
  sanitizer::acquire(token);
}

// Those that have ended are not waited for.
void Block::release_barrier_if_complete() {
  if (live_ == 0 || at_barrier_ < live_) return;
  at_barrier_ = 0;
  ++barriers_;
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (states_[i] == State::at_barrier) {
      states_[i] = State::ready;
      ready_.push(static_cast<int>(i));
    }
}

void Block::check_exchange(const Warp& warp, std::uint32_t mask, const char* name) const {
  const std::string thread = ": thread " + std::to_string(running_);
  const int lanes = count_ - running_ / kWarp * kWarp;
  const std::uint32_t existing = lanes >= kWarp ? ~0U : (1U << lanes) - 1;
  if ((mask >> lane() & 1) == 0)
    throw Error(name + thread + " is not named by its own mask " + text_of(mask));
  if ((mask & ~existing) != 0)
    throw Error(name + thread + " names lanes that the block does not have: mask " + text_of(mask));
  if ((mask & warp.done) != 0)
    throw Error(name + thread + " names threads that have ended: mask " + text_of(mask));
  if (warp.arrived != 0 && (warp.mask != mask || std::strcmp(warp.name, name) != 0))
    throw Error(name + thread + " with mask " + text_of(mask) + ", while others of its warp wait in " +
                warp.name + " with mask " + text_of(warp.mask));
}

const std::uint64_t* Block::exchange(std::uint32_t mask, std::uint64_t value, const char* name) {
  Warp& warp = warps_[static_cast<std::size_t>(running_ / kWarp)];
  check_exchange(warp, mask, name);
  warp.mask = mask;
  warp.name = name;
  // Two sets of values: who goes on first may come back before the others have read.
  auto& values = warp.values[warp.round & 1];
  values[static_cast<std::size_t>(lane())] = value;
  warp.arrived |= 1U << lane();
  if (warp.arrived != mask) {
    states_[static_cast<std::size_t>(running_)] = State::at_exchange;
    pause();
  } else {
    warp.arrived = 0;
    ++warp.round;
    release_warp(running_ / kWarp * kWarp, mask & ~(1U << lane()));
  }
  return values.data();
}

void Block::release_warp(int first_thread, std::uint32_t mask) {
  for (int lane = 0; lane < kWarp; ++lane)
    if ((mask >> lane & 1) != 0) {
      states_[static_cast<std::size_t>(first_thread + lane)] = State::ready;
      ready_.push(first_thread + lane);
    }
}

void Block::warp_barrier(std::uint32_t mask) {
  Warp& warp = warps_[static_cast<std::size_t>(running_ / kWarp)];
  char* token = &warp.tokens[warp.round & 1];
  sanitizer::release(token);
  exchange(mask, 0, "__syncwarp");
  sanitizer::acquire(token);
}

std::string Block::deadlock() const {
  int at_exchange = 0;
  std::string name;
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (states_[i] == State::at_exchange) {
      ++at_exchange;
      name = warps_[i / kWarp].name;
    }
  return "deadlock in a block of " + std::to_string(count_) + " threads: " + std::to_string(at_barrier_) +
         " wait in __syncthreads, " + std::to_string(at_exchange) + " in " +
         (name.empty() ? "no warp" : name) + ", " + std::to_string(count_ - live_) + " have ended";
}

}  // namespace fastnn::simt

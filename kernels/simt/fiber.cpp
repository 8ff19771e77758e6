#include "kernels/simt/fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

// Saves the registers that a call preserves and the stack pointer in *from, and goes on where 'to' was saved.
extern "C" void fastnn_switch_stack(void** from, void* to);

__asm__(R"(
  .text
  .globl fastnn_switch_stack
  .hidden fastnn_switch_stack
  .type fastnn_switch_stack, @function
fastnn_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size fastnn_switch_stack, .-fastnn_switch_stack
)");

namespace fastnn::simt {
namespace {

// Of which only what is touched takes memory; sanitizers enlarge frames.
constexpr std::size_t kStackBytes = 256 * 1024;
constexpr std::size_t kGuardBytes = 4096;
constexpr int kSavedRegisters = 6;

thread_local Fiber* current = nullptr;

}  // namespace

Fiber::Fiber() {
  void* memory = mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, kGuardBytes, PROT_NONE);
  stack_.bottom = static_cast<std::byte*>(memory) + kGuardBytes;
  stack_.bytes = kStackBytes;
}

Fiber::~Fiber() {
  sanitizer::end(stack_);
  munmap(static_cast<std::byte*>(stack_.bottom) - kGuardBytes, kGuardBytes + kStackBytes);
}

// As if enter() had been called: its stack is aligned behind a return address, here none.
void Fiber::start(Body body, void* argument) {
  sanitizer::begin(stack_);
  body_ = body;
  argument_ = argument;
  auto** top = reinterpret_cast<void**>(static_cast<std::byte*>(stack_.bottom) + kStackBytes);
  *--top = nullptr;
  *--top = reinterpret_cast<void*>(&Fiber::enter);
  for (int i = 0; i < kSavedRegisters; ++i) *--top = nullptr;
  stack_pointer_ = top;
}

void Fiber::resume() {
  current = this;
  sanitizer::leave(caller_, stack_);
  fastnn_switch_stack(&caller_stack_pointer_, stack_pointer_);
  sanitizer::arrive(caller_, stack_);
  current = nullptr;
}

void Fiber::pause() {
  sanitizer::leave(stack_, caller_);
  fastnn_switch_stack(&stack_pointer_, caller_stack_pointer_);
  sanitizer::arrive(stack_, caller_);
}

void Fiber::enter() {
  Fiber& fiber = *current;
  sanitizer::arrive(fiber.stack_, fiber.caller_);
  fiber.body_(fiber.argument_);
  fiber.pause();
}

}  // namespace fastnn::simt

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/protocol.h"
#include "engine/device/device.h"
#include "tests/support/operation_cases.h"

namespace fastnn::bench {

/// Launches of one direction of an operation.
struct KernelPass {
  /// Nothing to launch: an operation without gradient.
  int launches = 0;
  /// Those that its launches have, each once.
  std::vector<std::string> implementations;
  double flops = 0;
  /// Of all operands of all launches, each once.
  double bytes = 0;
  Measurement time;
};

struct KernelResult {
  std::string name;
  KernelPass forward;
  /// Gradients of all operands together.
  KernelPass gradient;
};

/// Rows of the tests' case table that are real layers of nets and have 'filter' in their name (empty: all).
/// Throws UsageError if there is none.
std::vector<const tests::OperationCase*> kernel_cases(std::string_view filter);

/// Measures the launches of an operation and of its gradients, one after another as in a net, on the values
/// of its test. Throws UsageError if the device cannot run it.
KernelResult bench_kernel(const tests::OperationCase& operation_case, Device& device,
                          const ProtocolOptions& protocol);

}  // namespace fastnn::bench

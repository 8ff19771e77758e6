#pragma once

#include "engine/device/device.h"
#include "tests/support/catch.h"

namespace fastnn::tests {

/// Says why a test does nothing where the device does not compute in bf16.
inline bool skip_without_bf16(const Device& device) {
  if (device.computes(Dtype::bf16)) return false;
  WARN("skipped: device " << device.name() << " does not compute in bf16 on this processor");
  return true;
}

}  // namespace fastnn::tests

#include "engine/device/cpu/cpu_device.h"
#include "engine/device/device.h"
#include "engine/device/reference/reference_device.h"

namespace fastnn {

std::span<const DeviceEntry> device_table() {
  static constexpr DeviceEntry kDevices[] = {
      {"cpu", "float32 on this processor", make_cpu_device},
      {"reference", "float64 by plain loops, slow: to check other devices", make_reference_device},
  };
  return kDevices;
}

}  // namespace fastnn

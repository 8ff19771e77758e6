#pragma once

#include <memory>

#include "engine/device/device.h"

namespace fastnn {

/// Everything in double precision by plain loops, optimizer and slots too: the oracle of all tests, and a
/// device a whole net can be run on to check another.
std::unique_ptr<Device> make_reference_device(int threads);

}  // namespace fastnn

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/net_run.h"
#include "bench/protocol.h"
#include "tools/common/arguments.h"

namespace fastnn::bench {

/// A flag that is a parameter of the trainer: its help and default are the parameter table's. 'default_value'
/// replaces one that fits training only.
tools::Flag trainer_flag(std::string_view name, std::string_view default_value = {});

/// The value of a flag that has the type, range and choices of a parameter of the trainer. Throws UsageError
/// saying what was expected.
const std::string& checked_text(const tools::Arguments& arguments, std::string_view flag,
                                std::string_view parameter);
/// The same for an integer; 0 for "auto".
std::int64_t checked_count(const tools::Arguments& arguments, std::string_view flag,
                           std::string_view parameter);

/// The device that --device and --threads name.
std::unique_ptr<Device> device_of(const tools::Arguments& arguments);

/// The net that the flags describe, and with its optimizer.
NetRunOptions net_options(const tools::Arguments& arguments, std::string model_name);
NetRunOptions run_options(const tools::Arguments& arguments, std::string model_name);

/// --windows and --window_ms.
ProtocolOptions protocol_of(const tools::Arguments& arguments);

}  // namespace fastnn::bench

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/net_bench.h"

namespace fastnn::bench {

/// What a figure is worth only together with: program, compiler, libraries, processor, threads.
nlohmann::json surroundings(const Device& device);

nlohmann::json to_json(const NetResult& result);

/// The lines of a table for people: rates, split of the step, memory.
std::vector<std::string> text_of(const NetResult& result);

/// Launches of a step by kind and implementation, the longest first.
std::vector<std::string> kind_table(const NetResult& result);

/// Model name of the processor, "unknown" where the system does not say.
std::string processor_name();

}  // namespace fastnn::bench

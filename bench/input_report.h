#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bench/input_bench.h"
#include "bench/report.h"

namespace fastnn::bench {

/// Images a second by stage on one core, and of all threads.
Lines text_of(const InputResult& result);

nlohmann::json to_json(const InputResult& result);

}  // namespace fastnn::bench

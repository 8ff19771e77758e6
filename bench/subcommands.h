#pragma once

#include "tools/common/subcommands.h"

namespace fastnn::bench {

/// fastnn-bench: what measures nets.
tools::SubcommandProgram bench_program();

}  // namespace fastnn::bench

#pragma once

#include "tools/common/subcommands.h"

namespace fastnn::bench {

/// fastnn-bench: nets (images per second), step (where a step's time goes), plan (what a step
/// moves and computes, and the roof), kernels (operations one by one, as shares of the machine's peak).
tools::SubcommandProgram bench_program();

}  // namespace fastnn::bench

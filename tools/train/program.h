#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "tools/common/console_log.h"
#include "tools/parameters/parameters.h"

namespace fastnn::tools {

/// What a program does once its parameters are read.
using Run = std::function<ExitCode(const Parameters& parameters, ConsoleLog& log)>;

/// What all programs of the parameter table do first: --help, --version and --list_models answer and end;
/// else the settings, completed from the run they speak of (completed_from_run), are printed with their
/// origins and 'run' goes on.
ExitCode run_with_parameters(Program program, const std::vector<std::string>& arguments, const Run& run);

}  // namespace fastnn::tools

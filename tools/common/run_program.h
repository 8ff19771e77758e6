#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"

namespace fastnn::tools {

/// What a program does, given its arguments without its own name.
using ProgramBody = std::function<ExitCode(const std::vector<std::string>& arguments)>;

/// The whole of a main(): guards the standard streams (standard_streams.h), runs the body and turns what
/// escapes into "NAME: error: ..." on stderr and an exit code: that of an Error, 4 for std::bad_alloc and for
/// a standard output that cannot be written (unless its reader closed it), 1 with a request to report for
/// anything else. NAME is the file name of argv[0].
int run_program(int argc, char** argv, const ProgramBody& body);

/// "fastnn-train 0.1.0 (gcc 12.2.0, x86-64-v3)".
std::string version_text(std::string_view program);

}  // namespace fastnn::tools

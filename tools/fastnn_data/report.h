#pragma once

#include <string>

#include "tools/fastnn_data/check.h"
#include "tools/fastnn_data/inspect.h"

namespace fastnn::tools {

/// Lines for people, without a trailing newline.
std::string inspection_text(const Inspection& inspection);
/// "FILE, record 3, byte 412: reason".
std::string fault_text(const Fault& fault);
/// "checked 5 files, 300 records: no fault", or how many faults in how many files.
std::string check_text(const CheckResult& result);

/// The same as JSON objects with the members of the structs.
std::string inspection_json(const Inspection& inspection);
std::string check_json(const CheckResult& result);

}  // namespace fastnn::tools

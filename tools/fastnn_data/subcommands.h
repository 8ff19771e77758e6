#pragma once

#include "tools/common/subcommands.h"

namespace fastnn::tools {

/// fastnn-data: what turns published data sets into TFRecords and looks at them.
SubcommandProgram data_program();

}  // namespace fastnn::tools

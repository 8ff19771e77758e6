#pragma once

#include <string>

#include "engine/base/log.h"

namespace fastnn::tests {

/// Keeps the warnings.
struct RecordingLog final : Log {
  std::string warnings;
  void info(std::string_view) override {}
  void warning(std::string_view line) override { warnings += std::string(line) + "\n"; }
};

}  // namespace fastnn::tests

#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "engine/graph/value.h"

namespace fastnn {

/// Throws UsageError naming the operation's kind unless x is [..., C] and each of the others is [C].
void require_per_channel(std::string_view kind, const OperandSpec& x, std::span<const OperandSpec> others);

/// Throws UsageError unless the tensors have one shape and type.
void require_equal(std::string_view kind, std::span<const OperandSpec> tensors);

/// Throws UsageError unless an operation of 'least' inputs, and up to 'optional' more, got 'count'.
void require_input_count(std::string_view kind, std::size_t count, std::size_t least, std::size_t optional);

}  // namespace fastnn

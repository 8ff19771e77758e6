#pragma once

#include "engine/passes/rewrite.h"

namespace fastnn {

/// Index of the convolution or dense layer, without an epilogue yet, that makes a value for this reader
/// alone; -1 if there is none such.
int layer_behind(const Rewrite& rewrite, Value value, int reader);

}  // namespace fastnn

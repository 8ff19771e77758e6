#include "engine/graph/ops/channels.h"

#include "engine/base/error.h"

namespace fastnn {

void require_per_channel(std::string_view kind, const OperandSpec& x, std::span<const OperandSpec> others) {
  if (x.shape.rank() < 1) throw UsageError("[{}] expected x [..., C], got {}", kind, x.shape.text());
  for (const OperandSpec& other : others)
    if (other.shape != Shape{x.shape[-1]})
      throw UsageError("[{}] expected one figure per channel, [{}], beside x {}, got {}", kind, x.shape[-1],
                       x.shape.text(), other.shape.text());
}

void require_equal(std::string_view kind, std::span<const OperandSpec> tensors) {
  for (const OperandSpec& tensor : tensors)
    if (tensor != tensors.front())
      throw UsageError("[{}] shapes must be equal, got {} and {}", kind, tensors.front().shape.text(),
                       tensor.shape.text());
}

void require_input_count(std::string_view kind, std::size_t count, std::size_t least, std::size_t optional) {
  if (count < least || count > least + optional)
    throw UsageError("[{}] expected {} to {} inputs, got {}", kind, least, least + optional, count);
}

}  // namespace fastnn

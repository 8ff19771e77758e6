#include "engine/device/parameter_layout.h"

#include <cstring>

namespace fastnn {

void DenseLayout::pack(const void* plain, void* packed) const {
  std::memcpy(packed, plain, elements_ * element_bytes_);
}

void DenseLayout::unpack(const void* packed, void* plain) const {
  pack(packed, plain);
}

}  // namespace fastnn

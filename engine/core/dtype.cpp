#include "engine/core/dtype.h"

namespace fastnn {

std::size_t size_of(Dtype dtype) {
  return with_type(dtype, []<class T>() { return sizeof(T); });
}

std::string_view name_of(Dtype dtype) {
  constexpr std::string_view kNames[] = {"f32", "f64", "s32", "s64", "u8", "bf16"};
  return kNames[static_cast<int>(dtype)];
}

}  // namespace fastnn

#include "engine/device/device.h"

#include <algorithm>
#include <utility>

#include "engine/base/names.h"

namespace fastnn {

Buffer::Buffer(void* data, std::size_t bytes, std::function<void(void*, std::size_t)> release)
    : data_(data), bytes_(bytes), release_(std::move(release)) {}

Buffer::Buffer(Buffer&& other) noexcept {
  *this = std::move(other);
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(release_, other.release_);
  return *this;
}

Buffer::~Buffer() {
  if (release_) release_(data_, bytes_);
}

std::size_t Device::bytes_of(const OperandSpec& spec) const {
  return static_cast<std::size_t>(spec.shape.elements()) * size_of(storage(spec.dtype));
}

std::int64_t LoweringRequest::output_elements() const {
  const ParameterLayout* layout = output_layouts[0];
  return layout != nullptr ? static_cast<std::int64_t>(layout->elements()) : output(0).elements();
}

const LowerFunction& find_lowering(const LoweringTable& table, const LoweringRequest& request,
                                   std::string_view device) {
  const auto entry = table.find(request.node.operation->kind());
  if (entry == table.end())
    throw UsageError("[{}] this device cannot run {} ({})", device, request.node.name,
                     request.node.operation->kind());
  return entry->second;
}

std::vector<std::string_view> kinds_of(const LoweringTable& table) {
  std::vector<std::string_view> kinds;
  for (const auto& [kind, function] : table) kinds.push_back(kind);
  std::ranges::sort(kinds);
  return kinds;
}

std::unique_ptr<Device> make_device(std::string_view name, int threads) {
  std::vector<std::string_view> known = {"auto"};
  for (const DeviceEntry& entry : device_table()) {
    if (entry.name == name || name == "auto") return entry.make(threads);
    known.push_back(entry.name);
  }
  throw UsageError("[device] {}", unknown_name("device", name, known));
}

}  // namespace fastnn

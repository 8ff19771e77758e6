#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "engine/core/dtype.h"
#include "engine/device/lowering.h"
#include "engine/device/parameter_update.h"

namespace fastnn {

class Device;

/// Device memory, freed with its owner. Zeroed, 64-byte aligned.
class Buffer {
 public:
  Buffer() = default;
  Buffer(void* data, std::size_t bytes, std::function<void(void*, std::size_t)> release);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// Address of a byte of the buffer.
  void* at(std::size_t byte) const { return static_cast<std::byte*>(data_) + byte; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::function<void(void*, std::size_t)> release_;
};

/// What a plan runs on. A device has no notion of nets or training; it lowers operations, owns memory, and
/// decides how parameters lie in it. Used by one thread.
class Device {
 public:
  virtual ~Device() = default;

  /// "cpu", "reference".
  virtual std::string_view name() const = 0;
  /// One line for the log: processor, threads, libraries.
  virtual std::string description() const = 0;

  /// Can activations have this type? f32 always; bf16 where the processor multiplies it in hardware.
  virtual bool computes(Dtype dtype) const = 0;
  /// How this device stores elements of a type of the graph; the reference device stores f32
  /// and bf16 as f64.
  virtual Dtype storage(Dtype dtype) const { return dtype; }
  /// Bytes of an operand.
  std::size_t bytes_of(const OperandSpec& spec) const;

  /// Throws EnvironmentError naming the bytes wanted if there is not so much memory.
  virtual Buffer allocate(std::size_t bytes) = 0;
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;

  /// The layout this device wants for a parameter, given how the graph uses it.
  virtual std::shared_ptr<const ParameterLayout> parameter_layout(const Graph& graph, Value parameter) = 0;

  /// Kinds of the operations this device can run, sorted.
  virtual std::vector<std::string_view> operation_kinds() const = 0;

  /// Throws UsageError naming the operation if this device cannot run it.
  virtual Lowering lower(const LoweringRequest& request) = 0;

  /// The update phase: all parameters in one pass. The launches refer to 'update'.
  virtual ParameterUpdateLaunches bind_update(ParameterUpdate& update) = 0;
};

/// The table's function for the request's operation. Throws UsageError naming operation and device if there
/// is none.
const LowerFunction& find_lowering(const LoweringTable& table, const LoweringRequest& request,
                                   std::string_view device);

/// The keys of a table, sorted.
std::vector<std::string_view> kinds_of(const LoweringTable& table);

/// Makes a device of one kind, given the number of compute threads (0: one per core).
struct DeviceEntry {
  std::string_view name;
  std::string_view help;
  std::unique_ptr<Device> (*make)(int threads);
};

/// All devices of this build: "cpu", "reference".
std::span<const DeviceEntry> device_table();

/// Throws UsageError naming the known devices if there is no such device. "auto" is the best one present.
std::unique_ptr<Device> make_device(std::string_view name, int threads);

}  // namespace fastnn

#include "engine/device/cpu/cpu_device.h"

#include <omp.h>

#include "engine/device/cpu/lowering_table.h"
#include "engine/device/host/host_device.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/optimizer_update.h"

namespace fastnn {
namespace {

struct UpdateKernels {
  using Element = float;
  static constexpr auto add = kernels::cpu::add<float>;
  static constexpr auto scale = kernels::cpu::scale<float>;
  static constexpr auto gradient_statistics = kernels::cpu::gradient_statistics;
  static constexpr auto update = kernels::cpu::update;
};

class CpuDevice final : public host::HostDevice {
 public:
  explicit CpuDevice(int threads) : table_(cpu::lowering_table(onednn_)) {
    omp_set_dynamic(0);
    omp_set_num_threads(threads > 0 ? threads : omp_get_num_procs());
  }

  std::string_view name() const override { return "cpu"; }
  std::string description() const override {
    return fmt::format("cpu: float32{}, {} threads, oneDNN {}", computes(Dtype::bf16) ? ", bfloat16" : "",
                       omp_get_max_threads(), cpu::OneDnn::version());
  }
  bool computes(Dtype dtype) const override {
    return dtype == Dtype::f32 || (dtype == Dtype::bf16 && cpu::OneDnn::multiplies_bf16());
  }
  std::shared_ptr<const ParameterLayout> parameter_layout(const Graph& graph, Value parameter) override {
    return cpu::parameter_layout(onednn_, graph, parameter);
  }
  std::vector<std::string_view> operation_kinds() const override { return kinds_of(table_); }
  Lowering lower(const LoweringRequest& request) override {
    return find_lowering(table_, request, name())(request);
  }
  ParameterUpdateLaunches bind_update(ParameterUpdate& update) override {
    return host::bind_update<UpdateKernels>(update);
  }

 private:
  cpu::OneDnn onednn_;
  LoweringTable table_;
};

}  // namespace

std::unique_ptr<Device> make_cpu_device(int threads) {
  return std::make_unique<CpuDevice>(threads);
}

}  // namespace fastnn

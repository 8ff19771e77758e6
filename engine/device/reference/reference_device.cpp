#include "engine/device/reference/reference_device.h"

#include <omp.h>

#include "engine/device/host/host_device.h"
#include "engine/device/reference/lowering_table.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/optimizer_update.h"

namespace fastnn {
namespace {

struct UpdateKernels {
  using Element = double;
  static constexpr auto add = kernels::reference::add;
  static constexpr auto scale = kernels::reference::scale;
  static constexpr auto gradient_statistics = kernels::reference::gradient_statistics;
  static constexpr auto update = kernels::reference::update;
};

class ReferenceDevice final : public host::HostDevice {
 public:
  explicit ReferenceDevice(int threads) {
    if (threads > 0) omp_set_num_threads(threads);
  }

  std::string_view name() const override { return "reference"; }
  std::string description() const override {
    return fmt::format("reference: float64, plain loops, {} threads", omp_get_max_threads());
  }
  bool computes(Dtype) const override { return true; }
  Dtype storage(Dtype dtype) const override {
    return dtype == Dtype::f32 || dtype == Dtype::bf16 ? Dtype::f64 : dtype;
  }
  std::shared_ptr<const ParameterLayout> parameter_layout(const Graph& graph, Value parameter) override {
    return std::make_shared<DenseLayout>(static_cast<std::size_t>(graph.shape(parameter).elements()),
                                         sizeof(double));
  }
  std::vector<std::string_view> operation_kinds() const override {
    return kinds_of(reference::lowering_table());
  }
  Lowering lower(const LoweringRequest& request) override {
    return find_lowering(reference::lowering_table(), request, name())(request);
  }
  ParameterUpdateLaunches bind_update(ParameterUpdate& update) override {
    return host::bind_update<UpdateKernels>(update);
  }
};

}  // namespace

std::unique_ptr<Device> make_reference_device(int threads) {
  return std::make_unique<ReferenceDevice>(threads);
}

}  // namespace fastnn

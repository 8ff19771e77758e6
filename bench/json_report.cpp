#include "bench/json_report.h"

#include <nlohmann/json.hpp>

#include "bench/machine.h"
#include "engine/device/cpu/onednn.h"
#include "tools/common/run_program.h"
#include "version.h"

namespace fastnn::bench {
namespace {

using nlohmann::json;

json to_json(const Measurement& m) {
  return {{"seconds", m.median},
          {"fastest_seconds", m.fastest},
          {"slowest_seconds", m.slowest},
          {"spread", m.spread()},
          {"calls", m.calls},
          {"steady", m.steady}};
}

json rate_json(const Measurement& m, std::int64_t batch_size) {
  json figures = to_json(m);
  figures["images_per_second"] = static_cast<double>(batch_size) / m.median;
  return figures;
}

json to_json(const NetRunOptions& options) {
  return {{"model_name", options.model_name},
          {"batch_size", options.batch_size},
          {"num_classes", options.num_classes},
          {"optimizer", options.optimizer},
          {"dtype", name_of(options.dtype)}};
}

json to_json(const PlanMemory& memory) {
  return {{"arena", memory.arena},
          {"arena_without_reuse", memory.arena_without_reuse},
          {"scratch", memory.scratch},
          {"prepared", memory.prepared}};
}

json to_json(const StepRow& row, double total) {
  json figures = to_json(row.time);
  figures.update({{"kind", row.kind},
                  {"implementation", row.implementation},
                  {"launches", row.launches},
                  {"flops", row.flops},
                  {"bytes", row.bytes},
                  {"share", row.time.median / total}});
  return figures;
}

json to_json(const PlanCostRow& row) {
  return {{"kind", row.kind},
          {"launches", row.launches},
          {"flops", row.cost.flops},
          {"bytes_read", row.cost.bytes_read},
          {"bytes_written", row.cost.bytes_written},
          {"parameter_bytes", row.cost.parameter_bytes},
          {"roof_seconds", row.roof_seconds}};
}

json to_json(const KernelPass& pass, const MachinePeak& peak) {
  json figures = to_json(pass.time);
  const double seconds = pass.time.median;
  figures.update({{"implementations", pass.implementations},
                  {"launches", pass.launches},
                  {"flops", pass.flops},
                  {"bytes", pass.bytes},
                  {"flops_per_second", pass.flops / seconds},
                  {"bytes_per_second", pass.bytes / seconds},
                  {"share_of_roof", peak.roof_seconds(pass.flops, pass.bytes) / seconds},
                  {"bound", peak.is_memory_bound(pass.flops, pass.bytes) ? "memory" : "compute"}});
  return figures;
}

}  // namespace

json surroundings(const Device& device, const ProtocolOptions& protocol) {
  return {{"fastnn", kVersion},
          {"program", tools::version_text("fastnn-bench")},
          {"onednn", cpu::OneDnn::version()},
          {"device", device.name()},
          {"device_description", device.description()},
          {"processor", processor_name()},
          {"instruction_sets", instruction_sets()},
          {"threads", compute_threads()},
          {"window_seconds", protocol.window_seconds},
          {"windows", protocol.windows}};
}

json to_json(const NetResult& result) {
  const auto& [data, prepare, forward, backward, update] = result.split;
  json figures = to_json(result.options);
  figures.update({{"image_size", result.image_size},
                  {"training", rate_json(result.training, result.options.batch_size)},
                  {"inference", rate_json(result.inference, result.options.batch_size)},
                  {"step_seconds",
                   {{"data", data},
                    {"prepare", prepare},
                    {"forward", forward},
                    {"backward", backward},
                    {"update", update}}},
                  {"memory_bytes",
                   {{"training", to_json(result.training_memory)},
                    {"inference", to_json(result.inference_memory)},
                    {"weights_gradients_slots", result.state_bytes}}}});
  return figures;
}

json to_json(const StepBenchResult& result) {
  double total = 0;
  for (const StepRow& row : result.rows) total += row.time.median;
  json figures = to_json(result.options);
  figures["step"] = to_json(result.step);
  figures["rows"] = json::array();
  for (const StepRow& row : result.rows) figures["rows"].push_back(to_json(row, total));
  return figures;
}

json to_json(const PlanCost& result) {
  json figures = {{"model_name", result.options.model_name},
                  {"batch_size", result.options.batch_size},
                  {"num_classes", result.options.num_classes},
                  {"image_size", result.image_size},
                  {"machine", result.machine.name},
                  {"images_per_second_at_roof",
                   static_cast<double>(result.options.batch_size) / result.total.roof_seconds},
                  {"total", to_json(result.total)},
                  {"rows", json::array()}};
  for (const PlanCostRow& row : result.rows) figures["rows"].push_back(to_json(row));
  return figures;
}

json to_json(const MachinePeak& peak) {
  return {{"flops_per_second", peak.flops_per_second},
          {"fma_spread", peak.fma.spread()},
          {"bytes_per_second", peak.bytes_per_second},
          {"triad_spread", peak.triad.spread()}};
}

json to_json(const KernelResult& result, const MachinePeak& peak) {
  json figures = {{"name", result.name}};
  if (result.forward.launches > 0) figures["forward"] = to_json(result.forward, peak);
  if (result.gradient.launches > 0) figures["gradient"] = to_json(result.gradient, peak);
  return figures;
}

}  // namespace fastnn::bench

#include "bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tools/common/run_program.h"
#include "version.h"

namespace fastnn::bench {
namespace {

using nlohmann::json;

constexpr double kMiB = 1 << 20;

json to_json(const Measurement& m, std::int64_t batch_size) {
  const auto batch = static_cast<double>(batch_size);
  return {{"images_per_second", batch / m.median},
          {"images_per_second_slowest_window", batch / m.slowest},
          {"images_per_second_fastest_window", batch / m.fastest},
          {"spread", m.spread()},
          {"seconds_per_step", m.median},
          {"steps", m.calls}};
}

json to_json(const PlanMemory& memory) {
  return {{"arena", memory.arena},
          {"arena_without_reuse", memory.arena_without_reuse},
          {"scratch", memory.scratch},
          {"prepared", memory.prepared}};
}

std::string rate_text(const char* what, const Measurement& m, std::int64_t batch_size) {
  return fmt::format("  {:<10} {:>9.1f} images/s  {:>9.3f} ms a step  spread {:.1f} %", what,
                     static_cast<double>(batch_size) / m.median, 1e3 * m.median, 100 * m.spread());
}

}  // namespace

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return "unknown";
}

json surroundings(const Device& device) {
  return {{"program", tools::version_text("fastnn-bench")},
          {"device", device.description()},
          {"processor", processor_name()}};
}

json to_json(const NetResult& result) {
  const auto& [data, prepare, forward, backward, update] = result.split;
  json kinds = json::object();
  for (const auto& [name, kind] : result.kinds)
    kinds[name] = {
        {"seconds", kind.seconds}, {"flops", kind.flops}, {"bytes", kind.bytes}, {"launches", kind.launches}};
  return {{"model_name", result.options.model_name},
          {"batch_size", result.options.batch_size},
          {"num_classes", result.options.num_classes},
          {"image_size", result.image_size},
          {"optimizer", result.options.optimizer},
          {"training", to_json(result.training, result.options.batch_size)},
          {"inference", to_json(result.inference, result.options.batch_size)},
          {"step_seconds",
           {{"data", data},
            {"prepare", prepare},
            {"forward", forward},
            {"backward", backward},
            {"update", update}}},
          {"memory_bytes",
           {{"training", to_json(result.training_memory)},
            {"inference", to_json(result.inference_memory)},
            {"weights_gradients_slots", result.state_bytes}}},
          {"launches", kinds}};
}

std::vector<std::string> text_of(const NetResult& result) {
  const auto& [data, prepare, forward, backward, update] = result.split;
  const double total = data + prepare + forward + backward + update;
  const auto part = [&](double seconds) {
    return fmt::format("{:.3f} ms ({:.1f} %)", 1e3 * seconds, 100 * seconds / total);
  };
  const auto mib = [](std::size_t bytes) { return static_cast<double>(bytes) / kMiB; };
  return {fmt::format("{}: batch {}, images {}x{}, {} classes", result.options.model_name,
                      result.options.batch_size, result.image_size, result.image_size,
                      result.options.num_classes),
          rate_text("training", result.training, result.options.batch_size),
          rate_text("inference", result.inference, result.options.batch_size),
          fmt::format("  step: data {}, prepare {}, forward {}, backward {}, update {} (profiled steps)",
                      part(data), part(prepare), part(forward), part(backward), part(update)),
          fmt::format("  memory: training {:.1f} MiB + weights, gradients, slots {:.1f} MiB; inference "
                      "{:.1f} MiB + weights",
                      mib(result.training_memory.total()), mib(result.state_bytes),
                      mib(result.inference_memory.total()))};
}

std::vector<std::string> kind_table(const NetResult& result) {
  double total = 0;
  std::vector<std::pair<std::string, KindTime>> rows(result.kinds.begin(), result.kinds.end());
  for (const auto& [name, kind] : rows) total += kind.seconds;
  std::ranges::sort(rows, std::greater(), [](const auto& row) { return row.second.seconds; });
  std::vector<std::string> lines = {fmt::format("  {:>8} {:>6} {:>8} {:>9} {:>8}  {}", "ms", "share",
                                                "launches", "GFLOP/s", "GB/s", "kind")};
  for (const auto& [name, kind] : rows)
    lines.push_back(fmt::format("  {:>8.3f} {:>5.1f}% {:>8} {:>9.1f} {:>8.1f}  {}", 1e3 * kind.seconds,
                                100 * kind.seconds / total, kind.launches, 1e-9 * kind.flops / kind.seconds,
                                1e-9 * kind.bytes / kind.seconds, name));
  return lines;
}

}  // namespace fastnn::bench

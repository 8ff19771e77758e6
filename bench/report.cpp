#include "bench/report.h"

#include <fmt/format.h>

namespace fastnn::bench {
namespace {

double mebibytes(std::size_t bytes) {
  return static_cast<double>(bytes) / 1048576.0;
}

std::string spread_text(const Measurement& m) {
  return fmt::format("spread {:.1f} %{}", 100 * m.spread(), m.steady ? "" : ", never steady");
}

std::string rate_text(const char* what, const Measurement& m, std::int64_t batch_size) {
  return fmt::format("  {:<10} {:>9.1f} images/s  {:>9.3f} ms a step  {}", what,
                     static_cast<double>(batch_size) / m.median, 1e3 * m.median, spread_text(m));
}

std::string title(const NetRunOptions& options) {
  return fmt::format("{}: batch {}, {} classes, {}, {}", options.model_name, options.batch_size,
                     options.num_classes, options.optimizer, name_of(options.dtype));
}

/// Amount / seconds / 1e9; empty where there is no amount.
std::string giga_rate(double amount, double seconds) {
  return amount > 0 && seconds > 0 ? fmt::format("{:.1f}", 1e-9 * amount / seconds) : "";
}

std::string split_text(const StepSplit& split) {
  const auto& [data, prepare, forward, backward, update] = split;
  const double total = data + prepare + forward + backward + update;
  const auto part = [&](double seconds) {
    return fmt::format("{:.3f} ms ({:.1f} %)", 1e3 * seconds, 100 * seconds / total);
  };
  return fmt::format("  step: data {}, prepare {}, forward {}, backward {}, update {} (of profiled steps)",
                     part(data), part(prepare), part(forward), part(backward), part(update));
}

std::string text_of(const Machine& machine) {
  return fmt::format("{} ({:.0f} TFLOP/s, {:.1f} TB/s, {}-byte activations)", machine.name,
                     1e-12 * machine.flops_per_second, 1e-12 * machine.bytes_per_second,
                     machine.activation_bytes);
}

std::string pass_text(const char* direction, const KernelPass& pass, const MachinePeak& peak) {
  const double seconds = pass.time.median;
  return fmt::format("    {:<8} {:>10.4f} {:>6.1f}% {:>8} {:>8} {:>6.1f}% {:<7} {}", direction, 1e3 * seconds,
                     100 * pass.time.spread(), giga_rate(pass.flops, seconds), giga_rate(pass.bytes, seconds),
                     100 * peak.roof_seconds(pass.flops, pass.bytes) / seconds,
                     peak.is_memory_bound(pass.flops, pass.bytes) ? "memory" : "compute",
                     fmt::join(pass.implementations, ", "));
}

}  // namespace

Lines text_of(const NetResult& result) {
  const std::int64_t batch = result.options.batch_size;
  return {
      fmt::format("{}, images {}x{}", title(result.options), result.image_size, result.image_size),
      rate_text("training", result.training, batch), rate_text("inference", result.inference, batch),
      split_text(result.split),
      fmt::format(
          "  memory: training {:.1f} MiB + weights, gradients, slots {:.1f} MiB; inference {:.1f} MiB + weights",
          mebibytes(result.training_memory.total()), mebibytes(result.state_bytes),
          mebibytes(result.inference_memory.total()))};
}

Lines text_of(const StepBenchResult& result) {
  double total = 0;
  for (const StepRow& row : result.rows) total += row.time.median;
  Lines lines = {fmt::format("{}: {:.3f} ms a profiled step, {}", title(result.options),
                             1e3 * result.step.median, spread_text(result.step)),
                 fmt::format("  {:>10} {:>6} {:>8} {:>8} {:>8}  {}", "ms", "share", "launches", "GFLOP/s",
                             "GB/s", "kind: implementation")};
  for (const StepRow& row : result.rows) {
    const double seconds = row.time.median;
    lines.push_back(fmt::format("  {:>10.4f} {:>5.1f}% {:>8} {:>8} {:>8}  {}{}{}", 1e3 * seconds,
                                100 * seconds / total, row.launches, giga_rate(row.flops, seconds),
                                giga_rate(row.bytes, seconds), row.kind, row.launches > 0 ? ": " : "",
                                row.implementation));
  }
  return lines;
}

Lines text_of(const PlanCost& result) {
  const auto images = static_cast<double>(result.options.batch_size);
  Lines lines = {
      fmt::format("{}: batch {}, {} classes, images {}x{}; a training step on {}", result.options.model_name,
                  result.options.batch_size, result.options.num_classes, result.image_size, result.image_size,
                  text_of(result.machine)),
      fmt::format("  {:>8} {:>10} {:>10} {:>10} {:>10} {:>7}  {}", "launches", "MB read", "MB written",
                  "MB weights", "GFLOP", "of roof", "kind (all but launches per image)")};
  const auto line = [&](const PlanCostRow& row) {
    const Cost& cost = row.cost;
    return fmt::format("  {:>8} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.4f} {:>6.1f}%  {}", row.launches,
                       1e-6 * cost.bytes_read / images, 1e-6 * cost.bytes_written / images,
                       1e-6 * cost.parameter_bytes / images, 1e-9 * cost.flops / images,
                       100 * row.roof_seconds / result.total.roof_seconds, row.kind);
  };
  for (const PlanCostRow& row : result.rows) lines.push_back(line(row));
  lines.push_back(line(result.total));
  lines.push_back(fmt::format("  activations {:.3f} MB an image; roof {:.1f} images/s",
                              1e-6 * result.total.cost.activation_bytes() / images,
                              images / result.total.roof_seconds));
  return lines;
}

std::string text_of(const MachinePeak& peak) {
  return fmt::format("peak: {:.1f} GFLOP/s float32 ({}), {:.1f} GB/s ({})", 1e-9 * peak.flops_per_second,
                     spread_text(peak.fma), 1e-9 * peak.bytes_per_second, spread_text(peak.triad));
}

std::string kernel_head() {
  return fmt::format("    {:<8} {:>10} {:>7} {:>8} {:>8} {:>7} {:<7} {}", "", "ms", "spread", "GFLOP/s",
                     "GB/s", "of roof", "bound", "implementation");
}

Lines text_of(const KernelResult& result, const MachinePeak& peak) {
  Lines lines = {"  " + result.name};
  if (result.forward.launches > 0) lines.push_back(pass_text("forward", result.forward, peak));
  if (result.gradient.launches > 0) lines.push_back(pass_text("gradient", result.gradient, peak));
  return lines;
}

}  // namespace fastnn::bench

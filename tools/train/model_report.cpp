#include "tools/train/model_report.h"

#include <fmt/format.h>

#include "nets/net_statistics.h"
#include "nets/published_accuracy.h"

namespace fastnn::tools {
namespace {

/// "4 to 256", "67 or more".
std::string sizes_of(const NetEntry& net) {
  if (net.largest_image_size >= kAnyImageSize) return fmt::format("{} or more", net.smallest_image_size);
  return fmt::format("{} to {}", net.smallest_image_size, net.largest_image_size);
}

constexpr double kMillion = 1e6;

double millions(std::int64_t count) {
  return static_cast<double>(count) / kMillion;
}

std::string accuracy_list() {
  std::string text = fmt::format("\n{:<20}{:>7}{:>7}  {}\n", "net", "top-1", "top-5", "measured with");
  for (const PublishedAccuracy& row : published_accuracies())
    text += fmt::format("{:<20}{:>7.1f}{:>7.1f}  {} preprocessing, {} pixels{}\n", row.net, row.top_1,
                        row.top_5, row.preprocessing, row.image_size,
                        row.note.empty() ? "" : fmt::format(" ({})", row.note));
  return text +
         "Percent of ImageNet's validation images that TF-Slim's checkpoints get right, one central crop an "
         "image, "
         "as published.\n";
}

std::vector<std::string> variable_lines(const TrainState& state) {
  std::vector<std::string> lines;
  for (const ParameterEntry& entry : state.trainable())
    lines.push_back(fmt::format("  {} {}: {} elements{}", entry.name, entry.shape.text(),
                                entry.shape.elements(), entry.spec.l2 ? ", weight decay" : ""));
  return lines;
}

std::vector<std::string> layer_lines(const NetEntry& net, const NetOptions& options) {
  std::vector<std::string> lines;
  for (const LayerStatistics& layer : layer_statistics(net.name, options))
    lines.push_back(
        layer.macs == 0
            ? fmt::format("  {}: {} elements", layer.layer, layer.trainable_elements)
            : fmt::format("  {}: {} elements, {:.3f} million multiply-adds, {:.4f} million activations",
                          layer.layer, layer.trainable_elements, layer.macs / kMillion,
                          millions(layer.activations)));
  return lines;
}

}  // namespace

std::string model_list() {
  std::string text = fmt::format("{:<20}{:>7}  {:<12}{:>12}{:>13}{:>11}{:>13}  {}\n", "net", "pixels",
                                 "takes", "trainable", "all", "MMAC/image", "Mactivations", "origin");
  for (const NetEntry& net : net_table()) {
    const NetStatistics sizes = net_statistics(net.name, {.num_classes = 1000});
    text += fmt::format("{:<20}{:>7}  {:<12}{:>12}{:>13}{:>11.1f}{:>13.2f}  {}\n", net.name,
                        net.default_image_size, sizes_of(net), sizes.trainable_elements, sizes.elements(),
                        sizes.macs / kMillion, millions(sizes.activations), net.origin);
  }
  return text +
         "Elements of trainable and of all variables at 1000 classes, with the auxiliary head in training; "
         "multiply-adds and\nmillions of elements that convolutions put out, per image in evaluation.\n" +
         accuracy_list();
}

std::string net_line(const NetEntry& net, const NetOptions& options) {
  const NetStatistics sizes = net_statistics(net.name, options);
  return fmt::format(
      "net {}: trainable elements: {}, with moving averages: {}, without auxiliary head: {}; in evaluation "
      "per image {:.1f} million multiply-adds, convolutions put out {:.2f} million elements; takes images of "
      "{} pixels",
      net.name, sizes.trainable_elements, sizes.elements(), sizes.main_elements, sizes.macs / kMillion,
      millions(sizes.activations), sizes_of(net));
}

std::vector<std::string> model_lines(const TrainState& state, const NetEntry& net, const NetOptions& options,
                                     ModelDetail detail) {
  auto lines = detail == ModelDetail::layers ? layer_lines(net, options) : variable_lines(state);
  std::int64_t total = 0;
  for (const ParameterEntry& entry : state.trainable()) total += entry.shape.elements();
  lines.push_back(fmt::format("trainable variables: {}, elements: {}, {:.2f} MiB in float32",
                              state.trainable().size(), total, static_cast<double>(total) * 4 / 1048576.0));
  return lines;
}

std::vector<std::string> placement_lines(std::span<const LaunchInfo> launches, std::string_view device) {
  std::vector<std::string> lines;
  for (const LaunchInfo& launch : launches)
    lines.push_back(
        fmt::format("  {}: {} on {} by {}", launch.name, launch.kind, device, launch.implementation));
  return lines;
}

std::vector<std::string> optimizer_lines(const TrainState& state, const optim::Optimizer& optimizer) {
  std::vector<std::string> lines;
  std::int64_t total = 0;
  for (const ParameterEntry& entry : state.trainable())
    for (const SlotSpec& slot : state.slots()) {
      total += entry.shape.elements();
      lines.push_back(fmt::format("  {}/{} {}: {} elements", entry.name, slot.suffix, entry.shape.text(),
                                  entry.shape.elements()));
    }
  lines.push_back(fmt::format("optimizer {}: {} slots of {} variables, elements: {}, {:.2f} MiB in float32",
                              optimizer.name(), state.slots().size(), state.trainable().size(), total,
                              static_cast<double>(total) * 4 / 1048576.0));
  return lines;
}

}  // namespace fastnn::tools

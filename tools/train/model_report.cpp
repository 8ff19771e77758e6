#include "tools/train/model_report.h"

#include <fmt/format.h>

#include <map>

namespace fastnn::tools {
namespace {

/// "LeNet/conv1" of "LeNet/conv1/weights".
std::string layer_of(const std::string& variable) {
  return variable.substr(0, variable.rfind('/'));
}

}  // namespace

std::vector<std::string> model_lines(const TrainState& state, ModelDetail detail) {
  std::vector<std::string> lines;
  std::map<std::string, std::int64_t> layers;
  std::int64_t total = 0;
  for (const ParameterEntry& entry : state.trainable()) {
    const std::int64_t elements = entry.shape.elements();
    total += elements;
    layers[layer_of(entry.name)] += elements;
    if (detail == ModelDetail::variables)
      lines.push_back(fmt::format("  {} {}: {} elements{}", entry.name, entry.shape.text(), elements,
                                  entry.spec.l2 ? ", weight decay" : ""));
  }
  if (detail == ModelDetail::layers)
    for (const auto& [layer, elements] : layers)
      lines.push_back(fmt::format("  {}: {} elements", layer, elements));
  lines.push_back(fmt::format("trainable variables: {}, elements: {}, {:.2f} MiB in float32",
                              state.trainable().size(), total, static_cast<double>(total) * 4 / 1048576.0));
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

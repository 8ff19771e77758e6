#include "nets/network.h"

#include "engine/graph/ops/correct_count.h"
#include "engine/graph/ops/scale_add.h"
#include "engine/graph/ops/softmax.h"
#include "engine/graph/ops/softmax_cross_entropy.h"
#include "nets/net_table.h"

namespace fastnn {
namespace {

void check(const NetEntry& entry, const NetOptions& options, std::int64_t size) {
  if (options.batch_size < 1 || options.num_classes < 1)
    throw UsageError("[nets] batch_size and num_classes must be at least 1, got {} and {}",
                     options.batch_size, options.num_classes);
  if (size < entry.smallest_image_size || size > entry.largest_image_size)
    throw UsageError("[nets] {} takes images of {} to {} pixels, got {}; its default is {}", entry.name,
                     entry.smallest_image_size, entry.largest_image_size, size, entry.default_image_size);
}

/// Weight of the auxiliary head's loss, of all nets that have one.
constexpr double kAuxWeight = 0.4;

void add_losses(Network& net, double label_smoothing) {
  const CrossEntropyInputs inputs{net.logits, net.labels, net.valid_count};
  net.cross_entropy = softmax_cross_entropy(net.graph, inputs, label_smoothing, "cross_entropy");
  net.loss = net.cross_entropy;
  if (!net.aux_logits) return;
  const CrossEntropyInputs aux{net.aux_logits, net.labels, net.valid_count};
  net.aux_cross_entropy = softmax_cross_entropy(net.graph, aux, label_smoothing, "aux_cross_entropy");
  net.loss = scale_add(net.graph, net.cross_entropy, net.aux_cross_entropy, kAuxWeight, "loss");
}

}  // namespace

Network build_network(std::string_view name, const NetOptions& options) {
  const NetEntry& entry = find_net(name);
  const std::int64_t size = options.image_size > 0 ? options.image_size : entry.default_image_size;
  check(entry, options, size);
  Network net{.name = std::string(name)};
  Graph& graph = net.graph;
  net.images = graph.add_input("images", {options.batch_size, size, size, 3});
  net.labels = graph.add_input("labels", {options.batch_size}, Dtype::s32);
  net.valid_count = graph.add_input("valid_count", {}, Dtype::s32);
  Layers layers(graph, std::string(entry.scope), options, entry.defaults);
  const NetOutputs outputs = entry.build(layers, net.images, options);
  net.logits = outputs.logits;
  net.aux_logits = outputs.aux_logits;
  add_losses(net, options.label_smoothing);
  net.predictions = softmax(graph, net.logits, "Predictions");
  net.correct = graph.add_single("correct", std::make_shared<CorrectCount>(1),
                                 {net.logits, net.labels, net.valid_count});
  net.end_points = layers.end_points();
  net.end_points.push_back({"Logits", net.logits});
  if (net.aux_logits) net.end_points.push_back({"AuxLogits", net.aux_logits});
  if (!entry.predictions.empty()) net.end_points.push_back({std::string(entry.predictions), net.predictions});
  return net;
}

}  // namespace fastnn

#include "nets/network.h"

#include "engine/graph/ops/correct_count.h"
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
  net.logits = entry.build(layers, net.images, options);
  const CrossEntropyInputs loss{net.logits, net.labels, net.valid_count};
  net.predictions = softmax(graph, net.logits, "Predictions");
  net.cross_entropy = softmax_cross_entropy(graph, loss, 0.0, "cross_entropy");
  net.correct = graph.add_single("correct", std::make_shared<CorrectCount>(1),
                                 {net.logits, net.labels, net.valid_count});
  net.end_points = layers.end_points();
  net.end_points.push_back({"Logits", net.logits});
  net.end_points.push_back({"Predictions", net.predictions});
  return net;
}

}  // namespace fastnn

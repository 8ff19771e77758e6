#include "optim/training_graph.h"

#include <algorithm>

#include "engine/graph/autograd.h"

namespace fastnn::optim {
namespace {

std::vector<Value> in_order_of_gradients(const Graph& graph, const std::map<Value, Value>& gradients) {
  std::map<Value, Value> parameter_of;
  for (const auto& [parameter, gradient] : gradients) parameter_of.emplace(gradient, parameter);
  std::vector<Value> parameters;
  for (const Node& node : graph.nodes())
    for (const Value output : node.outputs)
      if (const auto known = parameter_of.find(output); known != parameter_of.end())
        parameters.push_back(known->second);
  return parameters;
}

}  // namespace

TrainingGraph differentiate(Graph graph, Value loss) {
  TrainingGraph training{.graph = std::move(graph)};
  training.loss_gradient = training.graph.add_input("loss_gradient", {});
  std::vector<Value> parameters;
  std::vector<Value> not_trainable;
  for (const Value parameter : training.graph.parameters())
    (training.graph.info(parameter).parameter.trainable ? parameters : not_trainable).push_back(parameter);
  const OutputGradient seed{loss, training.loss_gradient};
  training.gradients = add_gradients(training.graph, {&seed, 1}, parameters);
  for (const Value parameter : parameters)
    if (!training.gradients.contains(parameter))
      throw UsageError("[autograd] the loss does not depend on {}", training.graph.name(parameter));
  training.parameters = in_order_of_gradients(training.graph, training.gradients);
  training.parameters.insert(training.parameters.end(), not_trainable.begin(), not_trainable.end());
  return training;
}

std::vector<PassResult> rewrite(TrainingGraph& training, PassOptions options) {
  for (const auto& [parameter, gradient] : training.gradients) options.keep.push_back(gradient);
  return run_passes(training.graph, options);
}

}  // namespace fastnn::optim

#include "engine/graph/ops/batch_norm.h"

#include "engine/graph/ops/batch_norm_apply.h"
#include "engine/graph/ops/batch_norm_statistics.h"
#include "engine/graph/ops/moving_average_update.h"

namespace fastnn {
namespace {

struct Statistics {
  Value mean;
  Value rstd;
};

Statistics of_batch(Graph& graph, Value x, const BatchNormVariables& variables,
                    const BatchNormOptions& options, const std::string& name) {
  const auto batch =
      graph.add(name + "/statistics", std::make_shared<BatchNormStatistics>(options.epsilon), {x});
  const auto moving =
      graph.add(name + "/moving_averages", std::make_shared<MovingAverageUpdate>(options.decay),
                {batch[0], batch[2], variables.moving_mean, variables.moving_variance});
  graph.assign(variables.moving_mean, moving[0]);
  graph.assign(variables.moving_variance, moving[1]);
  return {batch[0], batch[1]};
}

Statistics frozen(Graph& graph, const BatchNormVariables& variables, const BatchNormOptions& options,
                  const std::string& name) {
  return {variables.moving_mean,
          graph.add_single(name + "/rstd", std::make_shared<BatchNormRstd>(options.epsilon),
                           {variables.moving_variance})};
}

}  // namespace

BatchNormVariables add_batch_norm_variables(Graph& graph, std::int64_t channels, BatchNormScale scale,
                                            const std::string& scope) {
  const auto add = [&](const char* name, double value, bool trainable) {
    return graph.add_parameter(scope + "/" + name, Shape{channels},
                               {.initializer = ConstantInitializer{value}, .trainable = trainable});
  };
  BatchNormVariables variables;
  variables.beta = add("beta", 0, true);
  if (scale == BatchNormScale::with_gamma) variables.gamma = add("gamma", 1, true);
  variables.moving_mean = add("moving_mean", 0, false);
  variables.moving_variance = add("moving_variance", 1, false);
  return variables;
}

Value batch_norm(Graph& graph, Value x, const BatchNormVariables& variables, const BatchNormOptions& options,
                 const std::string& name) {
  const bool training = options.mode == BatchNormMode::training;
  const auto [mean, rstd] =
      training ? of_batch(graph, x, variables, options, name) : frozen(graph, variables, options, name);
  std::vector<Value> inputs = {x, mean, rstd, variables.beta};
  if (variables.gamma) inputs.push_back(variables.gamma);
  const auto statistics = training ? BatchStatistics::batch : BatchStatistics::fixed;
  return graph.add_single(name, std::make_shared<BatchNormApply>(statistics), std::move(inputs));
}

}  // namespace fastnn

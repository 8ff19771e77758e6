#include "tests/support/fused_cases.h"

#include <fmt/format.h>

#include "engine/graph/ops/add.h"
#include "engine/graph/ops/batch_norm_apply.h"
#include "engine/graph/ops/batch_norm_fused.h"
#include "engine/graph/ops/batch_norm_gradient.h"
#include "engine/graph/ops/relu.h"
#include "engine/graph/ops/scale.h"
#include "engine/graph/ops/scale_add.h"

namespace fastnn::tests {
namespace {

using kernels::ReluMask;
using Values = std::vector<Value>;
using Role = CaseOperand::Role;

constexpr double kFactor = 0.17;

const Shape kShapes[] = {{1, 28, 28, 128}, {2, 7, 7, 1030}, {2, 3, 3, 17}, {5, 1, 1, 3}, {7, 1}, {1, 33}};

Value add(Graph& graph, Value a, Value b, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<Add>(), {a, b});
}

Value relu_gradient(Graph& graph, Value dy, Value y, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<ReluGradient>(), {dy, y});
}

Value apply(Graph& graph, Values inputs, std::string name) {
  return graph.add_single(std::move(name), std::make_shared<BatchNormApply>(BatchStatistics::batch),
                          std::move(inputs));
}

Values joined(Values first, const Values& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// x, mean, rstd, beta, and gamma.
std::vector<CaseOperand> batch_norm_operands(const Shape& x, bool with_gamma) {
  const Shape channels{x[-1]};
  std::vector<CaseOperand> operands = {{"x", x},
                                       {.name = "mean", .shape = channels, .scale = 0.3},
                                       {.name = "rstd", .shape = channels, .scale = 0.5, .offset = 1.5},
                                       {"beta", channels, Role::variable}};
  if (with_gamma) operands.push_back({"gamma", channels, Role::variable});
  return operands;
}

void add_applies(std::vector<FusedCase>& cases, const Shape& x, bool with_gamma) {
  for (const BatchNormEpilogue epilogue :
       {BatchNormEpilogue{}, BatchNormEpilogue{.relu = true}, BatchNormEpilogue{.residual = true},
        BatchNormEpilogue{.residual = true, .relu = true}}) {
    const auto operation = std::make_shared<BatchNormApplyFused>(epilogue);
    FusedCase result{.name = fmt::format("batch_norm_apply_fused {} {} gamma {}", x.text(),
                                         operation->attributes(), with_gamma),
                     .operands = batch_norm_operands(x, with_gamma)};
    if (epilogue.residual) result.operands.push_back({"residual", x});
    result.fused = [=](Graph& graph, const Values& o) { return graph.add("y", operation, o); };
    result.composed = [=](Graph& graph, const Values& o) {
      const auto vectors_end = o.end() - (epilogue.residual ? 1 : 0);
      Value y = apply(graph, Values(o.begin(), vectors_end), "apply");
      if (epilogue.residual) y = add(graph, y, o.back(), "sum");
      if (epilogue.relu) y = relu(graph, y, "relu");
      return Values{y};
    };
    cases.push_back(std::move(result));
  }
}

/// The gradient sources in full: dz of a composition.
Value composed_dz(Graph& graph, const BatchNormGradientSource& source, const Values& gradients,
                  const Values& batch_norm, Value y) {
  const Value dy = gradients.size() == 2 ? add(graph, gradients[0], gradients[1], "dy_sum") : gradients[0];
  if (source.mask == ReluMask::none) return dy;
  if (source.mask == ReluMask::input) y = relu(graph, apply(graph, batch_norm, "apply"), "relu");
  return relu_gradient(graph, dy, y, "dz");
}

void add_reduction(std::vector<FusedCase>& cases, const Shape& x, const BatchNormGradientSource& source,
                   bool with_gamma) {
  const auto operation = std::make_shared<BatchNormGradientReduceFused>(source);
  const auto sources = static_cast<std::ptrdiff_t>(source.gradients);
  FusedCase result{.name = fmt::format("batch_norm_gradient_reduce_fused {} {} gamma {}", x.text(),
                                       operation->attributes(), with_gamma),
                   .operands = batch_norm_operands(x, with_gamma)};
  result.operands.insert(result.operands.begin(), {{"dy", x}, {"dy2", x}});
  if (source.gradients == 1) result.operands.erase(result.operands.begin() + 1);
  result.operands.push_back({"y", x});
  result.fused = [=](Graph& graph, const Values& o) {
    Values inputs(o.begin(), o.begin() + sources + 3);
    if (source.mask == ReluMask::input) inputs.assign(o.begin(), o.end() - 1);
    if (source.mask == ReluMask::output) inputs.push_back(o.back());
    return graph.add("reduce", operation, inputs);
  };
  result.composed = [=](Graph& graph, const Values& o) {
    const Values gradients(o.begin(), o.begin() + sources);
    const Values batch_norm(o.begin() + sources, o.end() - 1);
    const Value dz = composed_dz(graph, source, gradients, batch_norm, o.back());
    const Values sums = graph.add("reduce", std::make_shared<BatchNormGradientReduce>(),
                                  {dz, batch_norm[0], batch_norm[1], batch_norm[2]});
    return source.keep_dz ? Values{dz, sums[0], sums[1]} : sums;
  };
  cases.push_back(std::move(result));
}

void add_masked_gradient(std::vector<FusedCase>& cases, const Shape& x, bool with_gamma) {
  FusedCase result{.name = fmt::format("batch_norm_gradient_apply_fused {} gamma {}", x.text(), with_gamma),
                   .operands = batch_norm_operands(x, with_gamma)};
  const Shape channels{x[-1]};
  result.operands.insert(result.operands.begin(), {{"dy", x}, {"d_beta", channels}, {"d_gamma", channels}});
  result.fused = [](Graph& graph, const Values& o) {
    const Values tail(o.begin() + 6, o.end());
    return graph.add("dx", std::make_shared<BatchNormGradientApplyFused>(),
                     joined({o[0], o[3], o[4], o[5], o[1], o[2]}, tail));
  };
  result.composed = [](Graph& graph, const Values& o) {
    const Values batch_norm(o.begin() + 3, o.end());
    const Value dz = composed_dz(graph, {.mask = ReluMask::input}, {o[0]}, batch_norm, {});
    const Values gamma(o.begin() + 7, o.end());
    return graph.add("dx", std::make_shared<BatchNormGradientApply>(),
                     joined({dz, o[3], o[4], o[5], o[1], o[2]}, gamma));
  };
  cases.push_back(std::move(result));
}

void add_batch_norms(std::vector<FusedCase>& cases) {
  for (const Shape& x : kShapes)
    for (const bool with_gamma : {true, false}) {
      add_applies(cases, x, with_gamma);
      add_masked_gradient(cases, x, with_gamma);
      for (const int gradients : {1, 2})
        for (const ReluMask mask : {ReluMask::none, ReluMask::input, ReluMask::output})
          for (const bool keep_dz : {false, true})
            add_reduction(cases, x, {gradients, mask, keep_dz}, with_gamma);
    }
}

void add_residuals(std::vector<FusedCase>& cases) {
  for (const Shape& x : kShapes) {
    cases.push_back(
        {.name = fmt::format("scale_add_relu {}", x.text()),
         .operands = {{"x", x}, {"r", x}},
         .fused = [](Graph& graph,
                     const Values& o) { return graph.add("y", std::make_shared<ScaleAddRelu>(kFactor), o); },
         .composed =
             [](Graph& graph, const Values& o) {
               return Values{relu(graph, scale_add(graph, o[0], o[1], kFactor, "sum"), "y")};
             }});
    for (const int gradients : {1, 2}) {
      FusedCase result{.name = fmt::format("scale_add_relu_gradient {} {} gradients", x.text(), gradients),
                       .operands = {{"dy", x}, {"y", x}}};
      if (gradients == 2) result.operands.push_back({"dy2", x});
      result.fused = [](Graph& graph, const Values& o) {
        return graph.add("dx", std::make_shared<ScaleAddReluGradient>(kFactor), o);
      };
      result.composed = [](Graph& graph, const Values& o) {
        const Value dy = o.size() == 3 ? add(graph, o[0], o[2], "dy_sum") : o[0];
        const Value dx = relu_gradient(graph, dy, o[1], "dx");
        return Values{dx, scale(graph, dx, kFactor, "dr")};
      };
      cases.push_back(std::move(result));
    }
  }
}

}  // namespace

const std::vector<FusedCase>& fused_cases() {
  static const std::vector<FusedCase> cases = [] {
    std::vector<FusedCase> all;
    add_batch_norms(all);
    add_residuals(all);
    return all;
  }();
  return cases;
}

FusedRunner::FusedRunner(const FusedCase& fused_case, FusedForm form, Device& device, MemoryReuse reuse)
    : operands_(fused_case.operands) {
  Graph graph;
  for (const CaseOperand& operand : operands_) values_.push_back(add_operand(graph, operand));
  results_ = (form == FusedForm::fused ? fused_case.fused : fused_case.composed)(graph, values_);
  const auto parameters = graph.parameters();
  state_ = std::make_unique<TrainState>(graph, parameters, device);
  plan_ = std::make_unique<Plan>(std::move(graph), *state_,
                                 PlanOptions{.keep = results_, .gradients = {}, .reuse = reuse});
  plan_->load();
}

std::vector<Tensor> FusedRunner::run(const CaseValues& values) {
  for (std::size_t i = 0; i < operands_.size(); ++i)
    write_operand(*plan_, *state_, values_[i], values.at(operands_[i].name));
  plan_->prepare();
  plan_->run();
  std::vector<Tensor> results;
  for (const Value result : results_) results.push_back(plan_->read(result).as(Dtype::f64));
  return results;
}

}  // namespace fastnn::tests

#include "engine/plan/plan.h"

#include <algorithm>

#include "engine/core/align.h"
#include "engine/plan/constants.h"

namespace fastnn {

Plan::Plan(Graph graph, TrainState& state, PlanOptions options)
    : graph_(std::move(graph)), device_(state.device()), state_(state), options_(std::move(options)) {
  find_externals();
  check_assignments();
  find_natives();
  is_constant_ = constant_nodes(graph_);
  memory_plan_ =
      std::make_unique<MemoryPlan>(MemoryRequest{.graph = graph_,
                                                 .bytes = [this](Value value) { return bytes_of(value); },
                                                 .keep = options_.keep,
                                                 .external = external_,
                                                 .constants = is_constant_,
                                                 .reuse = options_.reuse});
  memory_.arena = memory_plan_->arena_bytes();
  memory_.arena_without_reuse = memory_plan_->bytes_without_reuse();
  lower_nodes();
}

void Plan::find_externals() {
  for (const Value parameter : graph_.parameters()) external_.insert(parameter);
  for (const auto& [parameter, gradient] : options_.gradients) {
    gradient_of_.emplace(gradient, parameter);
    external_.insert(gradient);
  }
  for (const auto& [parameter, value] : graph_.assignments()) {
    assigned_to_.emplace(value, parameter);
    external_.insert(value);
  }
}

void Plan::check_assignments() const {
  std::unordered_set<Value> changed;
  for (const Node& node : graph_.nodes()) {
    for (const Value input : node.inputs)
      if (changed.contains(input))
        throw UsageError("[plan] {} reads {} after an operation has assigned to it", node.name,
                         graph_.name(input));
    for (const Value output : node.outputs)
      if (const auto known = assigned_to_.find(output); known != assigned_to_.end())
        changed.insert(known->second);
  }
}

void Plan::find_natives() {
  for (const Value parameter : graph_.parameters()) native_like_.emplace(parameter, parameter);
  for (const auto& [parameter, gradient] : options_.gradients) native_like_.emplace(gradient, parameter);
  native_like_.insert(assigned_to_.begin(), assigned_to_.end());
  const auto& nodes = graph_.nodes();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const auto known = native_like_.find(node->outputs[0]);
    if (known == native_like_.end()) continue;
    const Value parameter = known->second;
    for (const Value input : node->inputs)
      if (graph_.info(input).layout == Layout::native) native_like_.emplace(input, parameter);
  }
}

const ParameterLayout* Plan::layout_of(Value value) const {
  if (graph_.info(value).layout == Layout::dense) return nullptr;
  const auto known = native_like_.find(value);
  if (known == native_like_.end())
    throw UsageError(
        "[plan] {} has a parameter's layout, but PlanOptions::gradients does not say which parameter's",
        graph_.name(value));
  return state_.parameter(graph_.name(known->second)).layout.get();
}

std::size_t Plan::bytes_of(Value value) const {
  const OperandSpec& spec = graph_.info(value).spec;
  const ParameterLayout* layout = layout_of(value);
  return layout == nullptr ? device_.bytes_of(spec)
                           : layout->elements() * size_of(device_.storage(spec.dtype));
}

void Plan::lower_nodes() {
  for (std::size_t i = 0; i < graph_.nodes().size(); ++i) {
    if (graph_.nodes()[i].operation->is_view()) continue;
    (is_constant_[i] ? constants_ : lowered_).push_back(lower(i));
  }
}

Plan::Lowered Plan::lower(std::size_t node_index) {
  const Node& node = graph_.nodes()[node_index];
  std::vector<const ParameterLayout*> inputs;
  std::vector<const ParameterLayout*> outputs;
  for (const Value input : node.inputs) inputs.push_back(layout_of(input));
  for (const Value output : node.outputs) outputs.push_back(layout_of(output));
  Lowered lowered{node_index, device_.lower({graph_, node, inputs, outputs}), {}};
  memory_.scratch = std::max(memory_.scratch, aligned(lowered.lowering.scratch_bytes));
  for (PreparedCopy& copy : lowered.lowering.prepared) lowered.prepared.push_back(share_prepared(node, copy));
  return lowered;
}

std::size_t Plan::share_prepared(const Node& node, PreparedCopy& copy) {
  const Value source = node.inputs[static_cast<std::size_t>(copy.input)];
  const auto known = std::ranges::find_if(
      prepared_, [&](const Prepared& other) { return other.source == source && other.key == copy.key; });
  if (known != prepared_.end()) return static_cast<std::size_t>(known - prepared_.begin());
  prepared_.push_back({source, copy.key, memory_.prepared, copy.bind});
  memory_.prepared += aligned(copy.bytes);
  return prepared_.size() - 1;
}

void* Plan::address(Value value) const {
  const Value root = memory_plan_->root(value);
  if (graph_.info(root).source == Source::parameter)
    return state_.weights_of(state_.parameter(graph_.name(root)));
  if (const auto gradient = gradient_of_.find(root); gradient != gradient_of_.end())
    return state_.gradients_of(state_.parameter(graph_.name(gradient->second)));
  if (const auto variable = assigned_to_.find(root); variable != assigned_to_.end())
    return state_.weights_of(state_.parameter(graph_.name(variable->second)));
  const auto offset = memory_plan_->offset(value);
  if (!offset) throw UsageError("[plan] {} has no memory: nothing makes it", graph_.name(value));
  return buffer_.at(*offset);
}

void Plan::load() {
  buffer_ = device_.allocate(memory_.total());
  for (const Lowered& constant : constants_) prepare_launches_.push_back(bind(constant));
  for (const Prepared& copy : prepared_)
    prepare_launches_.push_back(
        copy.bind(address(copy.source), buffer_.at(memory_.arena + memory_.scratch + copy.offset)));
  for (const Lowered& lowered : lowered_) run_launches_.push_back(bind(lowered));
}

Launch Plan::bind(const Lowered& lowered) const {
  const Node& node = graph_.nodes()[lowered.node];
  std::vector<void*> inputs;
  std::vector<void*> outputs;
  std::vector<void*> prepared;
  for (const Value input : node.inputs) inputs.push_back(address(input));
  for (const Value output : node.outputs) outputs.push_back(address(output));
  for (const std::size_t i : lowered.prepared)
    prepared.push_back(buffer_.at(memory_.arena + memory_.scratch + prepared_[i].offset));
  return lowered.lowering.bind({inputs, outputs, buffer_.at(memory_.arena), prepared, random_.get()});
}

void Plan::write(Value input, const void* data) {
  device_.upload(address(input), data, device_.bytes_of(graph_.info(input).spec));
}

void Plan::write(Value input, const Tensor& tensor) {
  const ValueInfo& info = graph_.info(input);
  if (info.source != Source::input || tensor.shape() != info.spec.shape)
    throw UsageError("[plan] input {} has shape {}, got {}", info.name, info.spec.shape.text(),
                     tensor.shape().text());
  write(input, tensor.as(device_.storage(info.spec.dtype)).bytes().data());
}

Tensor Plan::read(Value value) const {
  if (const auto gradient = gradient_of_.find(value); gradient != gradient_of_.end())
    return state_.read_gradients(state_.parameter(graph_.name(gradient->second)));
  if (const auto variable = assigned_to_.find(value); variable != assigned_to_.end())
    return state_.read_weights(state_.parameter(graph_.name(variable->second)));
  const OperandSpec& spec = graph_.info(value).spec;
  Tensor tensor(device_.storage(spec.dtype), spec.shape);
  device_.download(tensor.bytes().data(), address(value), tensor.bytes().size());
  return tensor;
}

double Plan::read_scalar(Value value) const {
  return with_type(device_.storage(graph_.info(value).spec.dtype), [&]<class T>() {
    T scalar{};
    device_.download(&scalar, address(value), sizeof(T));
    return static_cast<double>(scalar);
  });
}

void Plan::prepare() {
  for (const Launch& launch : prepare_launches_) launch();
}

void Plan::run(Profile* profile) {
  if (profile == nullptr) {
    for (const Launch& launch : run_launches_) launch();
    return;
  }
  for (std::size_t i = 0; i < run_launches_.size(); ++i) {
    const double start = seconds_now();
    run_launches_[i]();
    profile->add(i, seconds_now() - start);
  }
  profile->count_run();
}

std::vector<LaunchInfo> Plan::launches() const {
  const ElementSize element_size = [this](Value value) {
    return static_cast<double>(size_of(device_.storage(graph_.info(value).spec.dtype)));
  };
  std::vector<LaunchInfo> result;
  for (const Lowered& lowered : lowered_) {
    const Node& node = graph_.nodes()[lowered.node];
    result.push_back({node.name, std::string(node.operation->kind()), node.operation->attributes(),
                      lowered.lowering.implementation, cost_of(graph_, node, element_size)});
  }
  return result;
}

}  // namespace fastnn

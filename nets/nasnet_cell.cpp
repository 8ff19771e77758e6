#include "nets/nasnet_cell.h"

namespace fastnn::nasnet {
namespace {

using Kind = CellOperation::Kind;

/// A state of a cell, and its ReLU once an operation has asked for it.
struct State {
  Value value;
  Value relu;
  std::string name;
};

class Cell {
 public:
  Cell(Layers& layers, const CellPlan& plan, const CellPlace& place, const Settings& settings)
      : n_(layers), plan_(plan), place_(place), settings_(settings) {}

  Value build(Value x, Value previous);

 private:
  std::int64_t width(Value x) const { return n_.whole_image(x)[1]; }
  Value relu(State& state);
  Value previous_like(Value x, Value previous);
  Value combination(int number);
  Value apply(const CellOperation& operation);
  Value separable(State& state, int kernel, int stride);
  Value pool(const State& state, Kind kind, int stride);
  Value identity(State& state, int stride);
  Value drop_path(Value x);
  Value output();

  Layers& n_;
  const CellPlan& plan_;
  const CellPlace& place_;
  const Settings& settings_;
  std::vector<State> states_;
};

Value Cell::relu(State& state) {
  if (!state.relu) state.relu = n_.activate(state.value, Activation::relu, state.name);
  return state.relu;
}

/// Half of the channels from the even pixels, half from those one further right and down.
Value reduced_by_2(Layers& n, Value x, std::int64_t channels) {
  const ConvOptions sum_only = {.normalizer = Normalizer::none};
  // A 1x1 convolution of stride 2 reads the pixels that Slim's 1x1 average pool of stride 2 takes.
  const Value even =
      n.conv2d(x, channels / 2, {1, 1}, "path1_conv", {.stride = 2, .normalizer = Normalizer::none});
  const Value odd =
      n.conv2d(n.shifted_slice(x, 2, "path2"), channels - channels / 2, {1, 1}, "path2_conv", sum_only);
  return n.batch_norm(n.concat({even, odd}, "paths"), "final_path_bn");
}

Value Cell::previous_like(Value x, Value previous) {
  if (!previous) return x;
  State state{previous, {}, "prev"};
  if (width(previous) != width(x)) return reduced_by_2(n_, relu(state), place_.channels);
  if (n_.channels(previous) == place_.channels) return previous;
  return conv_batch_norm(n_, relu(state), place_.channels, {1, 1}, "prev_1x1", "prev_bn");
}

Value Cell::separable(State& state, int kernel, int stride) {
  Value x = relu(state);
  for (int i = 1; i <= 2; ++i) {
    const std::string name = fmt::format("{}x{}_{}", kernel, kernel, i);
    if (i > 1) x = n_.activate(x, Activation::relu, "bn_sep_" + name);
    x = n_.separable_conv2d(x, place_.channels, {kernel, kernel}, 1, "separable_" + name,
                            {.stride = i == 1 ? stride : 1, .normalizer = Normalizer::none});
    x = n_.batch_norm(x, "bn_sep_" + name);
  }
  return x;
}

Value Cell::pool(const State& state, Kind kind, int stride) {
  const Value x = kind == Kind::average_pool ? n_.avg_pool2d(state.value, {3, 3}, stride, "AvgPool2D")
                                             : n_.max_pool2d(state.value, {3, 3}, stride, "MaxPool2D");
  if (n_.channels(x) == place_.channels) return x;
  return conv_batch_norm(n_, x, place_.channels, {1, 1}, "1x1", "bn_1");
}

Value Cell::identity(State& state, int stride) {
  if (stride == 1 && n_.channels(state.value) == place_.channels) return state.value;
  return conv_batch_norm(n_, relu(state), place_.channels, {1, 1}, "1x1", "bn_1", {.stride = stride});
}

Value Cell::drop_path(Value x) {
  const double dropped = 1 - settings_.drop_path_keep_probability;
  const double part = static_cast<double>(place_.number + 1) / place_.count;
  return n_.drop_path(x, {.final_keep_probability = 1 - part * dropped, .steps = settings_.drop_path_steps},
                      "drop_path");
}

Value Cell::apply(const CellOperation& operation) {
  State& state = states_[static_cast<std::size_t>(operation.state)];
  const int stride = operation.state < 2 ? place_.stride : 1;
  switch (operation.kind) {
    case Kind::separable:
      return drop_path(separable(state, operation.kernel, stride));
    case Kind::average_pool:
    case Kind::max_pool:
      return drop_path(pool(state, operation.kind, stride));
    case Kind::identity:
      break;
  }
  return identity(state, stride);
}

Value Cell::combination(int number) {
  const auto scope = n_.scope(fmt::format("comb_iter_{}", number));
  const auto& [left, right] = plan_.combinations[static_cast<std::size_t>(number)];
  const auto apply_in = [&](const std::string& name, const CellOperation& operation) {
    const auto side = n_.scope(name);
    return apply(operation);
  };
  const Value a = apply_in("left", left);
  const Value b = apply_in("right", right);
  return n_.residual(a, b, "combine");
}

Value Cell::output() {
  const auto scope = n_.scope("cell_output");
  const Value like = states_.back().value;
  std::vector<Value> values;
  for (const int i : plan_.outputs) {
    State& state = states_[static_cast<std::size_t>(i)];
    const bool same_size = width(state.value) == width(like);
    const auto reduction = n_.scope(fmt::format("reduction_{}", i));
    if (!same_size)
      values.push_back(reduced_by_2(n_, state.value, n_.channels(like)));
    else if (n_.channels(state.value) != n_.channels(like))
      values.push_back(conv_batch_norm(n_, state.value, n_.channels(like), {1, 1}, "path_conv", "path_bn"));
    else
      values.push_back(state.value);
  }
  return n_.concat(std::move(values), "concat");
}

Value Cell::build(Value x, Value previous) {
  const auto scope = n_.scope(place_.name);
  previous = previous_like(x, previous);
  const Value activated = n_.activate(x, Activation::relu, "1x1");
  x = conv_batch_norm(n_, activated, place_.channels, {1, 1}, "1x1", "beginning_bn");
  states_ = {{x, {}, "state_0"}, {previous, {}, "state_1"}};
  for (int i = 0; i < 5; ++i) states_.push_back({combination(i), {}, fmt::format("state_{}", i + 2)});
  return output();
}

}  // namespace

Value cell(Layers& n, const CellPlan& plan, const CellPlace& place, Value x, Value previous,
           const Settings& settings) {
  return Cell(n, plan, place, settings).build(x, previous);
}

Value conv_batch_norm(Layers& n, Value x, std::int64_t channels, Kernel kernel, const std::string& name,
                      const std::string& batch_norm_name, ConvOptions options) {
  options.normalizer = Normalizer::none;
  return n.batch_norm(n.conv2d(x, channels, kernel, name, std::move(options)), batch_norm_name);
}

CellOutputs imagenet_stem(Layers& n, const CellPlan& reducing, Value images, const Settings& settings,
                          int cell_count) {
  CellOutputs outputs;
  outputs.last = conv_batch_norm(n, images, 32 * settings.stem_multiplier, {3, 3}, "conv0", "conv0_bn",
                                 {.stride = 2, .padding = Padding::valid});
  for (int i = 0; i < 2; ++i) {
    const CellPlace place{.name = fmt::format("cell_stem_{}", i),
                          .channels = settings.filters / (4 >> i),
                          .stride = 2,
                          .number = i,
                          .count = cell_count};
    outputs.push(cell(n, reducing, place, outputs.last, outputs.previous, settings));
  }
  return outputs;
}

std::array<int, 2> reduction_indices(int cells) {
  return {cells / 3, 2 * cells / 3};
}

Value auxiliary_head(Layers& n, Value x, int cell_number) {
  if (!n.is_training()) return {};
  const auto scope = n.scope(fmt::format("aux_{}/aux_logits", cell_number));
  x = n.activate(x, Activation::relu, "input");
  x = n.avg_pool2d(x, {5, 5}, 3, "AvgPool2D", Padding::valid);
  x = n.activate(conv_batch_norm(n, x, 128, {1, 1}, "proj", "aux_bn0"), Activation::relu, "aux_bn0");
  x = conv_batch_norm(n, x, 768, n.whole_image(x), "Conv", "aux_bn1", {.padding = Padding::valid});
  x = n.flatten(n.activate(x, Activation::relu, "aux_bn1"), "Flatten");
  return n.fully_connected(x, n.options().num_classes, "FC", {.normalizer = Normalizer::biases});
}

Value final_layer(Layers& n, Value x, const Settings& settings) {
  const auto scope = n.scope("final_layer");
  x = n.global_avg_pool(n.activate(x, Activation::relu, "input"), "Mean");
  x = n.end_point("global_pool", n.flatten(x, "global_pool"));
  x = n.dropout(x, settings.dropout_keep_probability, "dropout");
  return n.fully_connected(x, n.options().num_classes, "FC", {.normalizer = Normalizer::biases});
}

LayerDefaults layer_defaults(const BatchNormDefaults& batch_norm) {
  return {.weights = VarianceScalingInitializer{.fan = VarianceScalingInitializer::Fan::out},
          .pool_padding = Padding::same,
          .activation = Activation::none,
          .batch_norm = batch_norm};
}

NetEntry imagenet_entry(std::string_view name, NetBuilder build, std::int64_t image_size,
                        std::string_view origin) {
  return {
      .name = name,
      .scope = "",
      .build = build,
      .defaults = layer_defaults({.decay = 0.9997, .epsilon = 0.001, .scale = BatchNormScale::with_gamma}),
      .default_image_size = image_size,
      .smallest_image_size = 67,
      .largest_image_size = kAnyImageSize,
      .preprocessing = "inception",
      .origin = origin};
}

}  // namespace fastnn::nasnet

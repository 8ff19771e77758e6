#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "nets/network.h"
#include "optim/training_step.h"
#include "tests/optim/curve_data.h"
#include "tests/support/case_runner.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/golden_net.h"

using namespace fastnn;
using namespace fastnn::tests;
using nlohmann::json;

namespace {

optim::Optimizer optimizer_of(const std::string& text) {
  if (text.starts_with("momentum")) return optim::make_optimizer("momentum", {});
  if (text.starts_with("rmsprop")) return optim::make_optimizer("rmsprop", {});
  REQUIRE(text.starts_with("adam"));
  return optim::make_optimizer("adam", {.opt_epsilon = 1e-8});
}

/// "lenet" of "lenet_momentum", "mobilenet_v1_025" of "mobilenet_v1_025@1e-5".
std::string net_of(const json& run) {
  const std::string name = run["net"];
  return name.starts_with("lenet") ? "lenet" : name.substr(0, name.find('@'));
}

/// The rule "weights" of trajectories.json.
std::vector<float> curve_weights(const std::string& salt, const ParameterEntry& entry) {
  const std::string component = entry.name.substr(entry.name.rfind('/') + 1);
  const auto elements = entry.shape.elements();
  if (component.starts_with("moving"))
    return std::vector<float>(static_cast<std::size_t>(elements), component == "moving_mean" ? 0.0F : 1.0F);
  const double scale =
      component.ends_with("weights") ? std::sqrt(6.0 / static_cast<double>(elements / entry.shape[-1])) : 0.1;
  const double offset = component == "gamma" ? 1.0 : 0.0;
  std::vector<float> values;
  for (const double u : golden_values(salt + entry.name, elements))
    values.push_back(static_cast<float>(offset + scale * u));
  return values;
}

/// A net of the golden curves on a device, with the golden weights.
struct CurveRun {
  CurveRun(const json& run, const std::string& salt, std::string_view device_name)
      : device(make_device(device_name, 0)),
        net(build_network(net_of(run), {.batch_size = run["batch_size"],
                                        .num_classes = run["num_classes"],
                                        .image_size = run["image_size"],
                                        .dropout = NetOptions::Dropout::off})),
        optimizer(optimizer_of(run["optimizer"])),
        training(optim::differentiate(net.graph, net.loss)),
        state(training.graph, training.parameters, *device, optim::slot_specs(optimizer)),
        masked(masked_values(training.graph)),
        step(training, optimizer, state, {.weight_decay = run["weight_decay"], .keep = kept()}),
        learning_rate(run["learning_rate"]) {
    state.initialize(1);
    for (const ParameterEntry& entry : state.parameters())
      state.write_weights(entry, Tensor::of<float>(entry.shape, curve_weights(salt, entry)));
    step.load();
    const std::int32_t batch = run["batch_size"];
    step.plan().write(net.valid_count, Tensor::of<std::int32_t>(Shape{}, std::array{batch}));
  }

  /// What a mask decides: outputs of ReLUs, and gradients that a maximum lets pass.
  static std::vector<Value> masked_values(const Graph& graph) {
    std::vector<Value> values;
    for (const Node& node : graph.nodes()) {
      const std::string_view kind = node.operation->kind();
      if (kind == "relu" || kind == "relu6" || kind == "max_pool_gradient") values.push_back(node.outputs[0]);
    }
    return values;
  }

  std::vector<Value> kept() const {
    std::vector<Value> keep = {net.cross_entropy, net.logits};
    keep.insert(keep.end(), masked.begin(), masked.end());
    return keep;
  }

  /// One step; returns the cross-entropy before its update.
  double run(const Tensor& images, const Tensor& labels) {
    step.plan().write(net.images, images);
    step.plan().write(net.labels, labels);
    result = step.run(learning_rate);
    REQUIRE(result.finite);
    return step.plan().read_scalar(net.cross_entropy);
  }

  std::unique_ptr<Device> device;
  Network net;
  optim::Optimizer optimizer;
  optim::TrainingGraph training;
  TrainState state;
  std::vector<Value> masked;
  optim::TrainingStep step;
  double learning_rate;
  optim::StepResult result;
};

/// Activations that one run's masks let pass and the other's do not, in the last step of each.
std::int64_t flipped(CurveRun& a, CurveRun& b) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.masked.size(); ++i) {
    const Tensor left = a.step.plan().read(a.masked[i]).as(Dtype::f64);
    const Tensor right = b.step.plan().read(b.masked[i]).as(Dtype::f64);
    REQUIRE(left.elements() == right.elements());
    for (std::size_t k = 0; k < left.values<double>().size(); ++k)
      count += (left.values<double>()[k] == 0) != (right.values<double>()[k] == 0);
  }
  return count;
}

/// Weights and slots of one state, rounded to the other's type.
void copy_state(const TrainState& from, TrainState& to) {
  for (const ParameterEntry& entry : from.parameters()) {
    const ParameterEntry& target = to.parameter(entry.name);
    to.write_weights(target, from.read_weights(entry));
    for (std::size_t slot = 0; slot < from.slots().size(); ++slot)
      to.write_slot(target, slot, from.read_slot(entry, slot));
  }
}

double largest_gradient_difference(const TrainState& state, const TrainState& reference) {
  double largest = 0;
  for (const ParameterEntry& entry : state.trainable())
    largest = std::max(
        largest,
        relative_difference(state.read_gradients(entry).as(Dtype::f64),
                            reference.read_gradients(reference.parameter(entry.name)).as(Dtype::f64)));
  return largest;
}

/// How a run may differ from the file, relative to the file's figures.
struct CurveBounds {
  /// The double-precision device, loss and global norm of the gradients. MNIST's images are exact; others
  /// were rounded to float32 when they were preprocessed, by another program in another order.
  double exact = 0;
  /// A float32 run once its masks have differed from the double-precision run's: up to step 19, up to
  /// step 49.
  double early = 0;
  double late = 0;
};

CurveBounds bounds_of(const json& run) {
  const double exact = run["data"].get<std::string>().starts_with("MNIST") ? 1e-11 : 1e-6;
  return run["net"] == "lenet_adam" ? CurveBounds{exact, 1e-2, 0.1} : CurveBounds{exact, 1e-2, 5e-2};
}

/// A float32 loss without a flipped mask; that of the first step is README.md's 1e-6.
constexpr double kSmooth = 2e-6;

/// From the double-precision run's weights a float32 step has its loss and, where the masks agree, its
/// gradients. A flipped mask moves the gradients of its layer and of those below by what it lets pass.
/// Returns whether all masks agree.
bool check_synced_step(CurveRun& cpu, CurveRun& reference, double loss, double expected) {
  CHECK(loss == Approx(expected).epsilon(kSmooth).margin(0));
  const auto flips = flipped(cpu, reference);
  INFO(flips << " flipped");
  CHECK(flips <= 20);
  CHECK(largest_gradient_difference(cpu.state, reference.state) <= (flips == 0 ? 1e-5 : 0.5));
  return flips == 0;
}

/// Follows a run without batch norms by three nets: in double precision, in float32, and in float32 from the
/// double-precision run's weights of each step.
void follow(const json& run, const CurveData& data, const std::string& salt, int steps) {
  const CurveBounds bounds = bounds_of(run);
  const json& expected = run["float64"];
  CurveRun reference(run, salt, "reference"), synced(run, salt, "cpu"), free(run, salt, "cpu");
  std::int64_t flips = 0;
  int steps_of_equal_masks = 0;
  double trend = 0, expected_trend = 0;
  for (int i = 0; i < steps; ++i) {
    INFO("step " << i);
    const auto step = static_cast<std::size_t>(i);
    const Tensor images = data.images(i, run["batch_size"]), targets = data.targets(i, run["batch_size"]);
    copy_state(reference.state, synced.state);
    const double exact = reference.run(images, targets);
    CHECK(exact == Approx(expected["ce"][step].get<double>()).epsilon(bounds.exact).margin(0));
    CHECK(reference.result.l2_loss == Approx(expected["l2"][step].get<double>()).epsilon(bounds.exact));
    CHECK(reference.result.gradient_norm ==
          Approx(expected["gradient_global_norm"][step].get<double>()).epsilon(10 * bounds.exact));
    steps_of_equal_masks += check_synced_step(synced, reference, synced.run(images, targets), exact);
    const double loss = free.run(images, targets);
    const double bound = i == 0 ? 1e-6 : flips == 0 ? kSmooth : i < 20 ? bounds.early : bounds.late;
    if (i < 50) CHECK(loss == Approx(exact).epsilon(bound).margin(0));
    if (i >= 80) trend += loss, expected_trend += expected["ce"][step].get<double>();
    flips += flipped(free, reference);
  }
  CHECK(steps_of_equal_masks > steps / 2);
  if (steps == 100) CHECK(trend == Approx(expected_trend).epsilon(0.3).margin(0));
}

/// Calls test(run, data, salt) for each run whose net has batch norms, or has none, and whose data are there.
template <class Test>
void for_each_curve(bool batch_norm, Test test) {
  if (!has_golden("trajectories.json")) return;
  const json golden = golden_json("trajectories.json");
  REQUIRE_FALSE(golden["runs"].empty());
  for (const json& run : golden["runs"]) {
    if (!run["data"].get<std::string>().starts_with("first") != !batch_norm) continue;
    INFO(run["net"].get<std::string>());
    if (const auto data = curve_data(run)) test(run, *data, golden["salt"].get<std::string>());
  }
}

void add_weight_decay(Tensor& gradient, const std::vector<float>& weights, double weight_decay) {
  const auto values = gradient.values<double>();
  for (std::size_t i = 0; i < weights.size(); ++i) values[i] += weight_decay * double{weights[i]};
}

/// Gradients (L2 part included) and moving averages of the first step, by norms and projections, relative to
/// each variable's norm.
void check_first_step(const json& run, const std::string& salt, const CurveRun& curve, double tolerance) {
  if (!run.contains("first_step")) return;
  const json& expected = run["first_step"]["float64"];
  for (const auto& [name, norm] : expected["gradient_l2_norms"].items()) {
    INFO(name);
    const ParameterEntry& entry = curve.state.parameter(name);
    Tensor gradient = curve.state.read_gradients(entry).as(Dtype::f64);
    if (entry.spec.l2) add_weight_decay(gradient, curve_weights(salt, entry), run["weight_decay"]);
    CHECK(l2norm(gradient) == Approx(norm.get<double>()).epsilon(tolerance).margin(0));
    CHECK(projection(gradient, "p") == Approx(expected["gradient_projection_u_p"][name].get<double>())
                                           .margin(5 * tolerance * norm.get<double>()));
  }
  for (const auto& [name, norm] : expected["moving_l2_norms_after_one_step"].items()) {
    INFO(name);
    CHECK(l2norm(curve.state.read_weights(curve.state.parameter(name))) ==
          Approx(norm.get<double>()).epsilon(1e-5).margin(0));
  }
}

}  // namespace

TEST_CASE(
    "golden curves: for 12 steps lenet and cifarnet follow TensorFlow, in double precision and in float32 "
    "until "
    "a mask flips") {
  for_each_curve(false, [](const json& run, const CurveData& data, const std::string& salt) {
    follow(run, data, salt, 12);
  });
}

TEST_CASE("golden curves: lenet and cifarnet follow TensorFlow to the end", "[.slow]") {
  for_each_curve(false, [](const json& run, const CurveData& data, const std::string& salt) {
    follow(run, data, salt, run["steps"]);
  });
}

TEST_CASE("golden curves: the first step has TensorFlow's gradients") {
  for_each_curve(false, [](const json& run, const CurveData& data, const std::string& salt) {
    CurveRun reference(run, salt, "reference");
    reference.run(data.images(0, run["batch_size"]), data.targets(0, run["batch_size"]));
    check_first_step(run, salt, reference, 10 * bounds_of(run).exact);
  });
}

// With batch norms, eight samples and these weights a rounding grows by four decimal digits in one step (the
// files' own float32_vs_float64), so that only the first step says much.
TEST_CASE("golden curves: nets with batch norms have TensorFlow's first step and stay near its losses") {
  for_each_curve(true, [](const json& run, const CurveData& data, const std::string& salt) {
    const Tensor images = data.images(0, run["batch_size"]), targets = data.targets(0, run["batch_size"]);
    const json& expected = run["float64"];
    for (const char* device : {"reference", "cpu"}) {
      INFO(device);
      CurveRun curve(run, salt, device);
      const double exact = expected["ce"][0];
      CHECK(curve.run(images, targets) == Approx(exact).epsilon(1e-4).margin(0));
      CHECK(curve.result.gradient_norm ==
            Approx(expected["gradient_global_norm"][0].get<double>()).epsilon(2e-3).margin(0));
      check_first_step(run, salt, curve, 2e-2);
      if (std::string_view(device) == "reference") continue;
      const bool slow = run["learning_rate"].get<double>() < 1e-4;
      for (int i = 1; i < (slow ? run["steps"].get<int>() : 6); ++i) {
        INFO("step " << i);
        const double loss = curve.run(data.images(i, run["batch_size"]), data.targets(i, run["batch_size"]));
        const double want = expected["ce"][static_cast<std::size_t>(i)];
        if (slow)
          CHECK(loss == Approx(want).epsilon(i == 1 ? 1e-3 : i < 5 ? 3e-2 : 0.3).margin(0));
        else
          CHECK((loss > want / 10 && loss < want * 10));
      }
    }
  });
}

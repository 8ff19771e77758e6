#include "optim/optimizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "kernels/cpu/optimizer_update.h"
#include "kernels/reference/optimizer_update.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

using namespace fastnn;
using namespace fastnn::optim;
using fastnn::tests::contains;
using nlohmann::json;

namespace {

OptimizerOptions options_of(const json& params) {
  OptimizerOptions options;
  const auto read = [&params](const char* key, double& value) { value = params.value(key, value); };
  read("momentum", options.momentum);
  read("momentum", options.rmsprop_momentum);
  read("decay", options.rmsprop_decay);
  if (params.contains("epsilon")) options.opt_epsilon = params["epsilon"].get<double>();
  read("beta1", options.adam_beta1);
  read("beta2", options.adam_beta2);
  read("rho", options.adadelta_rho);
  read("initial_accumulator_value", options.adagrad_initial_accumulator_value);
  read("initial_accumulator_value", options.ftrl_initial_accumulator_value);
  read("learning_rate_power", options.ftrl_learning_rate_power);
  read("l1", options.ftrl_l1);
  read("l2", options.ftrl_l2);
  return options;
}

/// Weights and slots of one variable, and how to update them in one precision.
template <class T>
struct Run {
  Run(const Optimizer& chosen, const json& initial_weights, WeightDecay decay)
      : optimizer(chosen), segments{{0, 8, decay.l2, decay.decoupled}} {
    for (const json& weight : initial_weights) weights.push_back(weight.get<T>());
    for (const Slot& slot : optimizer.slots())
      slots.emplace_back(weights.size(), static_cast<T>(slot.initial_value));
  }

  void update(const std::vector<T>& gradients, double learning_rate, std::int64_t updates,
              std::optional<double> momentum = std::nullopt) {
    kernels::OptimizerBuffers<T> buffers{weights.data(), gradients.data(), {}, segments};
    for (std::size_t k = 0; k < slots.size(); ++k) buffers.slots[k] = slots[k].data();
    const kernels::UpdateStep step{.learning_rate = learning_rate, .updates = updates, .momentum = momentum};
    if constexpr (std::is_same_v<T, double>) {
      using namespace kernels::reference;
      kernels::reference::update(buffers, optimizer.parameters(), step, gradient_statistics(buffers, 1));
    } else {
      using namespace kernels::cpu;
      kernels::cpu::update(buffers, optimizer.parameters(), step, gradient_statistics(buffers, 1));
    }
  }

  void check(const json& expected, const std::string& variable, std::int64_t updates,
             double tolerance) const {
    check_values(expected.at(variable), weights, tolerance);
    for (std::size_t k = 0; k < slots.size(); ++k)
      check_values(expected.at(variable + "/" + std::string(optimizer.slots()[k].suffix)), slots[k],
                   tolerance);
    for (const NamedScalar& scalar : optimizer.checkpoint_scalars(updates))
      CHECK(std::abs(scalar.value - expected.at(scalar.name).get<double>()) <= tolerance);
  }

  static void check_values(const json& expected, const std::vector<T>& values, double tolerance) {
    REQUIRE(expected.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double want = expected[i].get<double>();
      CHECK(std::abs(values[i] - want) <= tolerance * std::max(1.0, std::abs(want)));
    }
  }

  const Optimizer& optimizer;
  std::vector<kernels::OptimizerSegment> segments;
  std::vector<T> weights;
  std::vector<std::vector<T>> slots;
};

template <class T>
std::vector<T> golden_gradients(const std::string& salt, int t) {
  std::vector<T> gradients;
  for (const double u : tests::golden_values(salt + "g" + std::to_string(t), 8))
    gradients.push_back(static_cast<T>(u * (0.5 + t / 10.0)));
  return gradients;
}

/// Every checkpoint entry beyond the variable itself that the optimizer claims to write.
std::vector<std::string> claimed_names(const Optimizer& optimizer, const std::string& variable) {
  std::vector<std::string> names{"global_step", variable};
  for (const Slot& slot : optimizer.slots()) names.push_back(variable + "/" + std::string(slot.suffix));
  for (const NamedScalar& scalar : optimizer.checkpoint_scalars(0)) names.push_back(scalar.name);
  std::sort(names.begin(), names.end());
  return names;
}

template <class T>
void check_golden(const char* precision, double tolerance) {
  if (!tests::has_golden("optimizers.json")) return;
  const json golden = tests::golden_json("optimizers.json");
  const auto salt = golden["salt"].get<std::string>();
  REQUIRE_FALSE(golden["cases"].empty());
  for (const json& one : golden["cases"]) {
    INFO(one["optimizer"] << " " << one["case"]);
    const auto variable = one["variable"].get<std::string>();
    const Optimizer optimizer =
        make_optimizer(one["optimizer"].get<std::string>(), options_of(one["params"]));
    CHECK(claimed_names(optimizer, variable) == one["checkpoint_variables"].get<std::vector<std::string>>());
    const double weight_decay = one["params"].value("weight_decay", 0.0);
    Run<T> run(optimizer, golden["w0_values"], optimizer.weight_decay(variable, true, weight_decay));
    run.weights.clear();
    for (const double weight : tests::golden_values(salt + "w", 8))
      run.weights.push_back(static_cast<T>(weight));
    run.check(one[precision]["0"], variable, 0, tolerance);
    for (int t = 1; t <= 10; ++t) {
      run.update(golden_gradients<T>(salt, t), one["learning_rate"].get<double>(), t - 1);
      if (one[precision].contains(std::to_string(t)))
        run.check(one[precision][std::to_string(t)], variable, t, tolerance);
    }
  }
}

std::string message_of(std::string_view name, const OptimizerOptions& options) {
  return tests::message_of<UsageError>([&] { make_optimizer(name, options); });
}

}  // namespace

TEST_CASE("golden: all optimizers on the reference kernel, weights, slots and scalars in double") {
  check_golden<double>("float64", 1e-12);
}

TEST_CASE("golden: all optimizers on the CPU kernel, weights, slots and scalars in float") {
  check_golden<float>("float32", 2e-6);
}

TEST_CASE("rmsprop: epsilon stands inside the root and the mean square starts at 1") {
  const Optimizer optimizer = make_optimizer("rmsprop", {});
  Run<double> run(optimizer, json::array({0.0}), {});
  run.segments = {{0, 1, 0, 0}};
  const double expected[3][3] = {{0.901, 0.00725285, -0.00725285},
                                 {0.8149, 0.02137337, -0.02862622},
                                 {0.74241, 0.04196324, -0.07058946}};
  for (int t = 0; t < 3; ++t) {
    run.update({0.1 * (t + 1)}, 0.1, t);
    CHECK(run.slots[0][0] == Approx(expected[t][0]).epsilon(1e-12));
    CHECK(run.slots[1][0] == Approx(expected[t][1]).margin(5e-9));
    CHECK(run.weights[0] == Approx(expected[t][2]).margin(5e-9));
  }
}

TEST_CASE("momentum: with and without Nesterov's, and a momentum that changes, it is TensorFlow's") {
  // tf.compat.v1.train.MomentumOptimizer(0.1, momentum, use_nesterov) of TensorFlow 2.21 on a float64
  // variable of 1.
  constexpr double kMomentums[] = {0.9, 0.8, 0.95};
  const std::pair<kernels::Nesterov, std::array<double, 3>> cases[] = {
      {kernels::Nesterov::off, {0.99, 0.962, 0.9054}}, {kernels::Nesterov::on, {0.981, 0.9386, 0.85483}}};
  for (const auto& [nesterov, expected] : cases) {
    const Optimizer optimizer = make_optimizer("momentum", {.use_nesterov = nesterov});
    Run<double> run(optimizer, json::array({1.0}), {});
    run.segments = {{0, 1, 0, 0}};
    for (std::size_t t = 0; t < 3; ++t) {
      run.update({0.1 * static_cast<double>(t + 1)}, 0.1, static_cast<std::int64_t>(t), kMomentums[t]);
      CHECK(run.weights[0] == Approx(expected[t]).epsilon(1e-14));
    }
  }
}

TEST_CASE("optimizers: table rows, rules and slot names agree") {
  CHECK(optimizers().size() == kernels::kOptimizerRules.size());
  for (const OptimizerEntry& entry : optimizers()) {
    CHECK(entry.name == kernels::info_of(entry.rule).name);
    const Optimizer optimizer = make_optimizer(entry.name, {});
    CHECK(optimizer.name() == entry.name);
    CHECK(static_cast<int>(optimizer.slots().size()) == kernels::info_of(entry.rule).slots);
    for (const Slot& slot : optimizer.slots()) CHECK_FALSE(slot.suffix.empty());
  }
  for (std::size_t i = 0; i < kernels::kOptimizerRules.size(); ++i)
    CHECK(static_cast<std::size_t>(kernels::kOptimizerRules[i].rule) == i);
}

TEST_CASE("optimizers: an unknown name lists the known ones and the nearest") {
  const std::string message = message_of("rmsporp", {});
  CHECK(contains(message, "did you mean rmsprop? There is no optimizer \"rmsporp\""));
  for (const OptimizerEntry& entry : optimizers()) CHECK(contains(message, entry.name));
}

TEST_CASE("optimizers: a hyper-parameter out of range is named with its range and value") {
  const double nan = std::nan("");
  const std::pair<OptimizerOptions, std::string_view> cases[] = {
      {{.momentum = 1.0}, "momentum must be at least 0 and below 1; got 1"},
      {{.rmsprop_momentum = -0.1}, "rmsprop_momentum must be at least 0 and below 1; got -0.1"},
      {{.rmsprop_decay = nan}, "rmsprop_decay must be at least 0 and below 1; got nan"},
      {{.opt_epsilon = 0.0}, "opt_epsilon must be above 0 and finite; got 0"},
      {{.adam_beta1 = 1.5}, "adam_beta1 must be"},
      {{.adam_beta2 = 1.0}, "adam_beta2 must be"},
      {{.adadelta_rho = -1}, "adadelta_rho must be"},
      {{.adagrad_initial_accumulator_value = 0}, "adagrad_initial_accumulator_value must be above 0"},
      {{.ftrl_learning_rate_power = 0.5}, "ftrl_learning_rate_power must be at most 0 and finite; got 0.5"},
      {{.ftrl_initial_accumulator_value = -1}, "ftrl_initial_accumulator_value must be at least 0"},
      {{.ftrl_l1 = HUGE_VAL}, "ftrl_l1 must be at least 0 and finite; got inf"},
      {{.ftrl_l2 = -0.5}, "ftrl_l2 must be at least 0 and finite; got -0.5"},
  };
  for (const auto& [options, expected] : cases) {
    INFO(expected);
    CHECK(contains(message_of("sgd", options), expected));
  }
  CHECK(message_of("ftrl", {.ftrl_learning_rate_power = 0.0}) == "(nothing thrown)");
}

TEST_CASE("optimizers: opt_epsilon left at 1.0 is warned of where it was not meant") {
  for (const char* name : {"adam", "adamweightdecay", "adadelta"}) {
    const std::string warning = epsilon_warning(make_optimizer(name, {}), {});
    CHECK(contains(warning, name));
    CHECK(contains(warning, "--opt_epsilon"));
    const OptimizerOptions set{.opt_epsilon = 1.0};
    CHECK(epsilon_warning(make_optimizer(name, set), set).empty());
  }
  for (const char* name : {"rmsprop", "sgd", "momentum", "adagrad", "ftrl"})
    CHECK(epsilon_warning(make_optimizer(name, {}), {}).empty());
}

TEST_CASE("adamweightdecay: decays by the flag, apart from biases and normalisation parameters") {
  const Optimizer optimizer = make_optimizer("adamweightdecay", {});
  for (const char* name :
       {"a/biases", "a/LayerNorm/w", "a/layer_norm/w", "a/BatchNorm/beta", "a/BatchNorm/gamma"})
    CHECK(optimizer.weight_decay(name, true, 0.1).decoupled == 0);
  for (const char* name : {"a/weights", "a/depthwise_weights", "beta/weights"}) {
    CHECK(optimizer.weight_decay(name, false, 0.1).decoupled == 0.1);
    CHECK(optimizer.weight_decay(name, true, 0.1).l2 == 0);
  }
}

TEST_CASE("other optimizers decay the marked variables only, as part of the gradient") {
  const Optimizer optimizer = make_optimizer("momentum", {});
  CHECK(optimizer.weight_decay("a/weights", true, 0.1).l2 == 0.1);
  CHECK(optimizer.weight_decay("a/weights", true, 0.1).decoupled == 0);
  CHECK(optimizer.weight_decay("a/BatchNorm/beta", false, 0.1).l2 == 0);
}

TEST_CASE("adamweightdecay with bias correction and no decay is adam") {
  const OptimizerOptions options{.opt_epsilon = 1e-8, .adam_bias_correction = kernels::BiasCorrection::on};
  const Optimizer corrected = make_optimizer("adamweightdecay", options);
  const Optimizer adam = make_optimizer("adam", options);
  const json weights = json::array({0.5, -0.5, 1, 2, 3, 4, 5, 6});
  Run<double> a(corrected, weights, {});
  Run<double> b(adam, weights, {});
  for (int t = 0; t < 3; ++t) {
    a.update(golden_gradients<double>("", t + 1), 0.1, t);
    b.update(golden_gradients<double>("", t + 1), 0.1, t);
  }
  CHECK(a.weights == b.weights);
  CHECK(a.weights[0] != 0.5);
}

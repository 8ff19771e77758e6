#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "nets/net_table.h"
#include "nets/network.h"
#include "optim/training_step.h"
#include "tests/nets/golden_comparison.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/golden_net.h"
#include "tests/support/sanitizer.h"

using namespace fastnn;
using namespace fastnn::tests;
using nlohmann::json;

namespace {

/// When a net's test runs: in every build, in every build without sanitizers, which slow the larger nets down
/// too much, or only with the slow tests.
enum class Run { everywhere, always, slow };

/// A net that has a golden file, and what its tests take on each device.
struct GoldenNet {
  const char* name;
  Run cpu = Run::slow;
  Run reference = Run::slow;
};

constexpr GoldenNet kNets[] = {
    {"alexnet_v2"},
    {"cifarnet", Run::everywhere, Run::everywhere},
    {"inception_resnet_v2", Run::always},
    {"inception_v1", Run::always},
    {"inception_v2"},
    {"inception_v3"},
    {"inception_v4"},
    {"lenet", Run::everywhere, Run::everywhere},
    {"mobilenet_v1"},
    {"mobilenet_v1_025", Run::always, Run::always},
    {"mobilenet_v1_050"},
    {"mobilenet_v1_075"},
    {"mobilenet_v2"},
    {"mobilenet_v2_035", Run::always, Run::always},
    {"mobilenet_v2_140"},
    {"nasnet_cifar"},
    {"nasnet_large"},
    {"nasnet_mobile"},
    {"overfeat"},
    {"pnasnet_large"},
    {"pnasnet_mobile"},
    {"resnet_v1_101"},
    {"resnet_v1_152"},
    {"resnet_v1_200"},
    {"resnet_v1_50", Run::always},
    {"resnet_v2_101"},
    {"resnet_v2_152"},
    {"resnet_v2_200"},
    {"resnet_v2_50"},
    {"vgg_16"},
    {"vgg_19"},
    {"vgg_a"},
};

NetOptions options_of(const json& header, Mode mode) {
  return {.batch_size = header["batch"],
          .num_classes = header["num_classes"],
          .image_size = header["image_size"],
          .mode = mode,
          .dropout = NetOptions::Dropout::off};
}

void write_inputs(Plan& plan, const Network& net, const json& header) {
  const std::int64_t batch = header["batch"];
  plan.write(net.images, golden_images(header["salt"], batch, header["image_size"]));
  plan.write(net.labels,
             Tensor::of<std::int32_t>({batch}, header["labels"].get<std::vector<std::int32_t>>()));
  plan.write(net.valid_count,
             Tensor::of<std::int32_t>(Shape{}, std::vector{static_cast<std::int32_t>(batch)}));
}

void check_end_point(const json& expected, const Network& net, const Plan& plan, double bound) {
  const std::string name = expected[0];
  INFO("end point " << name);
  const auto point = std::ranges::find(net.end_points, name, &EndPoint::name);
  REQUIRE(point != net.end_points.end());
  const Tensor value = plan.read(point->value);
  CHECK(value.shape() == Shape(expected[1].get<std::vector<std::int64_t>>()));
  const double norm = expected[3];
  CHECK(std::abs(l2norm(value) - norm) <= bound * norm);
  CHECK(std::abs(projection(value, "p:" + name) / norm - expected[4].get<double>()) <= bound);
  const Tensor values = value.as(Dtype::f64);
  const auto elements = values.values<double>();
  double sum = 0;
  for (const double element : elements) sum += element;
  const auto count = static_cast<double>(elements.size());
  const double root_mean_square = norm / std::sqrt(count);
  CHECK(std::abs(sum / count - expected[2].get<double>()) <= bound * root_mean_square);
  // Of all elements these four may lie further off than the mean error.
  for (std::size_t i = 0; i < expected[5].size(); ++i)
    CHECK(std::abs(elements[i] - expected[5][i].get<double>()) <= 10 * bound * root_mean_square);
}

double logits_bound(const json& header, const Device& device) {
  const bool exact = device.name() == "reference";
  return exact ? 1e-7 : 4 * header["float32_rel"]["eval_logits"].get<double>() + 1e-5;
}

/// A net of evaluation with its golden weights, run once on the golden batch.
struct EvaluationRun {
  EvaluationRun(const Network& net, std::vector<Value> keep, const json& header, Device& device)
      : state(net.graph, net.graph.parameters(), device),
        plan(net.graph, state, {.keep = std::move(keep), .gradients = {}}) {
    set_golden_weights(state, header["salt"]);
    plan.load();
    write_inputs(plan, net, header);
    plan.prepare();
    plan.run();
  }

  TrainState state;
  Plan plan;
};

void check_evaluation(const json& golden, Device& device) {
  const json& header = golden["header"];
  const bool exact = device.name() == "reference";
  const NetBounds bounds = exact ? double_bounds() : float_bounds(header["float32_rel"], {});
  const Network net = build_network(header["model"].get<std::string>(), options_of(header, Mode::evaluation));
  std::vector<Value> keep;
  for (const EndPoint& point : net.end_points) keep.push_back(point.value);
  const EvaluationRun run(net, std::move(keep), header, device);
  CHECK(norm_difference(run.plan.read(net.logits), golden["eval"]["logits"]) <= logits_bound(header, device));
  for (const json& expected : golden["eval"]["endpoints"])
    check_end_point(expected, net, run.plan, bounds.endpoints);
}

/// As it is evaluated: folded and fused, only the logits kept.
void check_rewritten_evaluation(const json& golden, Device& device) {
  const json& header = golden["header"];
  Network net = build_network(header["model"].get<std::string>(), options_of(header, Mode::evaluation));
  run_passes(net.graph, {.keep = {net.logits}, .disabled = {}});
  const EvaluationRun run(net, {net.logits}, header, device);
  CHECK(norm_difference(run.plan.read(net.logits), golden["eval"]["logits"]) <= logits_bound(header, device));
}

struct TrainingSection {
  const json& header;
  const json& expected;
  BatchNormMode batch_norm;
  /// TensorFlow's own gap between float32 and double.
  const json& float32_rel;
  /// Variables whose gradient is rounding noise.
  std::vector<std::string> zero;
};

void check_losses(const TrainingSection& section, const NetBounds& bounds, const Network& net,
                  const Plan& plan, double l2_loss) {
  const json& expected = section.expected;
  const auto near = [&](const json& value) {
    return Approx(value.get<double>()).epsilon(bounds.loss).margin(0);
  };
  CHECK(norm_difference(plan.read(net.logits), expected["logits"]) <= bounds.logits);
  CHECK(plan.read_scalar(net.cross_entropy) == near(expected["cross_entropy"]));
  CHECK(l2_loss == near(expected["l2_loss"]));
  CHECK(plan.read_scalar(net.loss) + l2_loss == near(expected["total"]));
  if (expected["aux_cross_entropy"].is_null()) return;
  CHECK(norm_difference(plan.read(net.aux_logits), expected["aux_logits"]) <= bounds.aux_logits);
  CHECK(plan.read_scalar(net.aux_cross_entropy) == near(expected["aux_cross_entropy"]));
}

/// Steps with float32's noise, four times over so that what it seldom does is seen, against one without.
StepGap measured_gap(optim::TrainingStep& step, TrainState& state, const Network& net,
                     const TrainingSection& section) {
  const auto figures = [&] {
    const double l2_loss = step.run(0.0).l2_loss;
    return figures_of(state, section.header["weight_decay"], step.plan().read(net.logits),
                      step.plan().read_scalar(net.loss) + l2_loss);
  };
  const StepFigures plain = figures();
  StepGap gap;
  for (const int draw : {1, 2, 3}) {
    add_rounding_noise(state, 4, draw);
    gap.include(gap_between(figures(), plain, section.zero));
    set_golden_weights(state, section.header["salt"]);
  }
  return gap;
}

void check_training(const TrainingSection& section, Device& device) {
  const json& header = section.header;
  NetOptions options = options_of(header, Mode::training);
  options.batch_norm = section.batch_norm;
  const Network net = build_network(header["model"].get<std::string>(), options);
  auto training = optim::differentiate(net.graph, net.loss);
  const auto optimizer = optim::make_optimizer("sgd", {});
  TrainState state(training.graph, training.parameters, device);
  set_golden_weights(state, header["salt"]);
  const double weight_decay = header["weight_decay"];
  optim::TrainingStepOptions step_options{.weight_decay = weight_decay,
                                          .keep = {net.logits, net.cross_entropy, net.loss}};
  if (net.aux_logits)
    step_options.keep.insert(step_options.keep.end(), {net.aux_logits, net.aux_cross_entropy});
  optim::TrainingStep step(std::move(training), optimizer, state, step_options);
  step.load();
  write_inputs(step.plan(), net, header);
  const bool exact = device.name() == "reference";
  const NetBounds bounds =
      exact ? double_bounds() : float_bounds(section.float32_rel, measured_gap(step, state, net, section));
  // Learning rate 0: the weights stay, and with them the L2 part of the gradients can be added.
  const optim::StepResult result = step.run(0.0);
  check_losses(section, bounds, net, step.plan(), result.l2_loss);
  check_gradients(state, weight_decay, section.expected["grads"], section.zero, bounds);
  if (section.expected.contains("moving"))
    check_moving_averages(state, header, section.expected["moving"], bounds);
}

/// Names of the files of nets in the golden folder; none where it has no such part.
std::vector<std::string> golden_net_files() {
  if (!has_golden("nets")) return {};
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(golden_dir() / "nets"))
    if (file.path().extension() == ".json") files.push_back("nets/" + file.path().filename().string());
  REQUIRE_FALSE(files.empty());
  return files;
}

/// The golden file of a net. Null, and the reason said, where a folder named by FASTNN_GOLDEN_DIR lacks it;
/// the source tree's own has every net.
json golden_of(const std::string& name) {
  const auto files = golden_net_files();
  for (const std::string& file : files) {
    json golden = golden_json(file);
    if (golden["header"]["model"] == name) return golden;
  }
  REQUIRE(golden_dir() != sample_dir());
  if (!files.empty()) WARN("skipped: no file of " << name << " in " << (golden_dir() / "nets").string());
  return {};
}

void check_net(const GoldenNet& row, std::string_view device_name) {
  const json golden = golden_of(row.name);
  if (golden.is_null()) return;
  const auto device = make_device(device_name, 0);
  const json& header = golden["header"];
  {
    INFO("evaluation");
    check_evaluation(golden, *device);
    check_rewritten_evaluation(golden, *device);
  }
  {
    INFO("training");
    check_training(
        {header, golden["train"], BatchNormMode::training, header["float32_rel"], header["zero_gradient"]},
        *device);
  }
  const json& frozen = golden["frozen"];
  INFO("training with frozen batch norm");
  check_training({header, frozen, BatchNormMode::frozen, frozen["float32_rel"], frozen["small_gradient"]},
                 *device);
}

template <std::size_t I>
void check_on_cpu() {
  check_net(kNets[I], "cpu");
}

template <std::size_t I>
void check_on_reference() {
  check_net(kNets[I], "reference");
}

const char* tag_of(Run run) {
  return run == Run::slow || (run == Run::always && sanitized()) ? "[.slow]" : "";
}

void register_test(void (*test)(), const std::string& name, const char* tag) {
  (void)Catch::AutoReg(Catch::makeTestInvoker(test), CATCH_INTERNAL_LINEINFO, Catch::StringRef(),
                       Catch::NameAndTags(name, tag));
}

template <std::size_t... I>
bool register_nets(std::index_sequence<I...>) {
  static const std::string on_cpu[] = {
      fmt::format("golden net {}: the CPU device agrees as float32 can", kNets[I].name)...};
  static const std::string on_reference[] = {
      fmt::format("golden net {}: the reference device agrees to 1e-7", kNets[I].name)...};
  (register_test(&check_on_cpu<I>, on_cpu[I], tag_of(kNets[I].cpu)), ...);
  (register_test(&check_on_reference<I>, on_reference[I], tag_of(kNets[I].reference)), ...);
  return true;
}

const bool registered = register_nets(std::make_index_sequence<std::size(kNets)>());

}  // namespace

TEST_CASE("golden nets: every golden file is of a net that is compared") {
  CHECK(registered);
  std::set<std::string> compared;
  for (const GoldenNet& row : kNets) compared.insert(row.name);
  for (const std::string& file : golden_net_files()) {
    INFO(file);
    CHECK(compared.contains(golden_json(file)["header"]["model"].get<std::string>()));
  }
}

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "nets/net_table.h"
#include "nets/network.h"
#include "optim/training_step.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/golden_net.h"

using namespace fastnn;
using namespace fastnn::tests;
using nlohmann::json;

namespace {

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

std::vector<double> flat(const json& rows) {
  std::vector<double> values;
  for (const json& row : rows)
    for (const json& value : row) values.push_back(value);
  return values;
}

/// Norm of the difference over the norm.
double norm_difference(const Tensor& tensor, const std::vector<double>& expected) {
  const Tensor computed = tensor.as(Dtype::f64);
  REQUIRE(computed.values<double>().size() == expected.size());
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += std::pow(computed.values<double>()[i] - expected[i], 2);
    norm += std::pow(expected[i], 2);
  }
  return std::sqrt(difference / norm);
}

/// Bounds of golden/nets/README.md: what double precision reaches, or 4 times TensorFlow's own float32
/// differences.
struct Bounds {
  double logits;
  double endpoints;
  double loss;
  double gradient_norm;
  double gradient_projection;
};

Bounds bounds_of(std::string_view device, const json& header) {
  if (device == "reference") return {1e-7, 1e-7, 1e-7, 1e-7, 1e-7};
  const json& rel = header["float32_rel"];
  const auto four_times = [&](const char* key, double floor) { return 4 * rel[key].get<double>() + floor; };
  return {four_times("eval_logits", 1e-5),
          std::max(four_times("eval_endpoint_l2norm_max", 1e-5),
                   four_times("eval_endpoint_projection_max", 1e-5)),
          four_times("total_loss", 1e-5), std::max(4 * rel["grad_norm_max"].get<double>(), 1e-4),
          std::max(4 * rel["grad_projection_max"].get<double>(), 1e-4)};
}

void check_evaluation(const json& golden, Device& device) {
  const json& header = golden["header"];
  const Bounds bounds = bounds_of(device.name(), header);
  const Network net = build_network(header["model"].get<std::string>(), options_of(header, Mode::evaluation));
  TrainState state(net.graph, net.graph.parameters(), device);
  set_golden_weights(state, header["salt"]);
  PlanOptions keep;
  for (const EndPoint& point : net.end_points) keep.keep.push_back(point.value);
  Plan plan(net.graph, state, keep);
  plan.load();
  write_inputs(plan, net, header);
  plan.prepare();
  plan.run();
  CHECK(norm_difference(plan.read(net.logits), flat(golden["eval"]["logits"])) <= bounds.logits);
  for (const json& expected : golden["eval"]["endpoints"]) {
    const std::string name = expected[0];
    INFO("end point " << name);
    const auto point = std::ranges::find(net.end_points, name, &EndPoint::name);
    REQUIRE(point != net.end_points.end());
    const Tensor value = plan.read(point->value);
    CHECK(value.shape() == Shape(expected[1].get<std::vector<std::int64_t>>()));
    const double norm = expected[3];
    CHECK(std::abs(l2norm(value) - norm) <= bounds.endpoints * norm);
    CHECK(std::abs(projection(value, "p:" + name) / norm - expected[4].get<double>()) <= bounds.endpoints);
  }
}

void check_training(const json& golden, Device& device) {
  const json& header = golden["header"];
  const json& expected = golden["train"];
  const Bounds bounds = bounds_of(device.name(), header);
  const Network net = build_network(header["model"].get<std::string>(), options_of(header, Mode::training));
  auto training = optim::differentiate(net.graph, net.cross_entropy);
  const auto optimizer = optim::make_optimizer("sgd", {});
  TrainState state(training.graph, training.parameters, device);
  set_golden_weights(state, header["salt"]);
  const double weight_decay = header["weight_decay"];
  optim::TrainingStep step(std::move(training), optimizer, state,
                           {.weight_decay = weight_decay, .keep = {net.logits, net.cross_entropy}});
  step.load();
  write_inputs(step.plan(), net, header);
  // Learning rate 0: the weights stay, and with them the L2 part of the gradients can be added below.
  const optim::StepResult result = step.run(0.0);
  CHECK(norm_difference(step.plan().read(net.logits), flat(expected["logits"])) <= bounds.logits);
  const double cross_entropy = step.plan().read_scalar(net.cross_entropy);
  CHECK(cross_entropy == Approx(expected["cross_entropy"].get<double>()).epsilon(bounds.loss));
  CHECK(result.l2_loss == Approx(expected["l2_loss"].get<double>()).epsilon(bounds.loss));
  CHECK(cross_entropy + result.l2_loss == Approx(expected["total"].get<double>()).epsilon(bounds.loss));
  REQUIRE(expected["grads"].size() == state.parameters().size());
  for (const auto& [name, figures] : expected["grads"].items()) {
    INFO("gradient of " << name);
    const ParameterEntry& entry = state.parameter(name);
    Tensor gradient = state.read_gradients(entry).as(Dtype::f64);
    const Tensor weights = state.read_weights(entry).as(Dtype::f64);
    if (entry.spec.l2)
      for (std::size_t i = 0; i < gradient.values<double>().size(); ++i)
        gradient.values<double>()[i] += weight_decay * weights.values<double>()[i];
    const double norm = figures[0];
    CHECK(std::abs(l2norm(gradient) - norm) <= bounds.gradient_norm * norm);
    CHECK(std::abs(projection(gradient, "g:" + name) - figures[1].get<double>()) <=
          bounds.gradient_projection * norm);
    CHECK(std::abs(gradient.values<double>()[0] - figures[2].get<double>()) <=
          bounds.gradient_projection * norm);
  }
}

/// Golden files of the nets this build has; prints those it has not.
std::vector<json> golden_nets() {
  std::vector<json> nets;
  int missing = 0;
  const auto folder = golden_dir() / "nets";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".json") continue;
    json golden = golden_json("nets/" + file.path().filename().string());
    const std::string model = golden["header"]["model"];
    if (std::ranges::count(net_table(), model, &NetEntry::name) > 0)
      nets.push_back(std::move(golden));
    else
      ++missing;
  }
  REQUIRE_FALSE(nets.empty());
  std::cout << "golden nets: " << nets.size() << " compared, " << missing << " do not exist yet\n";
  return nets;
}

void check_nets(std::string_view device_name) {
  const auto device = make_device(device_name, 0);
  for (const json& golden : golden_nets()) {
    INFO(golden["header"]["model"].get<std::string>() << " on " << device_name);
    check_evaluation(golden, *device);
    check_training(golden, *device);
  }
}

}  // namespace

TEST_CASE("golden nets: logits, end points, losses and gradients on the reference device agree to 1e-7") {
  check_nets("reference");
}

TEST_CASE("golden nets: logits, end points, losses and gradients on the CPU device agree as float32 can") {
  check_nets("cpu");
}

TEST_CASE("golden nets: names, shapes, L2 and initializers of all variables equal TF-Slim's") {
  std::ifstream file(golden_dir() / "slim-variables.tsv");
  REQUIRE(file);
  std::map<std::string, std::map<std::string, std::string>> expected;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("model\t")) continue;
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    expected[fields[0]][fields[1]] =
        fields[2] + " trainable " + fields[3] + " l2 " + fields[4] + " " + fields[5];
  }
  for (const NetEntry& entry : net_table()) {
    if (!expected.contains(std::string(entry.name))) continue;
    const Network net = build_network(entry.name, {.batch_size = 1, .num_classes = 1000});
    std::map<std::string, std::string> variables;
    for (const Value value : net.graph.parameters()) {
      const ValueInfo& info = net.graph.info(value);
      std::string extents = fmt::format("{}", fmt::join(info.spec.shape.extents(), "x"));
      variables[info.name] = extents + " trainable " + (info.parameter.trainable ? "1" : "0") + " l2 " +
                             (info.parameter.l2 ? "1 " : "0 ") + text_of(info.parameter.initializer);
    }
    INFO(entry.name);
    CHECK(variables == expected.at(std::string(entry.name)));
  }
}

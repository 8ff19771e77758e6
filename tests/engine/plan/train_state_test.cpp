#include "engine/plan/train_state.h"

#include "engine/checkpoint/state_checkpoint.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"
#include "tests/support/run_command.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

/// Two trainable variables around one that is not, and one slot.
struct Variables {
  Variables() : device(make_device("cpu", 1)) {
    graph.add_parameter("a", {3}, {.initializer = ConstantInitializer{2}});
    graph.add_parameter("moving", {5}, {.initializer = ConstantInitializer{7}, .trainable = false});
    graph.add_parameter("b", {70}, {});
    state = std::make_unique<TrainState>(graph, graph.parameters(), *device,
                                         std::vector<SlotSpec>{{"Momentum", 0.5}});
    state->initialize(0);
  }

  const ParameterEntry& moving() const { return state->parameter("moving"); }
  float moving_value() const { return state->read_weights(moving()).values<float>()[4]; }

  std::unique_ptr<Device> device;
  Graph graph;
  std::unique_ptr<TrainState> state;
};

}  // namespace

TEST_CASE("train state: a variable that is not trainable has weights, but no gradient and no slots") {
  const Variables v;
  REQUIRE(v.state->trainable().size() == 2);
  CHECK(v.state->trainable()[0].name == "a");
  CHECK(v.state->trainable()[1].name == "b");
  REQUIRE(v.state->parameters().size() == 3);
  CHECK(v.state->parameters()[2].name == "moving");
  CHECK(v.moving_value() == 7);
  CHECK(v.state->elements() == 64 + 128);
  CHECK(v.moving().offset == v.state->elements());
  CHECK(v.state->bytes() == sizeof(float) * (192 + 64 + 192 + 192));
  const std::string expected = "[state] moving is not trainable: it has neither gradient nor slots";
  CHECK(message_of<UsageError>([&] { v.state->gradients_of(v.moving()); }) == expected);
  CHECK(message_of<UsageError>([&] { v.state->read_gradients(v.moving()); }) == expected);
  CHECK(message_of<UsageError>([&] { v.state->read_slot(v.moving(), 0); }) == expected);
  CHECK(message_of<UsageError>([&] { v.state->write_slot(v.moving(), 0, Tensor(Dtype::f32, {5})); }) ==
        expected);
}

TEST_CASE("train state: a checkpoint keeps variables that are not trainable, under their names") {
  const TemporaryFolder folder;
  Variables saved;
  saved.state->write_weights(saved.moving(), Tensor::of<float>({5}, std::vector{1.F, 2.F, 3.F, 4.F, 5.F}));
  save_state(*saved.state, folder / "model", {});
  const BundleReader bundle(folder / "model");
  CHECK(bundle.contains("moving"));
  CHECK(bundle.contains("a/Momentum"));
  CHECK_FALSE(bundle.contains("moving/Momentum"));
  for (const RestorePart part : {RestorePart::weights, RestorePart::weights_and_slots}) {
    Variables restored;
    restore_state(*restored.state, bundle, part);
    CHECK(restored.moving_value() == 5);
  }
}

TEST_CASE("train state: a checkpoint without a moving average is refused, naming it") {
  const TemporaryFolder folder;
  const auto device = make_device("cpu", 1);
  Graph graph;
  graph.add_parameter("a", {3}, {});
  graph.add_parameter("b", {70}, {});
  save_state(TrainState(graph, graph.parameters(), *device), folder / "model", {});
  Variables v;
  const BundleReader bundle(folder / "model");
  CHECK(contains(message_of<InputError>([&] { restore_state(*v.state, bundle, RestorePart::weights); }),
                 "\n  moving [5] is missing"));
}

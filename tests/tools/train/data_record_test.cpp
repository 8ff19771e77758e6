#include "tools/train/data_record.h"

#include "engine/checkpoint/bundle_writer.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"
#include "tests/support/run_command.h"

using namespace fastnn;
using namespace fastnn::tests;
using namespace fastnn::tools;

namespace {

class LinesLog final : public Log {
 public:
  void info(std::string_view line) override { lines += std::string(line) + "\n"; }
  void warning(std::string_view line) override { info(line); }
  std::string lines;
};

DataRecord named(std::vector<std::string> names) {
  const auto classes = static_cast<std::int64_t>(names.size());
  return {.records = 9, .classes = classes, .class_names = std::move(names)};
}

DataRecord nameless(std::int64_t classes) {
  return {.records = 9, .classes = classes, .class_names = {}};
}

/// What is read back of a record that a checkpoint holds.
std::optional<DataRecord> kept(const ExtraTensors& tensors) {
  const TemporaryFolder folder;
  BundleWriter writer(folder / "model.ckpt-1");
  writer.add("weights", Tensor(Dtype::f32, Shape{2}));
  for (const auto& [name, tensor] : tensors) writer.add(name, tensor);
  writer.finish();
  return read_data_record(BundleReader(folder / "model.ckpt-1"));
}

}  // namespace

TEST_CASE("data_record: a checkpoint gives back what it was given, odd names included") {
  const DataRecord odd{.records = 1'281'167, .classes = 4, .class_names = {"", "a:b\nc", "花", "crane"}};
  CHECK(kept(tensors_of(odd)) == odd);
  CHECK(kept(tensors_of(nameless(7))) == nameless(7));
  CHECK_FALSE(kept({}).has_value());
}

TEST_CASE("data_record: the same names need no mapping, and nothing is said") {
  LinesLog log;
  CHECK(map_classes(named({"a", "b"}), named({"a", "b"}), log).empty());
  CHECK(map_classes(nameless(3), nameless(3), log).empty());
  CHECK(log.lines.empty());
}

TEST_CASE("data_record: names in another order or fewer of them are mapped, and the log says which") {
  LinesLog log;
  CHECK(map_classes(named({"c", "a"}), named({"a", "b", "c"}), log) == std::vector<std::int32_t>{2, 0});
  CHECK(contains(log.lines, "mapped by name: c (0 -> 2), a (1 -> 0)"));
}

TEST_CASE("data_record: a class without a name is mapped to none") {
  LinesLog log;
  CHECK(map_classes(named({"", "a"}), named({"a"}), log) == std::vector<std::int32_t>{-1, 0});
}

TEST_CASE("data_record: a class that the run does not know is refused with its name") {
  LinesLog log;
  CHECK(contains(message_of<InputError>([&] {
                   map_classes(named({"a", "d"}), named({"a", "b"}), log);
                 }),
                 {"the run knows no class d; it learned a, b"}));
}

TEST_CASE("data_record: a name of two classes is refused where it would have to be mapped") {
  LinesLog log;
  CHECK(map_classes(named({"crane", "crane"}), named({"crane", "crane"}), log).empty());
  CHECK(contains(message_of<InputError>([&] {
                   map_classes(named({"crane"}), named({"crane", "a", "crane"}), log);
                 }),
                 {"crane names several"}));
}

TEST_CASE("data_record: without names the numbers of classes must agree, and one-sided names are a warning") {
  LinesLog log;
  CHECK(contains(message_of<InputError>([&] {
                   map_classes(nameless(3), named({"a", "b"}), log);
                 }),
                 {"the run learned 2 classes and this data has 3"}));
  CHECK(map_classes(nameless(2), named({"a", "b"}), log).empty());
  CHECK(contains(log.lines, "taken on trust"));
}

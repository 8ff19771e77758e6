#include "nets/net_table.h"

#include <fmt/ranges.h>

#include <fstream>
#include <map>
#include <sstream>

#include "nets/network.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

using Variables = std::map<std::string, std::string>;

/// Per net and variable of golden/slim-variables.tsv: shape, trainable, l2, initializer.
std::map<std::string, Variables> golden_variables() {
  std::ifstream file(golden_dir() / "slim-variables.tsv");
  REQUIRE(file);
  std::map<std::string, Variables> expected;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("model\t")) continue;
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    expected[fields[0]][fields[1]] =
        fields[2] + " trainable " + fields[3] + " l2 " + fields[4] + " " + fields[5];
  }
  return expected;
}

Variables variables_of(const Graph& graph) {
  Variables variables;
  for (const Value value : graph.parameters()) {
    const ValueInfo& info = graph.info(value);
    variables[info.name] =
        fmt::format("{} trainable {:d} l2 {:d} {}", fmt::join(info.spec.shape.extents(), "x"),
                    info.parameter.trainable, info.parameter.l2, text_of(info.parameter.initializer));
  }
  return variables;
}

}  // namespace

TEST_CASE("golden nets: names, shapes, L2 and initializers of all variables equal TF-Slim's") {
  if (!has_golden("slim-variables.tsv")) return;
  const auto expected = golden_variables();
  std::size_t compared = 0;
  for (const NetEntry& entry : net_table()) {
    const auto golden = expected.find(std::string(entry.name));
    if (golden == expected.end()) continue;
    INFO(entry.name);
    const Variables variables =
        variables_of(build_network(entry.name, {.batch_size = 1, .num_classes = 1000}).graph);
    for (const auto& [name, text] : golden->second) {
      INFO(name);
      REQUIRE(variables.contains(name));
      CHECK(variables.at(name) == text);
    }
    CHECK(variables.size() == golden->second.size());
    ++compared;
  }
  CHECK(compared > 0);
  CHECK(compared == expected.size());
}

TEST_CASE("nets: a size outside a net's range is refused with the range") {
  for (const NetEntry& entry : net_table()) {
    INFO(entry.name);
    if (entry.smallest_image_size > 1)
      CHECK_THROWS_AS(build_network(entry.name, {.image_size = entry.smallest_image_size - 1}), UsageError);
    CHECK_THROWS_AS(build_network(entry.name, {.image_size = entry.largest_image_size + 1}), UsageError);
  }
}

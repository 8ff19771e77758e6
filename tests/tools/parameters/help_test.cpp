#include "tools/parameters/help.h"
#include "tests/support/paths.h"

#include <fstream>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/support/messages.h"

using namespace fastnn::tests;
using namespace fastnn::tools;
using fastnn::tests::contains;

namespace {

/// The lines of one parameter in the help of a program.
std::string entry_of(const std::string& name, Program program) {
  const std::string help = help_text(parameter_table(), program, {.width = 4000});
  const std::size_t begin = help.find("\n  --" + name + "\n");
  if (begin == std::string::npos) return "";
  return help.substr(begin + 1, help.find("\n", help.find("\n      ", begin) + 1) - begin);
}

}  // namespace

TEST_CASE("help: mentions every parameter and alias of the program, and none of another") {
  for (const Program program : {Program::train, Program::eval})
    for (const ParameterRow& row : parameter_table().rows()) {
      const std::string name(row.name);
      INFO(program_name(program) << " " << name);
      const std::string entry = entry_of(name, program);
      CHECK(entry.empty() != (row.programs.has(program) && row.in_help == InHelp::shown));
      if (entry.empty()) continue;
      CHECK(contains(entry, row.help));
      if (row.default_value && !row.default_value->empty())
        CHECK(contains(entry, "default: " + std::string(*row.default_value)));
      for (const ParameterAlias* alias : parameter_table().aliases_of(row.name))
        CHECK(contains(entry, alias->name));
    }
}

TEST_CASE("help: an entry says type, range, default, what happens while unset, status and aliases") {
  CHECK(entry_of("num_preprocessing_threads", Program::train) ==
        "  --num_preprocessing_threads\n      Threads that read, decode and preprocess. [integer from 1 to "
        "4096; "
        "default: 16; while unset: chosen from the processor's cores] Also: "
        "datasets_num_private_threads (tf_cnn_benchmarks).\n");
  CHECK(contains(entry_of("loss_scale", Program::train), "Not available yet. Also: fp16_loss_scale"));
  CHECK(contains(entry_of("tables", Program::train), "Accepted without effect."));
  CHECK(contains(entry_of("protocol", Program::train), "Other values are accepted without effect."));
  CHECK(contains(entry_of("model_dir", Program::train), "Not available yet in fastnn-train."));
  CHECK_FALSE(contains(entry_of("model_dir", Program::eval), "Not available"));
  CHECK(contains(entry_of("model_dir", Program::eval),
                 "checkpoint_path (TF-Slim; together with ckpt_file_name)"));
  CHECK(contains(entry_of("enable_paisoar", Program::train), "enable_paisora (FastNN's manual; deprecated)"));
  CHECK(contains(entry_of("decay_scheme", Program::train), "default: empty"));
}

TEST_CASE("help: groups come in the order of the table, each once") {
  const std::string help = help_text(parameter_table(), Program::train);
  std::size_t last = 0;
  for (const char* group :
       {"dataset", "preprocessing", "model", "learning rate", "optimizer", "logging", "performance",
        "cluster", "output", "program", "flags of TF-Slim and tf_cnn_benchmarks"}) {
    const std::size_t place = help.find("\n\n" + std::string(group) + "\n");
    INFO(group);
    REQUIRE(place != std::string::npos);
    CHECK(place > last);
    last = place;
  }
}

TEST_CASE("help: lines keep to the width") {
  for (const int width : {60, 100, 10}) {
    std::istringstream lines(help_text(parameter_table(), Program::train, {.width = width}));
    std::string line;
    // A single word cannot be broken and may be longer.
    while (std::getline(lines, line))
      CHECK((line.size() <= static_cast<std::size_t>(std::max(width, 40)) ||
             line.find(' ', line.find_first_not_of(' ')) == std::string::npos));
  }
}

TEST_CASE("help: docs/parameters.md is what the table says") {
  std::ostringstream page;
  page << std::ifstream(source_dir() + "/docs/parameters.md").rdbuf();
  CHECK(page.str() == markdown(parameter_table()));
}

TEST_CASE("help: the page shows choices and programs and hides what is hidden") {
  const std::string page = markdown(parameter_table());
  CHECK(contains(page, "| `batch_size` | integer from 1 to 1048576 | `32` | train, eval |"));
  CHECK(contains(page, "| `warmup_scheme` | one of t2t, linear | `t2t` | train |"));
  CHECK_FALSE(contains(page, "| `help_markdown` |"));
}

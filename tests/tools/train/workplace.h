#pragma once

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"

namespace fastnn::tests {

/// The sample data set, written once per object, and a place for runs of a small net on it.
struct Workplace {
  Workplace() {
    const auto written =
        run_command(program("data") +
                    " synth --train_samples=256 --validation_samples=96 --output_dir=" + data() + " 2>&1");
    REQUIRE(written.exit_code == 0);
  }

  static std::string program(const std::string& name) { return bin_dir() + "/fastnn-" + name; }
  std::string data() const { return (folder / "data").string(); }
  std::string run(const std::string& name) const { return (folder / name).string(); }
  std::string train_command(const std::string& name, const std::string& flags) const {
    return program("train") + " --dataset_name=shapes --dataset_dir=" + data() +
           " --model_name=lenet --train_image_size=32 --batch_size=16 --optimizer=momentum "
           "--learning_rate=0.001 --output_dir=" +
           run(name) + " " + flags;
  }
  CommandResult train(const std::string& name, const std::string& flags) const {
    return run_command(train_command(name, flags) + " 2>&1");
  }
  std::string evaluate_command(const std::string& name, const std::string& flags) const {
    return program("eval") + " --dataset_name=shapes --dataset_dir=" + data() +
           " --model_name=lenet --eval_image_size=32 --output_dir=" + run(name) + " " + flags;
  }
  CommandResult evaluate(const std::string& name, const std::string& flags) const {
    return run_command(evaluate_command(name, flags) + " 2>&1");
  }

  TemporaryFolder folder;
};

inline std::string bytes_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::string weights_of(const std::string& run, int step) {
  return bytes_of(run + "/model.ckpt-" + std::to_string(step) + ".data-00000-of-00001");
}

inline bool contains(const CommandResult& result, const std::string& text) {
  UNSCOPED_INFO(result.output);
  return result.output.find(text) != std::string::npos;
}

}  // namespace fastnn::tests

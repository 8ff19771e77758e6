#include <regex>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"

using namespace fastnn::tests;

// TensorFlow reaches 98.3 % after the first epoch (tests/golden/real_learning.json); 97.5 % leaves room for
// the seed.
TEST_CASE("fastnn-train: one epoch of MNIST teaches lenet 97.5 % of the test set", "[.slow]") {
  if (data_dir().empty()) {
    WARN("skipped: no folder of real data; set FASTNN_DATA_DIR");
    return;
  }
  const TemporaryFolder folder;
  const std::string data = (folder / "data").string();
  const std::string common = " --dataset_name=mnist --dataset_dir=" + data +
                             " --model_name=lenet --output_dir=" + (folder / "run").string();
  REQUIRE(run_command(bin_dir() + "/fastnn-data convert --dataset_name=mnist --input_dir=" +
                      (data_dir() / "mnist").string() + " --output_dir=" + data + " 2>&1")
              .exit_code == 0);
  REQUIRE(run_command(bin_dir() +
                      "/fastnn-train --num_epochs=1 --batch_size=64 --optimizer=adam --opt_epsilon=1e-8 "
                      "--learning_rate=0.001 --learning_rate_decay_type=fixed" +
                      common + " 2>&1")
              .exit_code == 0);
  const auto evaluated = run_command(bin_dir() + "/fastnn-eval" + common + " 2>&1");
  INFO(evaluated.output);
  std::smatch match;
  REQUIRE(std::regex_search(evaluated.output, match, std::regex("accuracy = ([0-9.]+)")));
  CHECK(std::stod(match[1]) >= 0.975);
}

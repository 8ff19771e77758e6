#include "tests/support/allocations.h"
#include "tests/support/catch.h"
#include "tests/support/run_command.h"
#include "tests/tools/parameters/parse_support.h"
#include "tools/train/trainer.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

/// What the trainer's thread uses for a whole run: pipeline, batch copies, steps, log lines, one save at the
/// end.
ThreadUse use_of_run(int steps, int log_every) {
  const TemporaryFolder folder;
  std::FILE* sink = std::fopen("/dev/null", "w");
  REQUIRE(sink != nullptr);
  ThreadUse used;
  {
    tools::ConsoleLog log(sink);
    const tools::Parameters parameters =
        parse_train({"--dataset_name=mock", "--model_name=lenet", "--train_image_size=28", "--batch_size=16",
                     "--threads=1", "--num_classes=10", "--learning_rate=0.0001",
                     "--output_dir=" + (folder / "run").string(), fmt::format("--stop_at_step={}", steps),
                     fmt::format("--log_loss_every_n_iters={}", log_every)});
    const ThreadUse before = thread_use();
    tools::Trainer trainer(parameters, log);
    REQUIRE(trainer.run() == ExitCode::done);
    used = thread_use() - before;
  }
  std::fclose(sink);
  return used;
}

}  // namespace

TEST_CASE("trainer: its thread allocates and faults in nothing from step to step") {
  use_of_run(20, 1000);
  const ThreadUse more = use_of_run(120, 1000) - use_of_run(20, 1000);
  // Making and ending a run takes some pages more or less; a step that touched one would take 100 more.
  CHECK(more.allocations <= 5);
  CHECK(more.page_faults < 50);
  CHECK(more.onednn_allocations > 0);
}

TEST_CASE("trainer: a log line allocates a bounded number of strings and leaves no page behind") {
  use_of_run(20, 1);
  const ThreadUse more = use_of_run(120, 1) - use_of_run(120, 1000);
  CHECK(more.allocations > 0);
  CHECK(more.allocations < 119 * 20);
  CHECK(more.page_faults < 50);
}

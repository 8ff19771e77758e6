#include <filesystem>
#include <sstream>
#include <string>

#include "tests/tools/train/workplace.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

constexpr const char* kEndless =
    "--stop_at_step=1000000 --learning_rate=1e-6 --save_checkpoints_steps=1000000 --threads=1";

/// Runs a command in the background, its output in LOG, and, once a line of LOG holds 'sign', the shell words
/// 'act', which know its process as $pid; then waits for its end. The result's output is LOG.
CommandResult act_during(const std::string& command, const std::string& log, const std::string& sign,
                         const std::string& act) {
  const std::string script = fmt::format(
      "{} >{} 2>&1 & pid=$!; for i in $(seq 600); do grep -q \"{}\" {} && break; sleep 0.05; done; {}; "
      "wait $pid",
      command, log, sign, log, act);
  CommandResult result = run_command("bash -c '" + script + "' 2>&1");
  result.output += bytes_of(log);
  return result;
}

std::string log_of(const Workplace& place, const std::string& name) {
  return bytes_of(place.run(name) + "/fastnn-train.log");
}

}  // namespace

TEST_CASE("fastnn-train: each signal that asks for the end finishes the step, saves and exits with 6") {
  const Workplace place;
  for (const char* name : {"TERM", "INT", "HUP", "XCPU", "USR1"}) {
    INFO(name);
    // A shell's background process ignores SIGINT unless job control is on.
    const auto stopped = act_during("set -m; " + place.train_command(name, kEndless), place.run("log"),
                                    "step 10:", fmt::format("kill -{} $pid", name));
    CHECK(stopped.exit_code == 6);
    CHECK(contains(stopped, fmt::format("stopped by SIG{} at step", name)));
    CHECK(contains(stopped, "saved: the same command continues"));
    CHECK(std::filesystem::exists(place.run(name) + "/checkpoint"));
  }
}

TEST_CASE("fastnn-train: signals that the system repeats do not end the process before it has saved") {
  const Workplace place;
  const auto stopped =
      act_during(place.train_command("run", kEndless), place.run("log"),
                 "step 10:", "kill -HUP $pid; kill -HUP $pid; kill -XCPU $pid; kill -TERM $pid");
  CHECK(stopped.exit_code == 6);
  CHECK(std::filesystem::exists(place.run("run") + "/checkpoint"));
}

TEST_CASE("fastnn-train: SIGUSR2 saves and the run goes on") {
  const Workplace place;
  const auto run = act_during(
      place.train_command("run", kEndless), place.run("log"), "step 10:",
      fmt::format(
          "kill -USR2 $pid; for i in $(seq 600); do test -e {}/checkpoint && break; sleep 0.05; done; "
          "echo noted $(ls {} | grep -c ckpt.*index); kill -TERM $pid",
          place.run("run"), place.run("run")));
  CHECK(run.exit_code == 6);
  CHECK(contains(run, "noted 1"));
}

TEST_CASE("fastnn-train: a signal that was ignored from the start stays ignored, as under nohup") {
  const Workplace place;
  const auto run =
      act_during("trap \"\" HUP; " + place.train_command("run", "--stop_at_step=400 --threads=1"),
                 place.run("log"), "step 10:", "kill -HUP $pid");
  CHECK(run.exit_code == 0);
  CHECK(contains(run, "step 400:"));
}

TEST_CASE(
    "fastnn-train: a reader that leaves does not end the run, whose log file says so and has the rest") {
  const Workplace place;
  const auto run = run_command("bash -c 'set -o pipefail; " +
                               place.train_command("run", "--stop_at_step=30") + " | head -n 3'");
  CHECK(run.exit_code == 0);
  CHECK(std::filesystem::exists(place.run("run") + "/model.ckpt-30.index"));
  const std::string log = log_of(place, "run");
  INFO(log);
  CHECK(log.find("the output can no longer be written (Broken pipe)") != std::string::npos);
  CHECK(log.find("step 30:") != std::string::npos);
}

TEST_CASE("fastnn-train: a log program that dies by the same Ctrl-C does not keep the run from saving") {
  const Workplace place;
  const auto run = act_during("set -m; { trap : INT; " + place.train_command("run", kEndless) +
                                  "; echo code $? >" + place.run("code") + "; } | tee " + place.run("tee"),
                              place.run("log"), "step 10:", "kill -INT -$(jobs -p)");
  CHECK(bytes_of(place.run("code")) == "code 6\n");
  CHECK(std::filesystem::exists(place.run("run") + "/checkpoint"));
}

TEST_CASE("fastnn-train: started without a standard output, it trains and writes into no other file") {
  const Workplace place;
  CHECK(run_command(place.train_command("run", "--stop_at_step=20") + " >&- 2>&-").exit_code == 0);
  CHECK(place.evaluate("run", "").exit_code == 0);
  CHECK(log_of(place, "run").find("step 20:") != std::string::npos);
}

TEST_CASE("fastnn-train: a file-size limit is a failed write with code 4 that leaves nothing half written") {
  const Workplace place;
  const auto failed =
      run_command("ulimit -f 1000; " + place.train_command("run", "--stop_at_step=2") + " 2>&1");
  CHECK(failed.exit_code == 4);
  CHECK(contains(failed, "File too large"));
  CHECK(run_command("ls " + place.run("run") + " | grep -c writing").output == "0\n");
}

TEST_CASE(
    "fastnn-train: divergence has a code of its own, names the step and no checkpoint that is not there") {
  const Workplace place;
  const auto diverged = place.train("run", "--stop_at_step=50 --learning_rate=1e30");
  CHECK(diverged.exit_code == 7);
  CHECK(contains(diverged, "the model diverged in step"));
  CHECK(contains(diverged, "there is no checkpoint in " + place.run("run")));
}

TEST_CASE("fastnn-train: divergence names the newest checkpoint where there is one") {
  const Workplace place;
  const auto diverged =
      place.train("run", "--stop_at_step=50 --learning_rate=1e30 --save_checkpoints_steps=1");
  CHECK(diverged.exit_code == 7);
  CHECK(contains(diverged, "is from before"));
}

TEST_CASE("fastnn-train: a loss that stays beyond all sense is one warning, and the run goes on") {
  const Workplace place;
  const auto run = place.train("run",
                               "--stop_at_step=24 --learning_rate=1e6 --optimizer=rmsprop --batch_size=4 "
                               "--log_loss_every_n_iters=1 --weight_decay=0");
  CHECK(run.exit_code == 0);
  const std::string warning = "the model has diverged: in the last 20 logged steps";
  CHECK(contains(run, warning));
  const auto first = run.output.find(warning);
  CHECK(run.output.find(warning, first + 1) == std::string::npos);
}

TEST_CASE("fastnn-eval: SIGTERM ends it with code 6 and says that there is no result") {
  const Workplace place;
  REQUIRE(place.train("run", "--stop_at_step=2").exit_code == 0);
  const auto stopped = act_during(place.evaluate_command("run", "--batch_size=1 --device=reference"),
                                  place.run("log"), "weights:", "kill -TERM $pid");
  CHECK(stopped.exit_code == 6);
  CHECK(contains(stopped, "stopped by SIGTERM after"));
  CHECK(contains(stopped, "of 96 samples: no result"));
}

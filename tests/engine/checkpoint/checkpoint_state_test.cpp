#include "engine/checkpoint/checkpoint_state.h"

#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/error.h"
#include "engine/checkpoint/bundle_reader.h"
#include "engine/checkpoint/quoted.h"
#include "tests/engine/checkpoint/bundles.h"
#include "tests/engine/checkpoint/temporary_folder.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;
using Catch::Matchers::Contains;

namespace {

class Lines final : public Log {
 public:
  void info(std::string_view line) override { text_ += std::string(line) + "\n"; }
  void warning(std::string_view line) override { text_ += std::string(line) + "\n"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string saved(const TemporaryFolder& folder, int step) {
  const std::string name = "model.ckpt-" + std::to_string(step);
  save(folder / name, filled(10, static_cast<float>(step)));
  return name;
}

void truncate_data(const TemporaryFolder& folder, int step) {
  std::filesystem::resize_file(folder / ("model.ckpt-" + std::to_string(step) + ".data-00000-of-00001"), 3);
}

std::string latest_name(const TemporaryFolder& folder, Log& log) {
  const auto latest = latest_checkpoint(folder.path(), log);
  return latest ? latest->filename().string() : "none";
}

std::set<int> steps_in(const TemporaryFolder& folder) {
  std::set<int> steps;
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    if (const auto step = step_of(file.path().stem())) steps.insert(static_cast<int>(*step));
  return steps;
}

}  // namespace

TEST_CASE("golden checkpoint state: TensorFlow's file is read and written byte for byte") {
  if (!has_golden("checkpoints/checkpoints.json")) return;
  const auto description = golden_json("checkpoints/checkpoints.json");
  for (const auto& checkpoint : description["checkpoints"]) {
    const auto golden = golden_dir() / "checkpoints" / checkpoint["directory"].get<std::string>();
    INFO(golden);
    const std::string prefix = checkpoint["prefix"];
    const auto state = read_checkpoint_state(golden);
    REQUIRE(state);
    CHECK(state->model_checkpoint_path == prefix);
    CHECK(state->all_model_checkpoint_paths == std::vector<std::string>{prefix});
    const TemporaryFolder folder;
    write_checkpoint_state(folder.path(), *state);
    CHECK(file_bytes(folder / "checkpoint") == file_bytes(golden / "checkpoint"));
  }
}

TEST_CASE("checkpoint state: quotes, escapes, absolute paths, timestamps and blank lines are understood") {
  const TemporaryFolder folder;
  write_file(folder / "checkpoint",
             "# a comment\n\nmodel_checkpoint_path: \"/a/b \\\"c\\\"-2\"\r\nall_model_checkpoint_paths: "
             "'m\\303\\274\\x41'\n"
             "all_model_checkpoint_timestamps: 1700000000.5\nlast_preserved_timestamp: 1.5\n");
  const auto state = read_checkpoint_state(folder.path());
  REQUIRE(state);
  CHECK(state->model_checkpoint_path == "/a/b \"c\"-2");
  CHECK(state->all_model_checkpoint_paths == std::vector<std::string>{"m\xc3\xbc"
                                                                      "A"});
  write_checkpoint_state(folder.path(), *state);
  const auto again = read_checkpoint_state(folder.path());
  REQUIRE(again);
  CHECK(again->model_checkpoint_path == state->model_checkpoint_path);
  CHECK(again->all_model_checkpoint_paths == state->all_model_checkpoint_paths);
}

TEST_CASE("checkpoint state: a damaged line names file and number") {
  const TemporaryFolder folder;
  const auto message_for = [&](const std::string& text) {
    write_file(folder / "checkpoint", text);
    return message_of<InputError>([&] { read_checkpoint_state(folder.path()); });
  };
  CHECK_THAT(message_for("\nnonsense\n"),
             Contains("checkpoint line 2: expected name: \"path\", got 'nonsense'"));
  CHECK_THAT(message_for("model_checkpoint_path: model\n"), Contains("line 1: expected a quoted path"));
  CHECK_THAT(message_for("model_checkpoint_path: \"\"\n"), Contains("line 1: expected a quoted path"));
}

TEST_CASE("checkpoint state: quoting is undone by unquoting, broken quotes are refused") {
  for (const std::string text : {"", "plain", "a\"b'c\\d\n\t\r", "\x01\x7f\xc3\xbc"})
    CHECK(unquote(quote(text)) == text);
  for (const std::string broken :
       {"", "\"", "a", "\"a", "\"a'", "\"a\"b\"", "\"\\\"", "\"\\q\"", "\"\\777\"", "\"\\x\""})
    CHECK_FALSE(unquote(broken));
}

TEST_CASE("checkpoint state: the step is the number after the last dash") {
  CHECK(step_of("train/model.ckpt-100") == 100);
  CHECK(step_of("a-1/b-20") == 20);
  for (const std::string name :
       {"model.ckpt", "model.ckpt-", "model.ckpt-1x", "model.ckpt-9999999999999999999", "lenet"})
    CHECK_FALSE(step_of(name));
}

TEST_CASE("latest checkpoint: nothing in an empty or missing folder") {
  const TemporaryFolder folder;
  NoLog log;
  CHECK(latest_name(folder, log) == "none");
  CHECK_FALSE(latest_checkpoint(folder / "missing", log));
}

TEST_CASE("latest checkpoint: without a state file the highest step counts, as a number") {
  const TemporaryFolder folder;
  NoLog log;
  for (const int step : {9, 100, 20}) saved(folder, step);
  CHECK(latest_name(folder, log) == "model.ckpt-100");
}

TEST_CASE("latest checkpoint: an invalid newest is skipped, the log names it and why") {
  const TemporaryFolder folder;
  Lines log;
  for (const int step : {100, 200, 300}) keep_checkpoint(folder / saved(folder, step), {}, log);
  truncate_data(folder, 300);
  std::filesystem::remove(folder / "model.ckpt-200.data-00000-of-00001");
  CHECK(latest_name(folder, log) == "model.ckpt-100");
  CHECK_THAT(log.text(), Contains("skipping the checkpoint") && Contains("model.ckpt-300") &&
                             Contains("is truncated") && Contains("shard 0 of 1 is missing"));
}

TEST_CASE("latest checkpoint: if none is valid it is an input error, not a fresh start") {
  const TemporaryFolder folder;
  Lines log;
  saved(folder, 100);
  truncate_data(folder, 100);
  CHECK_THAT(message_of<InputError>([&] { latest_checkpoint(folder.path(), log); }),
             Contains("none of the 1 checkpoints") && Contains("is valid"));
}

TEST_CASE("latest checkpoint: a save that was not noted any more is found") {
  const TemporaryFolder folder;
  NoLog log;
  keep_checkpoint(folder / saved(folder, 100), {}, log);
  saved(folder, 200);
  CHECK(latest_name(folder, log) == "model.ckpt-200");
}

TEST_CASE("latest checkpoint: the state file's choice rules among those it names") {
  const TemporaryFolder folder;
  NoLog log;
  for (const int step : {100, 200}) saved(folder, step);
  write_checkpoint_state(folder.path(), {.model_checkpoint_path = "model.ckpt-100",
                                         .all_model_checkpoint_paths = {"model.ckpt-100", "model.ckpt-200"}});
  CHECK(latest_name(folder, log) == "model.ckpt-100");
}

TEST_CASE("latest checkpoint: paths of another machine and names without a step are found by name") {
  const TemporaryFolder folder;
  NoLog log;
  save(folder / "lenet", filled(3, 1));
  write_checkpoint_state(folder.path(), {.model_checkpoint_path = "/elsewhere/run/lenet",
                                         .all_model_checkpoint_paths = {"/elsewhere/run/lenet"}});
  CHECK(latest_name(folder, log) == "lenet");
}

TEST_CASE("latest checkpoint: a damaged or stale state file is passed over") {
  const TemporaryFolder folder;
  Lines log;
  saved(folder, 100);
  write_file(folder / "checkpoint", "garbage");
  CHECK(latest_name(folder, log) == "model.ckpt-100");
  CHECK_THAT(log.text(), Contains("looking at the files of the folder instead"));
  write_checkpoint_state(folder.path(),
                         {.model_checkpoint_path = "model.ckpt-999", .all_model_checkpoint_paths = {}});
  CHECK(latest_name(folder, log) == "model.ckpt-100");
}

TEST_CASE("keep checkpoint: the oldest go, the newest stay, the state file says so") {
  const TemporaryFolder folder;
  NoLog log;
  for (int step = 1; step <= 7; ++step)
    keep_checkpoint(folder / saved(folder, step), {.max_to_keep = 3}, log);
  CHECK(steps_in(folder) == std::set<int>{5, 6, 7});
  CHECK_FALSE(std::filesystem::exists(folder / "model.ckpt-4.data-00000-of-00001"));
  const auto state = read_checkpoint_state(folder.path());
  REQUIRE(state);
  CHECK(state->model_checkpoint_path == "model.ckpt-7");
  CHECK(state->all_model_checkpoint_paths ==
        std::vector<std::string>{"model.ckpt-5", "model.ckpt-6", "model.ckpt-7"});
}

TEST_CASE("keep checkpoint: five are kept unless told otherwise, zero keeps all") {
  const TemporaryFolder five, all;
  NoLog log;
  for (int step = 1; step <= 7; ++step) {
    keep_checkpoint(five / saved(five, step), {}, log);
    keep_checkpoint(all / saved(all, step), {.max_to_keep = 0}, log);
  }
  CHECK(steps_in(five).size() == 5);
  CHECK(steps_in(all).size() == 7);
  CHECK_THROWS_AS(keep_checkpoint(all / "model.ckpt-7", {.max_to_keep = -1}, log), UsageError);
}

TEST_CASE("keep checkpoint: nothing is deleted while the new one is not complete") {
  const TemporaryFolder folder;
  NoLog log;
  keep_checkpoint(folder / saved(folder, 1), {.max_to_keep = 1}, log);
  saved(folder, 2);
  truncate_data(folder, 2);
  CHECK_THROWS_AS(keep_checkpoint(folder / "model.ckpt-2", {.max_to_keep = 1}, log), InputError);
  CHECK(latest_name(folder, log) == "model.ckpt-1");
}

TEST_CASE("keep checkpoint: files it did not note stay, temporaries of dead saves go") {
  const TemporaryFolder folder;
  NoLog log;
  saved(folder, 50);
  write_file(folder / "model.ckpt-60.data-00000-of-00001.writing", "half");
  write_file(folder / "model.ckpt-1.index.replaced", "old");
  for (const int step : {1, 10}) keep_checkpoint(folder / saved(folder, step), {.max_to_keep = 1}, log);
  CHECK(steps_in(folder) == std::set<int>{10, 50});
  CHECK_FALSE(std::filesystem::exists(folder / "model.ckpt-60.data-00000-of-00001.writing"));
  CHECK_FALSE(std::filesystem::exists(folder / "model.ckpt-1.index.replaced"));
}

TEST_CASE("keep checkpoint: what cannot be deleted is a warning") {
  const TemporaryFolder folder;
  Lines log;
  keep_checkpoint(folder / saved(folder, 1), {.max_to_keep = 1}, log);
  std::filesystem::create_directories(folder / "model.ckpt-1.data-extra/inner");
  keep_checkpoint(folder / saved(folder, 2), {.max_to_keep = 1}, log);
  CHECK_THAT(log.text(), Contains("cannot delete") && Contains("model.ckpt-1.data-extra"));
}

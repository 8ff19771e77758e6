#include "engine/checkpoint/bundle_writer.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <limits>
#include <set>
#include <vector>

#include "engine/checkpoint/bundle_reader.h"
#include "tests/engine/checkpoint/bundles.h"
#include "tests/engine/checkpoint/index_tables.h"
#include "tests/engine/checkpoint/temporary_folder.h"
#include "tests/support/catch.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

constexpr BundleWriteStep kSteps[] = {
    BundleWriteStep::write_data,   BundleWriteStep::sync_data,      BundleWriteStep::write_index,
    BundleWriteStep::sync_index,   BundleWriteStep::set_old_aside,  BundleWriteStep::rename_data,
    BundleWriteStep::rename_index, BundleWriteStep::sync_directory, BundleWriteStep::drop_old,
};

std::set<std::string> names_in(const TemporaryFolder& folder) {
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    names.insert(file.path().filename().string());
  return names;
}

void save_with(const std::filesystem::path& prefix, float value,
               std::function<void(BundleWriteStep)> before_step) {
  BundleWriter writer(prefix, {.before_step = std::move(before_step)});
  writer.add("w", filled(1000, value).at("w"));
  writer.finish();
}

float first_value(const std::filesystem::path& prefix) {
  const Tensor tensor = BundleReader(prefix).read("w");
  return tensor.values<float>()[0];
}

// Runs the call in a child; its exit status.
template <class Call>
int in_child(Call call) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) ::_exit(call());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("bundle writer: all types, scalars, empty tensors and odd names make the round trip") {
  std::map<std::string, Tensor> tensors = small_tensors();
  const std::vector<float> odd = {std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::infinity(), -0.0F,
                                  std::numeric_limits<float>::denorm_min()};
  tensors.emplace("odd values", Tensor::of<float>({4}, odd));
  tensors.emplace("\xc3\xbc/empty", Tensor(Dtype::f32, {0, 3}));
  tensors.emplace("bytes", Tensor(Dtype::u8, {1, 2, 3, 1, 1, 2}));
  tensors.emplace(std::string("a\0b", 3), Tensor(Dtype::s32, {5}));
  const TemporaryFolder folder;
  save(folder / "model.ckpt-1", tensors);
  const BundleReader bundle(folder / "model.ckpt-1");
  REQUIRE(bundle.entries().size() == tensors.size());
  for (const auto& [name, tensor] : tensors) {
    INFO(name);
    const Tensor back = bundle.read(name);
    CHECK(back.dtype() == tensor.dtype());
    CHECK(back.shape() == tensor.shape());
    CHECK(std::ranges::equal(back.bytes(), tensor.bytes()));
  }
  CHECK(names_in(folder) == std::set<std::string>{"model.ckpt-1.index", "model.ckpt-1.data-00000-of-00001"});
}

TEST_CASE("bundle writer: a bundle without tensors is valid") {
  const TemporaryFolder folder;
  save(folder / "empty", {});
  CHECK(BundleReader(folder / "empty").entries().empty());
}

TEST_CASE("bundle writer: an index of several blocks is read back") {
  std::map<std::string, Tensor> tensors;
  for (int i = 0; i < 10000; ++i)
    tensors.emplace("a/rather/long/scope/number/" + std::to_string(i) + "/weights", Tensor(Dtype::u8, {1}));
  const TemporaryFolder folder;
  save(folder / "many", tensors);
  CHECK(file_bytes(folder / "many.index").size() > 262144);
  CHECK(BundleReader(folder / "many").entries().size() == 10000);
}

TEST_CASE("bundle writer: a second tensor of the same name and names TensorFlow keeps are refused") {
  BundleWriter writer("unused");
  writer.add("w", Tensor());
  CHECK(message_of<UsageError>([&] { writer.add("w", Tensor()); }).find("'w' was added to unused before") !=
        std::string::npos);
  CHECK(message_of<UsageError>([&] { writer.add("", Tensor()); }).find("must not be empty") !=
        std::string::npos);
  CHECK_THROWS_AS(writer.add(std::string("\0x", 2), Tensor()), UsageError);
}

TEST_CASE("bundle writer: a missing folder names the file, the bytes and the reason") {
  const TemporaryFolder folder;
  const auto message = message_of<EnvironmentError>([&] { save(folder / "no/such", filled(1000, 1)); });
  CHECK(message.find("no/such.data-00000-of-00001.writing: 4000 bytes wanted, 0 written: No such file") !=
        std::string::npos);
}

TEST_CASE("bundle writer: a failure at any step leaves the folder as it was") {
  for (const bool same_prefix : {true, false})
    for (const BundleWriteStep failing : kSteps) {
      const TemporaryFolder folder;
      save(folder / "old", filled(1000, 1));
      const auto before = names_in(folder);
      INFO("step " << static_cast<int>(failing) << ", same prefix " << same_prefix);
      CHECK_THROWS_AS(save_with(folder / (same_prefix ? "old" : "new"), 2,
                                [&](BundleWriteStep step) {
                                  if (step == failing) throw std::runtime_error("fault");
                                }),
                      std::runtime_error);
      CHECK(names_in(folder) == before);
      CHECK(first_value(folder / "old") == 1);
    }
}

TEST_CASE("bundle writer: a rename the system refuses is reported and undone") {
  const TemporaryFolder folder;
  save(folder / "old", filled(1000, 1));
  const auto message = message_of<EnvironmentError>([&] {
    save_with(folder / "new", 2, [&](BundleWriteStep step) {
      if (step == BundleWriteStep::rename_index) std::filesystem::create_directory(folder / "new.index");
    });
  });
  CHECK(message.find("cannot rename to its final name") != std::string::npos);
  CHECK(message.find("Is a directory") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder / "new.data-00000-of-00001"));
  CHECK(first_value(folder / "old") == 1);
}

TEST_CASE("bundle writer: a process killed at any step leaves the previous checkpoint and no half one") {
  for (const BundleWriteStep fatal : kSteps) {
    const TemporaryFolder folder;
    save(folder / "old", filled(1000, 1));
    const int status = in_child([&] {
      save_with(folder / "new", 2, [&](BundleWriteStep step) {
        if (step == fatal) ::_exit(9);
      });
      return 0;
    });
    INFO("step " << static_cast<int>(fatal));
    CHECK(status == 9);
    CHECK(first_value(folder / "old") == 1);
    const bool placed = fatal >= BundleWriteStep::sync_directory;
    CHECK(std::filesystem::exists(folder / "new.index") == placed);
    if (placed) CHECK(first_value(folder / "new") == 2);
  }
}

TEST_CASE("bundle writer: a kill while the same prefix is replaced never leaves an index with other data") {
  for (const BundleWriteStep fatal : kSteps) {
    const TemporaryFolder folder;
    save(folder / "x", filled(1000, 1));
    in_child([&] {
      save_with(folder / "x", 2, [&](BundleWriteStep step) {
        if (step == fatal) ::_exit(9);
      });
      return 0;
    });
    INFO("step " << static_cast<int>(fatal));
    const bool changing = fatal == BundleWriteStep::rename_data || fatal == BundleWriteStep::rename_index;
    CHECK(std::filesystem::exists(folder / "x.index") == !changing);
    if (!changing) CHECK(first_value(folder / "x") == (fatal <= BundleWriteStep::set_old_aside ? 1 : 2));
  }
}

TEST_CASE(
    "bundle writer: a full disk is an environment error with bytes and reason, nothing is lost or left") {
  const TemporaryFolder folder;
  save(folder / "old", filled(1000, 1));
  const auto before = names_in(folder);
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    const auto message = message_of<EnvironmentError>([&] { save(folder / "new", filled(5 << 18, 2)); });
    const bool told =
        message.find("5242880 bytes wanted, 1048576 written: File too large (errno 27)") != std::string::npos;
    return told ? 0 : 2;
  });
  CHECK(status == 0);
  CHECK(names_in(folder) == before);
  CHECK(first_value(folder / "old") == 1);
}

TEST_CASE("bundle writer: a device without space says so") {
  if (::access("/dev/full", W_OK) != 0) {
    WARN("skipped: no /dev/full");
    return;
  }
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "x.data-00000-of-00001.writing");
  const auto message = message_of<EnvironmentError>([&] { save(folder / "x", filled(1000, 1)); });
  CHECK(message.find("No space left on device") != std::string::npos);
  CHECK(names_in(folder).empty());
}

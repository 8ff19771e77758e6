#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/base/crc32c.h"
#include "engine/checkpoint/bundle_reader.h"
#include "tests/engine/checkpoint/bundles.h"
#include "tests/engine/checkpoint/temporary_folder.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

void unpack(const std::filesystem::path& from, const std::filesystem::path& to) {
  gzFile file = gzopen(from.c_str(), "rb");
  REQUIRE(file != nullptr);
  std::string bytes, buffer(1 << 20, '\0');
  for (int got; (got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;)
    bytes.append(buffer, 0, static_cast<std::size_t>(got));
  REQUIRE(gzclose(file) == Z_OK);
  write_file(to, bytes);
}

// The checkpoint's files in a folder of our own, unpacked.
void copy_unpacked(const std::filesystem::path& from, const TemporaryFolder& to) {
  for (const auto& file : std::filesystem::directory_iterator(from))
    if (file.path().extension() == ".gz")
      unpack(file.path(), to / file.path().stem().string());
    else
      std::filesystem::copy_file(file.path(), to / file.path().filename().string());
}

void check_values(const Tensor& tensor, const nlohmann::json& first4) {
  const Tensor values = tensor.as(Dtype::f64);
  for (std::size_t i = 0; i < first4.size(); ++i)
    if (first4[i].is_number())
      CHECK(values.values<double>()[i] == first4[i].get<double>());
    else
      CHECK(!std::isfinite(values.values<double>()[i]));
}

bool is_readable(const BundleEntry& entry) {
  return entry.dtype() && entry.extents.size() <= Shape::kMaxRank;
}

void check_variable(const BundleReader& bundle, const std::string& name, const nlohmann::json& expected) {
  INFO(bundle.prefix() << " " << name);
  REQUIRE(bundle.contains(name));
  const BundleEntry& entry = bundle.entries().at(name);
  CHECK(entry.extents == expected["shape"].get<std::vector<std::int64_t>>());
  const std::string type = expected["dtype"];
  if (type == "string") {
    CHECK(entry.type_name() == "string");
    return;
  }
  const auto crc = static_cast<std::uint32_t>(std::stoul(expected["crc32c"].get<std::string>(), nullptr, 16));
  if (entry.slices.empty()) CHECK(entry.crc == crc);
  if (!is_readable(entry)) return;
  const Tensor tensor = bundle.read(name);
  CHECK(crc32c(std::as_const(tensor).bytes()) == crc);
  CHECK(tensor.shape() == Shape(entry.extents));
  check_values(tensor, expected["first4"]);
}

const std::map<std::string, Dtype> kNumpyNames = {{"float32", Dtype::f32},
                                                  {"float64", Dtype::f64},
                                                  {"int32", Dtype::s32},
                                                  {"int64", Dtype::s64},
                                                  {"uint8", Dtype::u8}};

enum class Layout { any, one_plain_file };

/// checkpoints.json: the V2 checkpoints, or only those of one data file, unpacked and of whole variables;
/// none where the golden folder lacks them.
std::vector<nlohmann::json> golden_bundles(Layout layout) {
  if (!has_golden("checkpoints/checkpoints.json")) return {};
  const auto golden = golden_json("checkpoints/checkpoints.json");
  std::vector<nlohmann::json> bundles;
  for (const auto& checkpoint : golden["checkpoints"]) {
    const std::string format = checkpoint["format"];
    const bool plain = format == "v2" && !checkpoint.contains("stored") && !checkpoint.contains("partitions");
    if (layout == Layout::any ? format.starts_with("v2") : plain) bundles.push_back(checkpoint);
  }
  CHECK_FALSE(bundles.empty());
  return bundles;
}

std::filesystem::path prefix_of(const nlohmann::json& checkpoint) {
  return golden_dir() / "checkpoints" / checkpoint["directory"].get<std::string>() /
         checkpoint["prefix"].get<std::string>();
}

bool is_readable(const BundleReader& bundle) {
  return std::ranges::all_of(bundle.entries(), [](const auto& entry) { return is_readable(entry.second); });
}

std::filesystem::path real_checkpoints() {
  const auto folder = data_dir();
  if (folder.empty()) WARN("skipped: no folder of real data; set FASTNN_DATA_DIR");
  return folder.empty() ? folder : folder / "checkpoints";
}

}  // namespace

TEST_CASE(
    "golden bundle: every V2 checkpoint has the names, shapes, checksums and first values of "
    "checkpoints.json") {
  for (const auto& checkpoint : golden_bundles(Layout::any)) {
    const TemporaryFolder unpacked;
    copy_unpacked(prefix_of(checkpoint).parent_path(), unpacked);
    const BundleReader bundle(unpacked / checkpoint["prefix"].get<std::string>());
    const auto& variables = checkpoint["variables"];
    CHECK(bundle.entries().size() == variables.size());
    for (const auto& [name, expected] : variables.items()) check_variable(bundle, name, expected);
  }
}

TEST_CASE("golden bundle: the types of variables are the engine's or unsupported") {
  for (const auto& checkpoint : golden_bundles(Layout::one_plain_file)) {
    const BundleReader bundle(prefix_of(checkpoint));
    for (const auto& [name, expected] : checkpoint["variables"].items()) {
      INFO(name);
      const auto known = kNumpyNames.find(expected["dtype"].get<std::string>());
      const auto dtype = bundle.entries().at(name).dtype();
      CHECK(dtype.has_value() == (known != kNumpyNames.end()));
      if (dtype) CHECK(*dtype == known->second);
    }
  }
}

TEST_CASE("bundle: a type the engine has not is named when asked for") {
  const BundleReader bundle(sample_dir() / "checkpoints/dtypes_v2/dtypes");
  for (const std::string name : {"string", "half", "complex64", "bool", "int16", "int8"}) {
    const auto message = message_of<InputError>([&] { bundle.read(name); });
    CHECK(message.find("is of type " + name + "; readable are float, double") != std::string::npos);
  }
  CHECK(message_of<InputError>([&] { bundle.read("bf16"); }).find("bfloat16") != std::string::npos);
  CHECK(message_of<InputError>([&] { bundle.read("r7"); }).find("at most 6 dimensions") != std::string::npos);
}

TEST_CASE("golden bundle: partitioned variables equal the formula over the whole tensor") {
  for (const auto& checkpoint : golden_bundles(Layout::any)) {
    if (!checkpoint.contains("partitions")) continue;
    const std::string salt = golden_json("checkpoints/checkpoints.json")["salt"];
    const BundleReader bundle(prefix_of(checkpoint));
    for (const auto& [name, partitions] : checkpoint["partitions"].items()) {
      INFO(name << " in " << partitions);
      const Tensor tensor = bundle.read(name);
      const auto expected = golden_values(salt + name, tensor.elements());
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(tensor.values<float>()[i] == static_cast<float>(0.1 * expected[i]));
    }
  }
}

TEST_CASE("golden bundle: what the writer writes is byte for byte what TensorFlow wrote") {
  const TemporaryFolder folder;
  save(folder / "model.ckpt-100", small_tensors());
  const auto golden = sample_dir() / "checkpoints/small_v2";
  for (const std::string file : {"model.ckpt-100.index", "model.ckpt-100.data-00000-of-00001"}) {
    INFO(file);
    CHECK(file_bytes(folder / file) == file_bytes(golden / file));
  }
}

TEST_CASE("golden bundle: a checkpoint read and written again is byte for byte the same") {
  int compared = 0;
  for (const auto& checkpoint : golden_bundles(Layout::one_plain_file)) {
    const auto prefix = prefix_of(checkpoint);
    const BundleReader bundle(prefix);
    if (!is_readable(bundle)) continue;
    std::map<std::string, Tensor> tensors;
    for (const auto& [name, entry] : bundle.entries()) tensors.emplace(name, bundle.read(name));
    const TemporaryFolder folder;
    save(folder / "copy", tensors);
    for (const std::string part : {".index", ".data-00000-of-00001"}) {
      INFO(prefix << part);
      CHECK((file_bytes(folder / ("copy" + part)) == file_bytes(prefix.string() + part)));
    }
    ++compared;
  }
  CHECK((compared > 0 || golden_bundles(Layout::one_plain_file).empty()));
}

TEST_CASE("bundle: a V1 checkpoint is told apart") {
  const auto prefix = sample_dir() / "checkpoints/small_v1/model.ckpt-100";
  const auto message = message_of<InputError>([&] { BundleReader{prefix}; });
  CHECK(message.find("one table file, as a TensorFlow V1 checkpoint is") != std::string::npos);
  const TemporaryFolder folder;
  std::filesystem::copy_file(prefix, folder / "x.index");
  CHECK(message_of<InputError>([&] {
          BundleReader{folder / "x"};
        }).find("is it a TensorFlow V1 checkpoint?") != std::string::npos);
}

TEST_CASE("bundle: real checkpoints of others are read, every checksum right") {
  const auto folder = real_checkpoints();
  if (folder.empty()) return;
  const std::map<std::string, std::size_t> entries = {
      {"v2_classic-lenet5/lenet", 26},
      {"v2_contrib_framework/bundle_checkpoint", 2},
      {"v2_old_string_tensors/foo", 4},
      {"v2_tf_tensorrt_mnist_snappy_index/model.ckpt-46900", 27},
  };
  for (const auto& [prefix, count] : entries) {
    INFO(prefix);
    const BundleReader bundle(folder / prefix);
    CHECK(bundle.entries().size() == count);
    for (const auto& [name, entry] : bundle.entries())
      if (entry.dtype()) CHECK(bundle.read(name).elements() == *elements_of(entry.extents));
  }
}

TEST_CASE("bundle: old string tensors are listed, the floats beside them read") {
  const auto folder = real_checkpoints();
  if (folder.empty()) return;
  const BundleReader bundle(folder / "v2_old_string_tensors/foo");
  CHECK(bundle.entries().at("string_tensor").type_name() == "string");
  CHECK_FALSE(bundle.entries().at("scalar").dtype());
  CHECK(bundle.read("floats").shape() == Shape{2, 3});
}

TEST_CASE("bundle: a safetensors file is told apart") {
  const auto folder = real_checkpoints();
  if (folder.empty()) return;
  const auto message =
      message_of<InputError>([&] { BundleReader{folder / "safetensors_dfdx/mnist.safetensors"}; });
  CHECK(message.find("mnist.safetensors is a safetensors file") != std::string::npos);
}

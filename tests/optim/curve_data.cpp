#include "tests/optim/curve_data.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

#include "data/datasets/image_example.h"
#include "data/images/encoded_image.h"
#include "data/preprocess/preprocessing.h"
#include "data/records/record_file.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/golden_net.h"
#include "tests/support/run_command.h"

namespace fastnn::tests {
namespace {

using nlohmann::json;

/// Samples first .. last.
struct Range {
  std::size_t first;
  std::size_t last;
};

/// The numbers A and B of "... A..B ...".
Range range_in(const std::string& text) {
  std::smatch match;
  REQUIRE(std::regex_search(text, match, std::regex(R"((\d+)\.\.(\d+))")));
  return {std::stoul(match[1]), std::stoul(match[2])};
}

class Samples {
 public:
  Samples(const std::string& preprocessing, std::int64_t image_size)
      : preprocessing_(make_preprocessing(
            preprocessing, {.mode = PreprocessingMode::evaluation,
                            .output = {static_cast<int>(image_size), static_cast<int>(image_size), 3}})) {
    data.shape = preprocessing_->output();
  }

  void add(const ImageSource& image, std::int64_t label) {
    const std::size_t first = data.pixels.size();
    data.pixels.resize(first + data.shape.elements());
    preprocessing_->run(image, {}, std::span(data.pixels).subspan(first));
    data.labels.push_back(static_cast<std::int32_t>(label));
  }

  void add(std::span<const std::byte> encoded, std::int64_t label) {
    const EncodedImage image(encoded, {.jpeg_dct = JpegDct::fast});
    add(EncodedSource(image), label);
  }

  CurveData data;

 private:
  std::unique_ptr<Preprocessing> preprocessing_;
};

/// The first bytes of what a gzip file holds.
std::vector<std::uint8_t> unpacked(const std::filesystem::path& path, std::size_t count) {
  const gzFile file = gzopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  std::vector<std::uint8_t> bytes(count);
  const int got = gzread(file, bytes.data(), static_cast<unsigned>(count));
  gzclose(file);
  REQUIRE(got == static_cast<int>(count));
  return bytes;
}

CurveData mnist(const std::filesystem::path& folder, const json& run) {
  constexpr std::size_t kImageHeader = 16, kLabelHeader = 8, kPixels = 28 * 28;
  const Range range = range_in(run["data"]);
  const std::size_t count = range.last + 1;
  const auto pixels = unpacked(folder / "train-images-idx3-ubyte.gz", kImageHeader + count * kPixels);
  const auto labels = unpacked(folder / "train-labels-idx1-ubyte.gz", kLabelHeader + count);
  Samples samples("lenet", run["image_size"]);
  for (std::size_t i = range.first; i < count; ++i) {
    Image image(28, 28, 3);
    for (std::size_t p = 0; p < kPixels * 3; ++p)
      image.pixels()[p] = pixels[kImageHeader + i * kPixels + p / 3];
    samples.add(PixelSource(image), labels[kLabelHeader + i]);
  }
  return std::move(samples.data);
}

constexpr std::array kCifarClasses = {"airplane", "automobile", "bird",  "cat",  "deer",
                                      "dog",      "frog",       "horse", "ship", "truck"};

/// "train/CLASS/NNNN.jpg" of a sample in the order of the curves: by file name, then by class.
std::string cifar_member(std::size_t i) {
  return fmt::format("train/{}/{:04}.jpg", kCifarClasses[i % 10], i / 10);
}

CurveData cifar(const std::filesystem::path& folder, const json& run) {
  const Range range = range_in(run["data"]);
  const TemporaryFolder unpacked;
  {
    std::ofstream list(unpacked / "members");
    for (std::size_t i = range.first; i <= range.last; ++i) list << cifar_member(i) << '\n';
  }
  const std::string command = fmt::format("tar -xJf {}/cifar10-jpg.tar.xz -C {} -T {} 2>&1", folder.string(),
                                          unpacked.path().string(), (unpacked / "members").string());
  const CommandResult result = run_command(command);
  INFO(command << '\n' << result.output);
  REQUIRE(result.exit_code == 0);
  Samples samples("cifarnet", run["image_size"]);
  for (std::size_t i = range.first; i <= range.last; ++i) {
    std::ifstream file(unpacked / cifar_member(i), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    samples.add(std::as_bytes(std::span(bytes)), static_cast<std::int64_t>(i % 10));
  }
  return std::move(samples.data);
}

/// Nothing where the folder has not the shard that the run names.
std::optional<CurveData> flowers(const std::filesystem::path& folder, const json& run) {
  const std::string text = run["data"];
  std::smatch match;
  REQUIRE(std::regex_search(
      text, match, std::regex(R"(first (\d+) records of (\S+) in file order.*, (\w+) eval preprocessing)")));
  const std::filesystem::path path = folder / match[2].str();
  if (!std::filesystem::exists(path)) {
    WARN("skipped: " << match[2].str() << " is not in " << folder.string());
    return {};
  }
  const RecordFile file(path);
  Samples samples(match[3], run["image_size"]);
  for (std::int64_t i = 0; i < std::stoll(match[1]); ++i) {
    const Record record = file.read(i);
    const Example example(record.payload, record.origin);
    const ImageExample image = parse_image_example(example, {});
    samples.add(image.encoded, image.label);
  }
  return std::move(samples.data);
}

std::optional<CurveData> data_of(const json& run) {
  const std::string text = run["data"];
  if (text.starts_with("MNIST training images")) return mnist(data_dir() / "mnist", run);
  if (text.starts_with("CIFAR archive members")) return cifar(data_dir() / "cifar10", run);
  if (text.find("records of flowers") != std::string::npos) return flowers(data_dir() / "flowers", run);
  throw std::runtime_error("[golden] trajectories.json: unknown data: " + text);
}

void check_first_batch(const CurveData& data, const json& run) {
  const Tensor images = data.images(0, run["batch_size"]);
  const auto values = images.values<float>();
  double sum = 0;
  for (const float value : values) sum += value;
  const json& expected = run["first_batch_check"];
  const double norm = expected["l2norm"];
  const double root = std::sqrt(static_cast<double>(values.size()));
  CHECK(sum / root == Approx(expected["mean"].get<double>() * root).margin(1e-6 * norm));
  CHECK(l2norm(images) == Approx(norm).epsilon(1e-6).margin(0));
  CHECK(projection(images, "p") == Approx(expected["projection_u_p"].get<double>()).margin(1e-6 * norm));
  const Tensor targets = data.targets(0, run["batch_size"]);
  CHECK(std::ranges::equal(targets.values<std::int32_t>(),
                           run["labels_first_batch"].get<std::vector<std::int32_t>>()));
}

}  // namespace

Tensor CurveData::images(std::int64_t step, std::int64_t batch_size) const {
  Tensor result(Dtype::f32, {batch_size, shape.height, shape.width, shape.channels});
  const auto values = result.values<float>();
  const std::size_t each = shape.elements();
  for (std::size_t n = 0; n < static_cast<std::size_t>(batch_size); ++n) {
    const std::size_t sample = (static_cast<std::size_t>(step * batch_size) + n) % labels.size();
    std::copy_n(pixels.begin() + static_cast<std::ptrdiff_t>(sample * each), each,
                values.begin() + static_cast<std::ptrdiff_t>(n * each));
  }
  return result;
}

Tensor CurveData::targets(std::int64_t step, std::int64_t batch_size) const {
  Tensor result(Dtype::s32, {batch_size});
  const auto values = result.values<std::int32_t>();
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = labels[(static_cast<std::size_t>(step * batch_size) + n) % labels.size()];
  return result;
}

std::optional<CurveData> curve_data(const json& run) {
  if (data_dir().empty()) {
    WARN("skipped: no folder of real data; set FASTNN_DATA_DIR");
    return {};
  }
  auto data = data_of(run);
  if (data) check_first_batch(*data, run);
  return data;
}

}  // namespace fastnn::tests

#include "tools/fastnn_data/subcommands.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "data/convert/convert.h"
#include "data/images/png.h"
#include "data/synth/write.h"
#include "data/synth/write_photos.h"
#include "engine/base/error.h"
#include "tools/common/progress.h"
#include "tools/common/write_file.h"
#include "tools/fastnn_data/check.h"
#include "tools/fastnn_data/inspect.h"
#include "tools/fastnn_data/report.h"
#include "tools/fastnn_data/sheet.h"

namespace fastnn::tools {
namespace {

/// Value of a flag for a file that is not wanted.
constexpr std::string_view kNoFile = "none";

constexpr Flag kConvertFlags[] = {
    {"dataset_name", "", "cifar10, mnist, or any name for a folder of class folders (flowers)"},
    {"input_dir", "",
     "folder of the published files (mnist: the four IDX files, plain or .gz; cifar10: the binary version), "
     "or "
     "of class folders, FOLDER/CLASS/*.jpg"},
    {"output_dir", "", "folder of the TFRecord files and labels.txt to write"},
    {"shards", "5", "class folders: TFRecord files of each split"},
    {"validation_samples", "0",
     "class folders: images kept for validation; 0 also where there is a folder train beside validation or "
     "test"},
    {"seed", "0", "class folders: what the mixing of the images depends on"},
    {"skip_bad", "false", "class folders: leave out images that cannot be decoded (true), or fail (false)"},
    {"threads", "0", "class folders: files written at the same time; 0: as many as processors"},
};

constexpr std::string_view kFilesHelp = "comma-separated files, glob patterns and folders of TFRecords";

constexpr Flag kInspectFlags[] = {
    {"files", "", kFilesHelp},
    {"json", kNoFile, "file for the same figures as JSON"},
    {"threads", "0", "0: as many as processors"},
};

constexpr Flag kCheckFlags[] = {
    {"files", "", kFilesHelp},
    {"num_classes", "0",
     "labels must be below it; 0: the lines of labels.txt beside a file, else any from 0"},
    {"json", kNoFile, "file for the faults and counts as JSON"},
    {"threads", "0", "0: as many as processors"},
};

constexpr Flag kShowFlags[] = {
    {"files", "", kFilesHelp},
    {"output", "", "PNG file to write"},
    {"count", "64", "images on the sheet"},
    {"seed", "0", "which images are drawn"},
};

constexpr Flag kSynthFlags[] = {
    {"dataset_name", "shapes",
     "shapes: ten classes to learn; photos: JPEGs of 110 KB that cost a decoder what photographs cost"},
    {"output_dir", "", "folder of the TFRecord files and labels.txt to write"},
    {"train_samples", "10000", "pictures to train on"},
    {"validation_samples", "2000", "pictures to evaluate on"},
    {"seed", "1", "what the pictures depend on"},
};

int small_count(const Arguments& arguments, std::string_view name) {
  constexpr std::int64_t kMost = 1'000'000;
  const std::int64_t count = arguments.count(name);
  if (count > kMost) throw UsageError("--{} must be at most {}, got {}", name, kMost, count);
  return static_cast<int>(count);
}

bool truth(const Arguments& arguments, std::string_view name) {
  const std::string& value = arguments.text(name);
  if (value != "true" && value != "false")
    throw UsageError("--{} must be true or false, got \"{}\"", name, value);
  return value == "true";
}

void report(const std::vector<WrittenFile>& files, std::chrono::duration<double> elapsed, ConsoleLog& log) {
  std::int64_t records = 0, bytes = 0;
  for (const WrittenFile& file : files) {
    log.info(fmt::format("{}: {} records, {} bytes", file.path.string(), file.records, file.bytes));
    records += file.records;
    bytes += file.bytes;
  }
  log.info(fmt::format("wrote {} files and labels.txt: {} records, {} bytes in {:.1f} s", files.size(),
                       records, bytes, elapsed.count()));
}

/// Runs a writer with a progress line, then says what it wrote.
template <class Write>
void write_and_report(Write write, ConsoleLog& log) {
  const auto begin = std::chrono::steady_clock::now();
  std::optional<ProgressLine> line;
  const std::vector<WrittenFile> files = write([&](std::int64_t done, std::int64_t total) {
    if (!line) line.emplace(log, ProgressOptions{.total = total, .step_name = "record"});
    line->update(done);
  });
  line.reset();
  report(files, std::chrono::steady_clock::now() - begin, log);
}

using BadImages = ConvertOptions::BadImages;

void run_convert(const Arguments& arguments, ConsoleLog& log) {
  const ConvertOptions options{.input_dir = arguments.text("input_dir"),
                               .output_dir = arguments.text("output_dir"),
                               .shards = small_count(arguments, "shards"),
                               .validation_samples = arguments.count("validation_samples"),
                               .seed = static_cast<std::uint64_t>(arguments.count("seed")),
                               .bad_images = truth(arguments, "skip_bad") ? BadImages::skip : BadImages::fail,
                               .threads = small_count(arguments, "threads")};
  write_and_report(
      [&](const WriteProgress& progress) {
        return convert_dataset(arguments.text("dataset_name"), options, progress, log);
      },
      log);
}

void run_synth(const Arguments& arguments, ConsoleLog& log) {
  const SynthOptions options{.output_dir = arguments.text("output_dir"),
                             .train_samples = arguments.count("train_samples"),
                             .validation_samples = arguments.count("validation_samples"),
                             .seed = static_cast<std::uint64_t>(arguments.count("seed"))};
  const std::string& name = arguments.text("dataset_name");
  if (name != "shapes" && name != "photos")
    throw UsageError("--dataset_name must be shapes or photos, got \"{}\"", name);
  const auto write = name == "photos" ? write_photos : write_shapes;
  write_and_report([&](const WriteProgress& progress) { return write(options, progress); }, log);
}

void write_json(const Arguments& arguments, const std::string& text) {
  if (arguments.text("json") != kNoFile) write_file(arguments.text("json"), text);
}

void run_inspect(const Arguments& arguments, ConsoleLog& log) {
  const auto files = list_record_files(arguments.text("files"), log);
  const Inspection inspection = inspect_files(files, small_count(arguments, "threads"), log);
  log.info(inspection_text(inspection));
  write_json(arguments, inspection_json(inspection));
}

void run_check(const Arguments& arguments, ConsoleLog& log) {
  const auto files = list_record_files(arguments.text("files"), log);
  const CheckOptions options{.num_classes = arguments.count("num_classes"),
                             .threads = small_count(arguments, "threads")};
  std::optional<ProgressLine> line;
  const CheckResult result = check_files(files, options, log, [&](std::int64_t done, std::int64_t total) {
    if (!line) line.emplace(log, ProgressOptions{.total = total, .step_name = "record"});
    line->update(done);
  });
  line.reset();
  for (const Fault& fault : result.faults) log.info(fault_text(fault));
  write_json(arguments, check_json(result));
  const std::string summary = check_text(result);
  if (!result.faults.empty()) throw InputError("{}", summary);
  log.info(summary);
}

void run_show(const Arguments& arguments, ConsoleLog& log) {
  const auto files = list_record_files(arguments.text("files"), log);
  const SheetOptions options{.count = small_count(arguments, "count"),
                             .seed = static_cast<std::uint64_t>(arguments.count("seed"))};
  const std::vector<std::byte> sheet = encode_png(draw_sheet(files, options, log));
  write_file(arguments.text("output"), {reinterpret_cast<const char*>(sheet.data()), sheet.size()});
  log.info(fmt::format("wrote {}: {} bytes", arguments.text("output"), sheet.size()));
}

constexpr Subcommand kSubcommands[] = {
    {"convert", "turns a data set's published files, or class folders, into TFRecords in TF-Slim's layout",
     kConvertFlags, run_convert},
    {"inspect", "tells what record files hold: features, labels, formats, sizes", kInspectFlags, run_inspect},
    {"check", "verifies every record and image, and names each fault; exit code 3 if there is one",
     kCheckFlags, run_check},
    {"show", "draws images of record files with their labels on one PNG sheet", kShowFlags, run_show},
    {"synth", "draws the sample data sets \"shapes\" and \"photos\": nothing to download", kSynthFlags,
     run_synth},
};

}  // namespace

SubcommandProgram data_program() {
  return {"fastnn-data", kSubcommands};
}

}  // namespace fastnn::tools

#include "tools/fastnn_data/subcommands.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "data/convert/convert.h"
#include "data/synth/write.h"
#include "tools/common/progress.h"

namespace fastnn::tools {
namespace {

constexpr Flag kConvertFlags[] = {
    {"dataset_name", "", "which data set: mnist"},
    {"input_dir", "", "folder of the published files; for mnist the four IDX files, plain or .gz"},
    {"output_dir", "", "folder of the TFRecord files and labels.txt to write"},
};

constexpr Flag kSynthFlags[] = {
    {"output_dir", "", "folder of the TFRecord files and labels.txt to write"},
    {"train_samples", "10000", "pictures to train on"},
    {"validation_samples", "2000", "pictures to evaluate on"},
    {"seed", "1", "what the pictures depend on"},
};

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

void run_convert(const Arguments& arguments, ConsoleLog& log) {
  const ConvertOptions options{.input_dir = arguments.text("input_dir"),
                               .output_dir = arguments.text("output_dir")};
  write_and_report(
      [&](const WriteProgress& progress) {
        return convert_dataset(arguments.text("dataset_name"), options, progress);
      },
      log);
}

void run_synth(const Arguments& arguments, ConsoleLog& log) {
  const SynthOptions options{.output_dir = arguments.text("output_dir"),
                             .train_samples = arguments.count("train_samples"),
                             .validation_samples = arguments.count("validation_samples"),
                             .seed = static_cast<std::uint64_t>(arguments.count("seed"))};
  write_and_report([&](const WriteProgress& progress) { return write_shapes(options, progress); }, log);
}

constexpr Subcommand kSubcommands[] = {
    {"convert", "turns a data set's published files into TFRecords in TF-Slim's layout", kConvertFlags,
     run_convert},
    {"synth", "draws the sample data set \"shapes\": ten classes, nothing to download", kSynthFlags,
     run_synth},
};

}  // namespace

SubcommandProgram data_program() {
  return {"fastnn-data", kSubcommands};
}

}  // namespace fastnn::tools

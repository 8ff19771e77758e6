#include "bench/subcommands.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/flags.h"
#include "bench/input_report.h"
#include "bench/json_report.h"
#include "bench/machine.h"
#include "bench/report.h"
#include "bench/serve.h"
#include "engine/base/error.h"
#include "nets/net_table.h"
#include "tools/common/write_file.h"
#include "tools/parameters/value.h"
#include "version.h"

namespace fastnn::bench {
namespace {

using nlohmann::json;
using tools::Arguments;
using tools::ConsoleLog;
using tools::Flag;

constexpr Flag kImageSize = {"image_size", "auto", "height and width of the images; auto: the net's own"};
constexpr Flag kClasses = {"num_classes", "1000", "classes of the logits"};
constexpr Flag kDtype = {"dtype", "f32",
                         "type of activations: f32, or bf16 where the processor multiplies it"};
constexpr Flag kWindows = {"windows", "5", "windows of which the median is reported"};
constexpr Flag kJson = {"json", "none", "file for the figures with all that they depend on"};

constexpr Flag window_flag(std::string_view milliseconds) {
  return {"window_ms", milliseconds, "least length of a window; warm-up takes 2 to 5 of them"};
}

/// What run_options() reads.
std::vector<Flag> run_flags(Flag model_name) {
  return {model_name,
          trainer_flag("batch_size"),
          trainer_flag("threads", "auto"),
          trainer_flag("device"),
          kImageSize,
          kClasses,
          trainer_flag("optimizer", "momentum"),
          kDtype};
}

std::vector<Flag> net_flags(Flag model_name) {
  auto flags = run_flags(model_name);
  flags.insert(flags.end(), {kWindows, window_flag("1000"), kJson});
  return flags;
}

/// A flag's value; nothing for "none".
std::optional<std::string> file_of(const Arguments& arguments, std::string_view flag) {
  const std::string& text = arguments.text(flag);
  return text == "none" ? std::nullopt : std::optional(text);
}

/// Throws UsageError for a name that is no net's, and for a list without names.
std::vector<std::string> model_names(const std::string& list) {
  std::vector<std::string> names;
  if (list == "all")
    for (const NetEntry& entry : net_table()) names.emplace_back(entry.name);
  else
    names = tools::list_items(list);
  if (names.empty()) throw UsageError("--model_name must name a net, several, or all, got \"{}\"", list);
  for (const std::string& name : names) find_net(name);
  return names;
}

void print(const Lines& lines, ConsoleLog& log) {
  for (const std::string& line : lines) log.info(line);
}

/// The protocol that tells on the terminal how far 'what' is.
ProtocolOptions with_progress(ProtocolOptions protocol, std::string what, ConsoleLog& log) {
  log.transient(what + ": making ready");
  protocol.progress = [what = std::move(what), windows = protocol.windows, &log](int done) {
    log.transient(done == 0 ? what + ": warming up" : fmt::format("{}: window {}/{}", what, done, windows));
  };
  return protocol;
}

/// The figures so far: written after each result, so that a run that is ended keeps what it has.
class JsonFile {
 public:
  JsonFile(const Arguments& arguments, const Device& device, const char* results)
      : file_(file_of(arguments, "json")),
        results_(results),
        report_{{"surroundings", surroundings(device, protocol_of(arguments))}, {results, json::array()}} {
    write();
  }
  void set(const char* key, json value) { report_[key] = std::move(value); }
  void add(json result) {
    report_[results_].push_back(std::move(result));
    write();
  }

 private:
  void write() const {
    if (file_) tools::write_file(*file_, report_.dump(2) + "\n");
  }

  std::optional<std::string> file_;
  const char* results_;
  json report_;
};

void print_machine(const Device& device, ConsoleLog& log) {
  log.info(fmt::format("{} ({}); {}", processor_name(), instruction_sets(), device.description()));
}

void run_nets(const Arguments& arguments, ConsoleLog& log) {
  const auto names = model_names(arguments.text("model_name"));
  const auto protocol = protocol_of(arguments);
  const auto device = device_of(arguments);
  JsonFile file(arguments, *device, "nets");
  print_machine(*device, log);
  for (const std::string& name : names) {
    const NetResult result =
        bench_net(run_options(arguments, name), *device, with_progress(protocol, name, log));
    print(text_of(result), log);
    file.add(to_json(result));
  }
}

void run_step(const Arguments& arguments, ConsoleLog& log) {
  const auto options = run_options(arguments, arguments.text("model_name"));
  const auto protocol = with_progress(protocol_of(arguments), options.model_name, log);
  const auto device = device_of(arguments);
  JsonFile file(arguments, *device, "steps");
  print_machine(*device, log);
  const auto result = bench_step(options, *device, protocol, file_of(arguments, "trace"));
  print(text_of(result), log);
  file.add(to_json(result));
}

void run_serve(const Arguments& arguments, ConsoleLog&) {
  const std::string& phase = arguments.text("phase");
  const std::int64_t steps = arguments.count("steps");
  if (phase != "training" && phase != "inference")
    throw UsageError("--phase must be training or inference, got \"{}\"", phase);
  if (steps < 1) throw UsageError("--steps must be at least 1, got {}", steps);
  const auto options = run_options(arguments, arguments.text("model_name"));
  const auto device = device_of(arguments);
  if (phase == "training") {
    TrainingRun run(options, *device);
    serve_steps([&run] { run.step(); }, steps, std::cin, std::cout);
  } else {
    InferenceRun run(options, *device);
    serve_steps([&run] { run.run(); }, steps, std::cin, std::cout);
  }
}

void run_plan(const Arguments& arguments, ConsoleLog& log) {
  const Machine machine = find_machine(arguments.text("device"));
  const auto names = model_names(arguments.text("model_name"));
  json results = json::array();
  for (const std::string& name : names) {
    log.transient(name + ": making ready");
    const PlanCost result = plan_cost(net_options(arguments, name), machine);
    print(text_of(result), log);
    results.push_back(to_json(result));
  }
  if (const auto file = file_of(arguments, "json"))
    tools::write_file(*file, json{{"fastnn", kVersion}, {"plans", results}}.dump(2) + "\n");
}

void run_kernels(const Arguments& arguments, ConsoleLog& log) {
  const auto cases = kernel_cases(arguments.text("filter") == "all" ? "" : arguments.text("filter"));
  const auto protocol = protocol_of(arguments);
  const auto device = device_of(arguments);
  JsonFile file(arguments, *device, "kernels");
  print_machine(*device, log);
  const MachinePeak peak = measure_peak(with_progress(protocol, "peak", log));
  file.set("peak", to_json(peak));
  log.info(text_of(peak));
  log.info(kernel_head());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string what = fmt::format("{}/{} {}", i + 1, cases.size(), cases[i]->name);
    const KernelResult result = bench_kernel(*cases[i], *device, with_progress(protocol, what, log));
    print(text_of(result, peak), log);
    file.add(to_json(result, peak));
  }
}

std::vector<Flag> input_flags() {
  return {{"files", "", "comma-separated files, glob patterns and folders of TFRecords"},
          {"preprocessing", "inception", "inception, inception_full, vgg, cifarnet or lenet, as in training"},
          {"image_size", "224", "height and width of the images made"},
          trainer_flag("batch_size"),
          {"threads", "1", "threads that read, decode and preprocess"},
          trainer_flag("jpeg_dct"),
          {"serve", "0",
           "batches of a turn: reads lines and answers each with the turn's mean seconds of a batch, "
           "for bench/peers; 0: measures"},
          kWindows,
          window_flag("1000"),
          kJson};
}

InputOptions input_options(const Arguments& arguments) {
  return {.files = arguments.text("files"),
          .preprocessing = arguments.text("preprocessing"),
          .image_size = static_cast<int>(checked_count(arguments, "image_size", "train_image_size")),
          .batch_size = static_cast<int>(checked_count(arguments, "batch_size", "batch_size")),
          .threads = static_cast<int>(checked_count(arguments, "threads", "threads")),
          .jpeg_dct = arguments.text("jpeg_dct") == "fast" ? JpegDct::fast : JpegDct::accurate};
}

void run_input(const Arguments& arguments, ConsoleLog& log) {
  checked_text(arguments, "jpeg_dct", "jpeg_dct");
  const InputOptions options = input_options(arguments);
  const std::int64_t serve = arguments.count("serve");
  if (serve > 0) {
    NoLog quiet;
    InputRun input(options, quiet);
    serve_steps([&input] { input.next(); }, serve, std::cin, std::cout, input.batches_ahead() + 1);
    return;
  }
  const InputResult result =
      bench_input(options, with_progress(protocol_of(arguments), options.preprocessing, log), log);
  print(text_of(result), log);
  if (const auto file = file_of(arguments, "json")) tools::write_file(*file, to_json(result).dump(2) + "\n");
}

std::vector<Flag> step_flags() {
  auto flags = net_flags({"model_name", "lenet", "the net"});
  flags.push_back({"trace", "none", "file for the last step in Chrome's trace format (chrome://tracing)"});
  return flags;
}

std::vector<Flag> serve_flags() {
  auto flags = run_flags({"model_name", "lenet", "the net"});
  flags.push_back({"phase", "training", "what to run: training or inference"});
  flags.push_back({"steps", "1", "steps of a turn"});
  return flags;
}

std::vector<Flag> plan_flags() {
  static const std::string device_help = "the machine whose roof is printed: " + machine_names();
  return {{"model_name", "lenet", "the net, several with commas between them, or all"},
          trainer_flag("batch_size"),
          kImageSize,
          kClasses,
          {"device", "h200", device_help},
          kJson};
}

std::vector<Flag> kernel_flags() {
  return {{"filter", "all", "part of the names of the operations to measure; all: every one"},
          trainer_flag("threads", "auto"),
          trainer_flag("device"),
          kWindows,
          window_flag("100"),
          kJson};
}

}  // namespace

tools::SubcommandProgram bench_program() {
  static const auto nets =
      net_flags({"model_name", "lenet", "the net, several with commas between them, or all"});
  static const auto step = step_flags();
  static const auto plan = plan_flags();
  static const auto serve = serve_flags();
  static const auto kernels = kernel_flags();
  static const auto input = input_flags();
  static const tools::Subcommand subcommands[] = {
      {"nets", "images per second of training and inference, split of a step, memory", nets, run_nets},
      {"step", "where a training step's time goes, by operation kind and implementation", step, run_step},
      {"plan", "launches, bytes and FLOPs of a training step, and a machine's roof; runs nothing", plan,
       run_plan},
      {"serve", "steps on demand: a line in, their seconds out; for bench/peers", serve, run_serve},
      {"input", "images per second of the input, by stage on one core and of all threads", input, run_input},
      {"kernels", "real layers one by one: time, rates, share of this machine's peak", kernels, run_kernels},
  };
  return {"fastnn-bench", subcommands};
}

}  // namespace fastnn::bench

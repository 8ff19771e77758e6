#include "bench/subcommands.h"

#include <nlohmann/json.hpp>

#include "bench/report.h"
#include "engine/core/error.h"
#include "nets/net_table.h"
#include "tools/common/write_file.h"

namespace fastnn::bench {
namespace {

using nlohmann::json;
using tools::Arguments;
using tools::ConsoleLog;
using tools::Flag;

constexpr Flag kNetFlags[] = {
    {"model_name", "lenet", "the net, several with commas between them, or all"},
    {"batch_size", "32", "images of a step"},
    {"threads", "0", "compute threads; 0: one per core"},
    {"device", "auto", "auto, cpu or reference"},
    {"image_size", "0", "height and width of the images; 0: the net's own"},
    {"num_classes", "1000", "classes of the logits"},
    {"optimizer", "momentum", "what the update phase does"},
    {"windows", "5", "windows of which the median is reported"},
    {"window_ms", "1000", "least length of a window, and of the warm-up"},
    {"json", "none", "file for the figures with all that they depend on"},
    {"kinds", "yes", "yes: also the launches of a step by kind and implementation"},
};

std::vector<std::string> model_names(const std::string& list) {
  std::vector<std::string> names;
  if (list == "all") {
    for (const NetEntry& entry : net_table()) names.emplace_back(entry.name);
    return names;
  }
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    find_net(names.back());
    begin = end + 1;
  }
  return names;
}

NetBenchOptions net_options(const Arguments& arguments, std::string model_name) {
  const double window_seconds = 1e-3 * static_cast<double>(arguments.count("window_ms"));
  return {.model_name = std::move(model_name),
          .batch_size = arguments.count("batch_size"),
          .num_classes = arguments.count("num_classes"),
          .image_size = arguments.count("image_size"),
          .optimizer = arguments.text("optimizer"),
          .protocol = {.warm_up_seconds = window_seconds,
                       .window_seconds = window_seconds,
                       .windows = static_cast<int>(arguments.count("windows"))}};
}

bool yes_or_no(const Arguments& arguments, const char* flag) {
  const std::string& text = arguments.text(flag);
  if (text != "yes" && text != "no") throw UsageError("--{} is yes or no, got \"{}\"", flag, text);
  return text == "yes";
}

void print(const std::vector<std::string>& lines, ConsoleLog& log) {
  for (const std::string& line : lines) log.info(line);
}

void run_nets(const Arguments& arguments, ConsoleLog& log) {
  const bool kinds = yes_or_no(arguments, "kinds");
  const auto names = model_names(arguments.text("model_name"));
  const auto device = make_device(arguments.text("device"), static_cast<int>(arguments.count("threads")));
  log.info(fmt::format("{}; {}", device->description(), processor_name()));
  json report = {{"surroundings", surroundings(*device)}, {"nets", json::array()}};
  for (const std::string& name : names) {
    log.transient(fmt::format("{}: measuring", name));
    const NetResult result = bench_net(net_options(arguments, name), *device);
    print(text_of(result), log);
    if (kinds) print(kind_table(result), log);
    report["nets"].push_back(to_json(result));
    if (arguments.text("json") != "none") tools::write_file(arguments.text("json"), report.dump(2) + "\n");
  }
}

constexpr tools::Subcommand kSubcommands[] = {
    {"nets", "images per second of training and inference, and where a step's time goes", kNetFlags,
     run_nets},
};

}  // namespace

tools::SubcommandProgram bench_program() {
  return {"fastnn-bench", kSubcommands};
}

}  // namespace fastnn::bench

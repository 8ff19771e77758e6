#include "bench/flags.h"

#include "engine/base/error.h"
#include "tools/parameters/parameter_table.h"
#include "tools/parameters/value.h"

namespace fastnn::bench {
namespace {

const tools::ParameterRow& row_of(std::string_view parameter) {
  const tools::ParameterTable& table = tools::parameter_table();
  return table.rows()[table.find(parameter).value()];
}

Dtype dtype_of(const std::string& text) {
  for (const Dtype dtype : {Dtype::f32, Dtype::bf16})
    if (text == name_of(dtype)) return dtype;
  throw UsageError("--dtype must be f32 or bf16, got \"{}\"", text);
}

}  // namespace

tools::Flag trainer_flag(std::string_view name, std::string_view default_value) {
  const tools::ParameterRow& row = row_of(name);
  return {name, default_value.empty() ? row.default_value.value() : default_value, row.help};
}

const std::string& checked_text(const tools::Arguments& arguments, std::string_view flag,
                                std::string_view parameter) {
  const tools::ParameterRow& row = row_of(parameter);
  const std::string& text = arguments.text(flag);
  if (!tools::canonical_value(row, text))
    throw UsageError("--{} must be {}, got \"{}\"", flag, tools::expected_value(row), text);
  return text;
}

std::int64_t checked_count(const tools::Arguments& arguments, std::string_view flag,
                           std::string_view parameter) {
  if (arguments.text(flag) == "auto") return 0;
  return tools::integer_word(checked_text(arguments, flag, parameter)).value();
}

std::unique_ptr<Device> device_of(const tools::Arguments& arguments) {
  return make_device(checked_text(arguments, "device", "device"),
                     static_cast<int>(checked_count(arguments, "threads", "threads")));
}

NetRunOptions net_options(const tools::Arguments& arguments, std::string model_name) {
  return {.model_name = std::move(model_name),
          .batch_size = checked_count(arguments, "batch_size", "batch_size"),
          .num_classes = checked_count(arguments, "num_classes", "num_classes"),
          .image_size = checked_count(arguments, "image_size", "train_image_size")};
}

NetRunOptions run_options(const tools::Arguments& arguments, std::string model_name) {
  NetRunOptions options = net_options(arguments, std::move(model_name));
  options.optimizer = checked_text(arguments, "optimizer", "optimizer");
  options.dtype = dtype_of(arguments.text("dtype"));
  return options;
}

ProtocolOptions protocol_of(const tools::Arguments& arguments) {
  constexpr std::int64_t kMostWindows = 1000;
  constexpr std::int64_t kLongestWindow = 3'600'000;
  const std::int64_t windows = arguments.count("windows");
  const std::int64_t window_ms = arguments.count("window_ms");
  if (windows < 1 || windows > kMostWindows)
    throw UsageError("--windows must be from 1 to {}, got {}", kMostWindows, windows);
  if (window_ms > kLongestWindow)
    throw UsageError("--window_ms must be at most {} (an hour), got {}", kLongestWindow, window_ms);
  return {.window_seconds = 1e-3 * static_cast<double>(window_ms), .windows = static_cast<int>(windows)};
}

}  // namespace fastnn::bench

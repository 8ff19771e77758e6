#include "bench/input_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace fastnn::bench {
namespace {

struct Row {
  const char* name;
  Measurement time;
};

std::vector<Row> rows_of(const InputResult& result) {
  return {{"read", result.read},
          {"decode", result.decode},
          {"preprocess", result.preprocess},
          {"sample", result.sample},
          {"decode_alone", result.decode_alone},
          {"batch", result.batch}};
}

}  // namespace

Lines text_of(const InputResult& result) {
  Lines lines = {fmt::format("{}, {} pixels, {} threads: {} records of {:.0f} bytes",
                             result.options.preprocessing, result.options.image_size, result.options.threads,
                             result.records, result.record_bytes)};
  for (const auto& [name, time] : rows_of(result))
    lines.push_back(fmt::format("  {:<12} {:>9.1f} images/s  {:>9.4f} ms an image  spread {:.1f} %", name,
                                1 / time.median, 1e3 * time.median, 100 * time.spread()));
  lines.push_back(
      fmt::format("  one core: {:.2f} GB/s read and verified, {:.0f} % of the rate of decoding alone",
                  1e-9 * result.read_bytes_per_second(), 100 * result.share_of_decoding()));
  return lines;
}

nlohmann::json to_json(const InputResult& result) {
  nlohmann::json figures = {{"preprocessing", result.options.preprocessing},
                            {"image_size", result.options.image_size},
                            {"batch_size", result.options.batch_size},
                            {"threads", result.options.threads},
                            {"records", result.records},
                            {"record_bytes", result.record_bytes},
                            {"read_bytes_per_second", result.read_bytes_per_second()},
                            {"share_of_decoding", result.share_of_decoding()}};
  for (const auto& [name, time] : rows_of(result))
    figures["stages"][name] = {{"seconds", time.median},
                               {"fastest_seconds", time.fastest},
                               {"slowest_seconds", time.slowest},
                               {"images_per_second", 1 / time.median}};
  return figures;
}

}  // namespace fastnn::bench

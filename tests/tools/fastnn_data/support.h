#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "data/convert/image_record.h"
#include "data/images/png.h"
#include "data/records/record_writer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"

namespace fastnn::tests {

inline CommandResult fastnn_data(const std::string& arguments) {
  return run_command(bin_dir() + "/fastnn-data " + arguments + " 2>&1");
}

inline void check_fails(const std::string& arguments, int exit_code, const std::string& text) {
  using Catch::Matchers::Contains;
  CAPTURE(arguments);
  const CommandResult result = fastnn_data(arguments);
  CHECK(result.exit_code == exit_code);
  CHECK_THAT(result.output, Contains("fastnn-data: error: ") && Contains(text));
}

inline std::string file_content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_content(const std::filesystem::path& path, const std::string& content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

/// A PNG of one colour.
inline std::string png_bytes(int height, int width, std::uint8_t shade = 200) {
  Image image(height, width, 3);
  for (std::uint8_t& value : image.pixels()) value = shade;
  const std::vector<std::byte> png = encode_png(image);
  return {reinterpret_cast<const char*>(png.data()), png.size()};
}

/// The payload of a record of TF-Slim's layout, of an image of 'height' rows and 6 columns.
inline std::string payload(std::int64_t label, int height, std::string encoded = {}) {
  if (encoded.empty()) encoded = png_bytes(height, 6);
  return serialize_image_record({.encoded = std::as_bytes(std::span(encoded)),
                                 .format = "png",
                                 .label = label,
                                 .height = height,
                                 .width = 6});
}

inline void write_records(const std::filesystem::path& path, const std::vector<std::string>& payloads) {
  RecordWriter writer(path);
  for (const std::string& record : payloads) writer.write(record);
  writer.close();
}

}  // namespace fastnn::tests

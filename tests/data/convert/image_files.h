#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "data/images/png.h"

namespace fastnn::tests {

inline void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A PNG of the given extents; 'shade' makes its pixels differ from those of others.
inline void write_png(const std::filesystem::path& path, int height, int width, int shade = 0) {
  Image image(height, width, 3);
  image.pixels()[0] = static_cast<std::uint8_t>(shade);
  const auto png = encode_png(image);
  write_bytes(path, {reinterpret_cast<const char*>(png.data()), png.size()});
}

/// Class folders b_cat and a_dog with 'images' images each.
inline void write_class_folders(const std::filesystem::path& folder, int images) {
  for (const char* name : {"b_cat", "a_dog"})
    for (int i = 0; i < images; ++i)
      write_png(folder / name / (std::to_string(i) + ".jpg"), 3 + i, 5, name[0] + i);
}

}  // namespace fastnn::tests

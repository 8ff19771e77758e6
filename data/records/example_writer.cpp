#include "data/records/example_writer.h"

#include <bit>

#include "engine/base/wire.h"

namespace fastnn {
namespace {

/// Writes the content of a list message; numbers are packed into one field, which is left out if empty.
struct ListWriter {
  std::string operator()(std::monostate) const { return {}; }

  std::string operator()(const std::vector<std::string>& values) const {
    std::string list;
    for (const std::string& value : values) append_bytes_field(list, 1, value);
    return list;
  }

  std::string operator()(const std::vector<float>& values) const {
    std::string packed;
    for (const float value : values)
      for (unsigned shift = 0; shift < 32; shift += 8)
        packed += static_cast<char>(std::bit_cast<std::uint32_t>(value) >> shift & 255);
    return list_of(packed);
  }

  std::string operator()(const std::vector<std::int64_t>& values) const {
    std::string packed;
    for (const std::int64_t value : values) append_varint(packed, static_cast<std::uint64_t>(value));
    return list_of(packed);
  }

  static std::string list_of(const std::string& packed) {
    std::string list;
    if (!packed.empty()) append_bytes_field(list, 1, packed);
    return list;
  }
};

/// The alternatives of FeatureValues stand in the order of the fields of tensorflow.Feature.
std::string serialize_feature(const FeatureValues& values) {
  std::string feature;
  if (values.index() != 0)
    append_bytes_field(feature, static_cast<std::uint32_t>(values.index()), std::visit(ListWriter{}, values));
  return feature;
}

}  // namespace

std::string serialize_example(const FeatureMap& features) {
  std::string map;
  for (const auto& [key, values] : features) {
    std::string entry;
    append_bytes_field(entry, 1, key);
    append_bytes_field(entry, 2, serialize_feature(values));
    append_bytes_field(map, 1, entry);
  }
  std::string example;
  append_bytes_field(example, 1, map);
  return example;
}

FeatureValues bytes_feature(std::string value) {
  return std::vector<std::string>{std::move(value)};
}

FeatureValues integer_feature(std::int64_t value) {
  return std::vector<std::int64_t>{value};
}

FeatureValues real_feature(float value) {
  return std::vector<float>{value};
}

}  // namespace fastnn

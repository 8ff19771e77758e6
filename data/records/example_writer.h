#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace fastnn {

/// Values of one feature; std::monostate is a feature without a list, as TensorFlow writes an unset one.
using FeatureValues =
    std::variant<std::monostate, std::vector<std::string>, std::vector<float>, std::vector<std::int64_t>>;

/// Keys and values of an Example, in the order in which they are written: sorted by the bytes of the key.
using FeatureMap = std::map<std::string, FeatureValues>;

/// The bytes of a tensorflow.Example, byte for byte as TensorFlow's deterministic serialisation writes them:
/// sorted keys, packed numbers, an empty list where there are no values. Files of TF-Slim's own converters
/// hold the same entries, but in the order of a hash map; readers do not care.
std::string serialize_example(const FeatureMap& features);

/// A feature of one value, the usual case.
FeatureValues bytes_feature(std::string value);
FeatureValues integer_feature(std::int64_t value);
FeatureValues real_feature(float value);

}  // namespace fastnn

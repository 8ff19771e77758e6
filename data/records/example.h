#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/pipeline/sample.h"
#include "engine/base/wire.h"

namespace fastnn {

/// Which list of values a feature holds; the number is the field of tensorflow.Feature.
enum class FeatureKind { none = 0, bytes = 1, real = 2, integer = 3 };

/// TensorFlow's word for it: "bytes", "float", "int64", "no values".
std::string_view name_of(FeatureKind kind);

/// A parsed tensorflow.Example (field 1: Features; its field 1: map of key and Feature), zero-copy: keys and
/// bytes point into the payload, which must outlive this object, as must the origin.
/// Packed and unpacked number lists are read, unknown fields skipped; of a key that occurs twice the last
/// wins, of two kinds in one feature also.
/// Everything is checked by the constructor, which throws InputError naming the field, the feature's key, the
/// byte of the payload and the origin. The lookups throw InputError as said below.
class Example {
 public:
  Example(std::span<const std::byte> payload, const RecordOrigin& origin);

  bool contains(std::string_view key) const;
  /// FeatureKind::none also if the key is missing.
  FeatureKind kind(std::string_view key) const;
  /// Sorted, each once.
  std::vector<std::string_view> keys() const;

  /// The only value of a feature. Throws InputError if the key is missing (names it and the keys present), if
  /// the kind is another (names key, found and wanted kind) or if there are not exactly one values (names key
  /// and count).
  std::span<const std::byte> bytes(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  float real(std::string_view key) const;

  /// All values of a feature, maybe none. Throws InputError if the key is missing or the kind is another.
  std::vector<std::span<const std::byte>> bytes_list(std::string_view key) const;
  std::vector<std::int64_t> integers(std::string_view key) const;
  std::vector<float> reals(std::string_view key) const;

 private:
  struct Feature {
    std::string_view key;
    FeatureKind kind = FeatureKind::none;
    std::int64_t count = 0;
    /// The lists, as fields numbered 'kind'; fields of other numbers between them are unknown ones.
    std::string_view lists{};
  };
  /// What is being read, for messages: a message of TensorFlow's example.proto, and the key of the feature.
  struct Place {
    std::string_view message;
    std::string_view key{};
  };
  static constexpr std::size_t kUsualFeatures = 24;

  void parse_features(std::string_view message);
  void parse_entry(std::string_view message);
  void parse_feature(std::string_view key, std::string_view message);
  template <class Visit>
  void each_field(std::string_view message, const Place& place, Visit visit) const;
  std::string_view content(WireReader& reader, const Place& place, std::string_view name) const;
  template <FeatureKind kKind, class Visit>
  void visit_field(WireReader& field, const Place& place, Visit visit) const;
  template <FeatureKind kKind, class Visit>
  void visit_values(const Feature& feature, Visit visit) const;
  std::int64_t count_values(const Feature& feature) const;
  const Feature* find(std::string_view key) const;
  const Feature& require(std::string_view key, FeatureKind wanted) const;
  const Feature& require_one(std::string_view key, FeatureKind wanted) const;
  [[noreturn]] void fail(const Place& place, std::string_view what, const char* at) const;
  [[noreturn]] void fail_missing(std::string_view key) const;

  std::string_view payload_;
  const RecordOrigin* origin_;
  // The usual features stand in the object itself: a sample is parsed without an allocation.
  alignas(Feature) std::array<std::byte, kUsualFeatures * sizeof(Feature)> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<Feature> features_{&memory_};
};

}  // namespace fastnn

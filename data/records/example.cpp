#include "data/records/example.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "engine/base/error.h"

namespace fastnn {
namespace {

constexpr std::size_t kMostKeysInMessage = 30;
constexpr std::size_t kLongestKeyInMessage = 64;
constexpr std::string_view kKindNames[] = {"no values", "bytes", "float", "int64"};
constexpr std::string_view kListNames[] = {"", "BytesList", "FloatList", "Int64List"};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A key for a message: at most 64 bytes, unprintable ones replaced.
std::string printable(std::string_view key) {
  std::string text(key.substr(0, kLongestKeyInMessage));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }, '?');
  return key.size() > kLongestKeyInMessage ? text + "..." : text;
}

/// How a list stores one value when it is not packed.
constexpr WireType single_type(FeatureKind kind) {
  return kind == FeatureKind::integer ? WireType::varint : WireType::fixed32;
}

/// The next of packed numbers, taken off their front; nothing if it is cut off.
template <FeatureKind kKind>
auto take_packed(std::string_view& rest) {
  if constexpr (kKind == FeatureKind::integer) {
    std::uint64_t value = 0;
    return take_varint(rest, value) ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
  } else {
    float value = 0;
    if (rest.size() < sizeof value) return std::optional<float>();
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
    return std::optional(value);
  }
}

}  // namespace

std::string_view name_of(FeatureKind kind) {
  return kKindNames[static_cast<int>(kind)];
}

Example::Example(std::span<const std::byte> payload, const RecordOrigin& origin)
    : payload_(text_of(payload)), origin_(&origin) {
  features_.reserve(kUsualFeatures);
  each_field(payload_, {"Example"}, [&](WireReader& reader) {
    if (reader.field() == 1) parse_features(content(reader, {"Example"}, "features"));
  });
}

void Example::fail(const Place& place, std::string_view what, const char* at) const {
  const std::string key =
      place.key.empty() ? std::string() : fmt::format(" of feature \"{}\"", printable(place.key));
  throw InputError(
      "[example] malformed {}{}: {}, at byte {} of the payload; in {}; write the records as tf.train.Example",
      place.message, key, what, at - payload_.data(), origin_->text());
}

template <class Visit>
void Example::each_field(std::string_view message, const Place& place, Visit visit) const {
  WireReader reader(message);
  while (reader.next()) visit(reader);
  if (!reader.fault().empty()) fail(place, reader.fault(), message.data() + reader.fault_position());
}

/// The contents of a field that must be bytes.
std::string_view Example::content(WireReader& reader, const Place& place, std::string_view name) const {
  if (reader.type() != WireType::bytes)
    fail(place,
         fmt::format("field {} ({}) must have wire type 2, it has {}", reader.field(), name,
                     static_cast<int>(reader.type())),
         reader.message().data() + reader.position());
  return reader.bytes();
}

void Example::parse_features(std::string_view message) {
  each_field(message, {"Features"}, [&](WireReader& reader) {
    if (reader.field() == 1) parse_entry(content(reader, {"Features"}, "feature"));
  });
}

void Example::parse_entry(std::string_view message) {
  std::string_view key, feature = message.substr(0, 0);
  each_field(message, {"FeatureEntry"}, [&](WireReader& reader) {
    if (reader.field() == 1) key = content(reader, {"FeatureEntry"}, "key");
    if (reader.field() == 2) feature = content(reader, {"FeatureEntry"}, "value");
  });
  parse_feature(key, feature);
}

void Example::parse_feature(std::string_view key, std::string_view message) {
  Feature feature{.key = key};
  const Place place{"Feature", key};
  each_field(message, place, [&](WireReader& reader) {
    if (reader.field() < 1 || reader.field() > 3) return;
    content(reader, place, kListNames[reader.field()]);
    if (feature.kind == static_cast<FeatureKind>(reader.field())) return;
    feature.kind = static_cast<FeatureKind>(reader.field());
    feature.lists = message.substr(reader.position());
  });
  feature.count = count_values(feature);
  features_.push_back(feature);
}

/// visit(value) with each value of a list's field: a view, a float or an int64.
template <FeatureKind kKind, class Visit>
void Example::visit_field(WireReader& field, const Place& place, Visit visit) const {
  if constexpr (kKind == FeatureKind::bytes) {
    visit(content(field, place, "value"));
  } else if (field.type() == single_type(kKind)) {
    if constexpr (kKind == FeatureKind::integer)
      visit(static_cast<std::int64_t>(field.varint()));
    else
      visit(std::bit_cast<float>(field.fixed32()));
  } else {
    for (std::string_view rest = content(field, place, "value"); !rest.empty();) {
      const auto value = take_packed<kKind>(rest);
      if (!value)
        fail(place, fmt::format("a packed number is cut off, {} bytes are left", rest.size()), rest.data());
      visit(*value);
    }
  }
}

template <FeatureKind kKind, class Visit>
void Example::visit_values(const Feature& feature, Visit visit) const {
  constexpr auto kNumber = static_cast<std::uint32_t>(kKind);
  const Place place{kListNames[kNumber], feature.key};
  each_field(feature.lists, place, [&](WireReader& lists) {
    if (lists.field() != kNumber) return;
    each_field(content(lists, place, kListNames[kNumber]), place, [&](WireReader& field) {
      if (field.field() == 1) visit_field<kKind>(field, place, visit);
    });
  });
}

std::int64_t Example::count_values(const Feature& feature) const {
  std::int64_t count = 0;
  const auto count_one = [&count](const auto&) { ++count; };
  if (feature.kind == FeatureKind::bytes) visit_values<FeatureKind::bytes>(feature, count_one);
  if (feature.kind == FeatureKind::real) visit_values<FeatureKind::real>(feature, count_one);
  if (feature.kind == FeatureKind::integer) visit_values<FeatureKind::integer>(feature, count_one);
  return count;
}

const Example::Feature* Example::find(std::string_view key) const {
  const auto found =
      std::find_if(features_.rbegin(), features_.rend(), [&](const Feature& f) { return f.key == key; });
  return found == features_.rend() ? nullptr : &*found;
}

const Example::Feature& Example::require(std::string_view key, FeatureKind wanted) const {
  const Feature* feature = find(key);
  if (feature == nullptr) fail_missing(key);
  if (feature->kind != wanted)
    throw InputError("[example] feature \"{}\" must hold {}; it holds {}; in {}", printable(key),
                     name_of(wanted), name_of(feature->kind), origin_->text());
  return *feature;
}

const Example::Feature& Example::require_one(std::string_view key, FeatureKind wanted) const {
  const Feature& feature = require(key, wanted);
  if (feature.count != 1)
    throw InputError("[example] feature \"{}\" must hold exactly 1 {} value; it holds {}; in {}",
                     printable(key), name_of(wanted), feature.count, origin_->text());
  return feature;
}

void Example::fail_missing(std::string_view key) const {
  std::vector<std::string> present;
  for (const std::string_view name : keys()) present.push_back(printable(name));
  const std::size_t hidden = present.size() - std::min(present.size(), kMostKeysInMessage);
  present.resize(present.size() - hidden);
  if (hidden > 0) present.push_back(fmt::format("{} more", hidden));
  throw InputError("[example] expected feature \"{}\"; the record holds {}; in {}", printable(key),
                   present.empty() ? "no features" : fmt::format("{}", fmt::join(present, ", ")),
                   origin_->text());
}

bool Example::contains(std::string_view key) const {
  return find(key) != nullptr;
}

FeatureKind Example::kind(std::string_view key) const {
  const Feature* feature = find(key);
  return feature == nullptr ? FeatureKind::none : feature->kind;
}

std::vector<std::string_view> Example::keys() const {
  std::vector<std::string_view> keys;
  for (const Feature& feature : features_) keys.push_back(feature.key);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

std::span<const std::byte> Example::bytes(std::string_view key) const {
  std::string_view value;
  visit_values<FeatureKind::bytes>(require_one(key, FeatureKind::bytes), [&value](auto v) { value = v; });
  return std::as_bytes(std::span(value));
}

std::int64_t Example::integer(std::string_view key) const {
  std::int64_t value = 0;
  visit_values<FeatureKind::integer>(require_one(key, FeatureKind::integer), [&value](auto v) { value = v; });
  return value;
}

float Example::real(std::string_view key) const {
  float value = 0;
  visit_values<FeatureKind::real>(require_one(key, FeatureKind::real), [&value](auto v) { value = v; });
  return value;
}

std::vector<std::span<const std::byte>> Example::bytes_list(std::string_view key) const {
  std::vector<std::span<const std::byte>> values;
  visit_values<FeatureKind::bytes>(require(key, FeatureKind::bytes),
                                   [&](auto v) { values.push_back(std::as_bytes(std::span(v))); });
  return values;
}

std::vector<std::int64_t> Example::integers(std::string_view key) const {
  std::vector<std::int64_t> values;
  visit_values<FeatureKind::integer>(require(key, FeatureKind::integer),
                                     [&](auto v) { values.push_back(v); });
  return values;
}

std::vector<float> Example::reals(std::string_view key) const {
  std::vector<float> values;
  visit_values<FeatureKind::real>(require(key, FeatureKind::real), [&](auto v) { values.push_back(v); });
  return values;
}

}  // namespace fastnn

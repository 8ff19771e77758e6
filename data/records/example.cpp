#include "data/records/example.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "data/records/proto_reader.h"
#include "engine/core/error.h"

namespace fastnn {
namespace {

constexpr std::size_t kUsualFeatures = 16;
constexpr std::size_t kMostKeysInMessage = 30;
constexpr std::string_view kKindNames[] = {"no values", "bytes", "float", "int64"};
constexpr std::string_view kListNames[] = {"", "BytesList", "FloatList", "Int64List"};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// How a list stores one value when it is not packed.
constexpr ProtoType single_type(FeatureKind kind) {
  return kind == FeatureKind::integer ? ProtoType::varint : ProtoType::fixed32;
}

/// A number of a list from its bits.
template <FeatureKind kKind>
auto number_of(std::uint64_t bits) {
  if constexpr (kKind == FeatureKind::integer)
    return static_cast<std::int64_t>(bits);
  else
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

template <FeatureKind kKind, class Visit>
void visit_field(const ProtoReader& list, const ProtoField& field, const ProtoContext& context, Visit visit) {
  if constexpr (kKind == FeatureKind::bytes) {
    visit(list.content(field, "value"));
  } else if (field.type == single_type(kKind)) {
    visit(number_of<kKind>(field.value));
  } else {
    ProtoReader packed(list.content(field, "value"), context);
    while (!packed.at_end())
      visit(number_of<kKind>(kKind == FeatureKind::integer ? packed.varint() : packed.fixed32()));
  }
}

}  // namespace

std::string_view name_of(FeatureKind kind) {
  return kKindNames[static_cast<int>(kind)];
}

Example::Example(std::span<const std::byte> payload, const RecordOrigin& origin)
    : payload_(payload), origin_(&origin) {
  features_.reserve(kUsualFeatures);
  ProtoReader example(payload, {.payload = payload, .origin = origin_, .message = "Example", .key = {}});
  for (ProtoField field; example.next(field);)
    if (field.number == 1) parse_features(example.content(field, "features"));
}

void Example::parse_features(std::span<const std::byte> message) {
  ProtoReader features(message, {.payload = payload_, .origin = origin_, .message = "Features", .key = {}});
  for (ProtoField field; features.next(field);)
    if (field.number == 1) parse_entry(features.content(field, "feature"));
}

void Example::parse_entry(std::span<const std::byte> message) {
  ProtoReader entry(message, {.payload = payload_, .origin = origin_, .message = "FeatureEntry", .key = {}});
  std::string_view key;
  std::span<const std::byte> feature = message.first(0);
  for (ProtoField field; entry.next(field);) {
    if (field.number == 1) key = text_of(entry.content(field, "key"));
    if (field.number == 2) feature = entry.content(field, "value");
  }
  parse_feature(key, feature);
}

void Example::parse_feature(std::string_view key, std::span<const std::byte> message) {
  Feature feature{.key = key};
  ProtoReader reader(message, {.payload = payload_, .origin = origin_, .message = "Feature", .key = key});
  auto before = reader.rest();
  for (ProtoField field; reader.next(field); before = reader.rest()) {
    if (field.number < 1 || field.number > 3) continue;
    reader.content(field, kListNames[field.number]);
    if (feature.kind == static_cast<FeatureKind>(field.number)) continue;
    feature.kind = static_cast<FeatureKind>(field.number);
    feature.lists = before;
  }
  feature.count = count_values(feature);
  features_.push_back(feature);
}

/// visit(value) with each value of a feature of this kind: a span, a float or an int64.
template <FeatureKind kKind, class Visit>
void Example::visit_values(const Feature& feature, Visit visit) const {
  constexpr auto kNumber = static_cast<std::uint32_t>(kKind);
  const ProtoContext context{
      .payload = payload_, .origin = origin_, .message = kListNames[kNumber], .key = feature.key};
  ProtoReader lists(feature.lists, context);
  for (ProtoField outer; lists.next(outer);) {
    if (outer.number != kNumber) continue;
    ProtoReader list(outer.bytes, context);
    for (ProtoField field; list.next(field);)
      if (field.number == 1) visit_field<kKind>(list, field, context, visit);
  }
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
  std::span<const std::byte> value;
  visit_values<FeatureKind::bytes>(require_one(key, FeatureKind::bytes), [&value](auto v) { value = v; });
  return value;
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
  visit_values<FeatureKind::bytes>(require(key, FeatureKind::bytes), [&](auto v) { values.push_back(v); });
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

#include "nets/net_table.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "nets/lenet.h"

namespace fastnn {
namespace {

constexpr std::int64_t kAnySize = 1 << 15;

}  // namespace

const std::vector<NetEntry>& net_table() {
  static const std::vector<NetEntry> table = {
      {.name = "lenet",
       .scope = "LeNet",
       .build = build_lenet,
       .defaults = {},
       .default_image_size = 28,
       .smallest_image_size = 4,
       .largest_image_size = kAnySize,
       .preprocessing = "lenet",
       .origin = "LeCun et al. 1998, as in TF-Slim"},
  };
  return table;
}

const NetEntry& find_net(std::string_view name) {
  const auto& table = net_table();
  const auto entry = std::ranges::find(table, name, &NetEntry::name);
  if (entry != table.end()) return *entry;
  std::vector<std::string_view> known;
  for (const NetEntry& net : table) known.push_back(net.name);
  throw UsageError("[nets] unknown net \"{}\"; known: {}", name, fmt::join(known, ", "));
}

}  // namespace fastnn

#include "nets/net_table.h"

#include <algorithm>

#include "engine/base/names.h"
#include "nets/alexnet.h"
#include "nets/cifarnet.h"
#include "nets/inception.h"
#include "nets/lenet.h"
#include "nets/mobilenet.h"
#include "nets/nasnet.h"
#include "nets/overfeat.h"
#include "nets/pnasnet.h"
#include "nets/resnet.h"
#include "nets/vgg.h"

namespace fastnn {
namespace {

NetEntry lenet_entry() {
  return {.name = "lenet",
          .scope = "LeNet",
          .build = build_lenet,
          .defaults = {},
          .default_image_size = 28,
          .smallest_image_size = 4,
          .largest_image_size = kAnyImageSize,
          .preprocessing = "lenet",
          .origin = "LeCun et al. 1998, as in TF-Slim"};
}

std::vector<NetEntry> all_entries() {
  std::vector<NetEntry> all = {lenet_entry()};
  for (const auto& family : {alexnet_entries(), cifarnet_entries(), inception_entries(),
                             mobilenet_v1_entries(), mobilenet_v2_entries(), nasnet_entries(),
                             overfeat_entries(), pnasnet_entries(), resnet_entries(), vgg_entries()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

}  // namespace

const std::vector<NetEntry>& net_table() {
  static const std::vector<NetEntry> table = all_entries();
  return table;
}

const NetEntry& find_net(std::string_view name) {
  const auto& table = net_table();
  const auto entry = std::ranges::find(table, name, &NetEntry::name);
  if (entry != table.end()) return *entry;
  std::vector<std::string_view> known;
  for (const NetEntry& net : table) known.push_back(net.name);
  throw UsageError("[nets] {}", unknown_name("net", name, known));
}

}  // namespace fastnn

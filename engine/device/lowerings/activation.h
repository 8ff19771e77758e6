#pragma once

#include "engine/device/lowerings/batch_norm.h"
#include "engine/device/lowerings/channels.h"
#include "engine/device/lowerings/elementwise.h"
#include "engine/device/lowerings/pool.h"
#include "engine/device/lowerings/random.h"

namespace fastnn::lowerings {

/// The rows of all families that work on activations of K's element type.
template <class K>
LoweringTable activation_lowerings(const K& k) {
  LoweringTable table = elementwise_lowerings(k);
  table.merge(batch_norm_lowerings(k));
  table.merge(channel_lowerings(k));
  table.merge(pool_lowerings(k));
  table.merge(random_lowerings(k));
  return table;
}

}  // namespace fastnn::lowerings

#pragma once

#include <functional>
#include <string_view>

#include "engine/checkpoint/files.h"

namespace fastnn {

/// Whether the file ends with the magic number of a sorted table, the container of V1 checkpoints and of the
/// index of V2 bundles (https://github.com/google/leveldb/blob/main/doc/table_format.md).
bool has_table_magic(const ReadFile& file);

/// Calls visit(key, value) for every entry, in the order of the keys; the views last for the call. Checksums
/// of all blocks are verified, blocks compressed with snappy are accepted. Throws InputError naming the file,
/// the byte of the block and what is wrong with it, and whatever visit throws.
void read_table(const ReadFile& file, const std::function<void(std::string_view, std::string_view)>& visit);

}  // namespace fastnn

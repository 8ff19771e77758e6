#pragma once

#include "engine/device/lowering.h"

/// Lowerings that differ between devices in the kernel alone. K has the kernels of a device as functions
/// named as in kernels/reference, the element type of its activations as K::Element, that of what is per
/// channel and of losses as K::Figure, and its name as K::kName. A K is a value, copied into each launch:
/// nothing on a processor, a stream on a GPU. Kernels read scalars that change from step to step from device
/// memory.
namespace fastnn::lowerings {

template <class K>
using T = typename K::Element;

template <class K>
using F = typename K::Figure;

template <class E>
const E* in(const Bindings& bindings, std::size_t i) {
  return static_cast<const E*>(bindings.inputs[i]);
}

/// An operand that a node may leave out: null where it has not so many inputs.
template <class E>
const E* optional_in(const Bindings& bindings, std::size_t i) {
  return i < bindings.inputs.size() ? in<E>(bindings, i) : nullptr;
}

template <class E>
E* out(const Bindings& bindings, std::size_t i = 0) {
  return static_cast<E*>(bindings.outputs[i]);
}

/// A lowering without scratch or prepared copies.
inline Lowering plain(std::string implementation, std::function<Launch(const Bindings&)> bind) {
  return {.implementation = std::move(implementation), .prepared = {}, .bind = std::move(bind)};
}

inline std::int64_t rows_of(const Shape& x) {
  return x.elements() / x[-1];
}

/// A kind of operation and how it is lowered to the kernels K.
template <class K>
struct Row {
  std::string_view kind;
  Lowering (*lower)(const K&, const LoweringRequest&);
};

template <class K>
LoweringTable rows_for(const K& k, std::initializer_list<Row<K>> rows) {
  LoweringTable table;
  for (const Row<K>& row : rows)
    table.emplace(row.kind,
                  [k, lower = row.lower](const LoweringRequest& request) { return lower(k, request); });
  return table;
}

}  // namespace fastnn::lowerings

#pragma once

#include <dnnl.hpp>
#include <utility>

// The places where oneDNN 2 and 3 differ, included by onednn.cpp alone: how a primitive is described, how an
// elementwise function is appended, how a layout is read. Both halves define the same four functions.

namespace fastnn::cpu {

/// Where the elements of a blocked layout lie, in oneDNN's order of dimensions.
struct Blocking {
  dnnl::memory::dims extents, strides, inner_blocks, inner_dimensions;
  bool is_bf16 = false;
};

#if DNNL_VERSION_MAJOR >= 3

template <class Primitive, class... Args>
auto make_forward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes, Args&&... args) {
  return typename Primitive::primitive_desc(engine, dnnl::prop_kind::forward_training,
                                            std::forward<Args>(args)..., attributes);
}

template <class Primitive, class Hint, class... Args>
auto make_backward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes, const Hint& hint,
                   Args&&... args) {
  return typename Primitive::primitive_desc(engine, std::forward<Args>(args)..., hint, attributes);
}

inline void append(dnnl::post_ops& operations, dnnl::algorithm function, double alpha, double beta) {
  operations.append_eltwise(function, static_cast<float>(alpha), static_cast<float>(beta));
}

inline Blocking blocking_of(const dnnl::memory::desc& desc) {
  return {desc.get_dims(), desc.get_strides(), desc.get_inner_blks(), desc.get_inner_idxs(),
          desc.get_data_type() == dnnl::memory::data_type::bf16};
}

#else

template <class Primitive, class... Args>
auto make_forward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes, Args&&... args) {
  const typename Primitive::desc operation(dnnl::prop_kind::forward_training, std::forward<Args>(args)...);
  return typename Primitive::primitive_desc(operation, attributes, engine);
}

template <class Primitive, class Hint, class... Args>
auto make_backward(const dnnl::engine& engine, const dnnl::primitive_attr& attributes, const Hint& hint,
                   Args&&... args) {
  const typename Primitive::desc operation(std::forward<Args>(args)...);
  return typename Primitive::primitive_desc(operation, attributes, engine, hint);
}

inline void append(dnnl::post_ops& operations, dnnl::algorithm function, double alpha, double beta) {
  operations.append_eltwise(1, function, static_cast<float>(alpha), static_cast<float>(beta));
}

inline Blocking blocking_of(const dnnl::memory::desc& desc) {
  const auto& data = desc.data;
  const auto& blocks = data.format_desc.blocking;
  return {{data.dims, data.dims + data.ndims},
          {blocks.strides, blocks.strides + data.ndims},
          {blocks.inner_blks, blocks.inner_blks + blocks.inner_nblks},
          {blocks.inner_idxs, blocks.inner_idxs + blocks.inner_nblks},
          data.data_type == dnnl_bf16};
}

#endif

}  // namespace fastnn::cpu

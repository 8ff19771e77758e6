#include "engine/device/cpu/onednn.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <dnnl.hpp>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/device/cpu/onednn_descriptors.h"
#include "engine/device/cpu/onednn_version.h"

namespace fastnn::cpu {

using dnnl::memory;
using kernels::Conv2d;
using kernels::DepthwiseConv2d;
using kernels::Window2d;
using DataType = memory::data_type;
using Tag = memory::format_tag;

struct OneDnn::Impl {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

struct WeightLayout::Impl {
  memory::desc desc;
};

namespace {

// Runs f; what oneDNN refuses or fails at becomes an error of ours that says what was asked for.
template <class F>
decltype(auto) guarded(std::string_view what, F&& f) {
  try {
    return f();
  } catch (const dnnl::error& error) {
    const bool refused = error.status == dnnl_invalid_arguments || error.status == dnnl_unimplemented;
    if (refused) throw UsageError("[onednn] {}: {}", what, error.what());
    throw EnvironmentError("[onednn] {}: {} (status {})", what, error.what(), static_cast<int>(error.status));
  }
}

// What an operand is; the order of kRoleNames and Pointers.
enum Role { kX, kWeights, kBias, kY, kDy, kDx, kDWeights, kDBias, kScratch, kFrom, kTo, kRoles };
constexpr const char* kRoleNames[kRoles] = {"x",         "weights", "bias",    "y",    "dy", "dx",
                                            "d_weights", "d_bias",  "scratch", "from", "to"};
using Pointers = std::array<const void*, kRoles>;

Pointers pointers_of(const OneDnnOperands& o) {
  return {o.x, o.weights, o.bias, o.y, o.dy, o.dx, o.d_weights, o.d_bias, o.scratch, nullptr, nullptr};
}

struct Slot {
  int argument;
  Role role;
  memory::desc desc;
};

}  // namespace

struct OneDnnOperation::Impl {
  const OneDnn::Impl* onednn;
  std::string what;
  dnnl::primitive primitive;
  std::string implementation;
  std::size_t scratch_bytes;
  WeightLayout weights;
  std::vector<Slot> slots;
  std::vector<memory> memories;
  std::vector<dnnl_exec_arg_t> arguments;

  void bind(const Pointers& pointers);
  void execute() const;
};

void OneDnnOperation::Impl::bind(const Pointers& pointers) {
  std::vector<memory> bound;
  for (const Slot& slot : slots) {
    const void* pointer = pointers[slot.role];
    if (pointer == nullptr)
      throw UsageError("[onednn] {}: operand '{}' is missing; bind every operand of the operation", what,
                       kRoleNames[slot.role]);
    bound.push_back(
        guarded(what, [&] { return memory(slot.desc, onednn->engine, const_cast<void*>(pointer)); }));
  }
  memories = std::move(bound);
  arguments.clear();
  for (std::size_t i = 0; i < slots.size(); ++i) arguments.push_back({slots[i].argument, memories[i].get()});
}

void OneDnnOperation::Impl::execute() const {
  if (arguments.empty()) throw UsageError("[onednn] {}: execute() before bind()", what);
  // The C call: the C++ one copies the arguments into a new vector each time.
  const dnnl_status_t status = dnnl_primitive_execute(primitive.get(), onednn->stream.get(),
                                                      static_cast<int>(arguments.size()), arguments.data());
  if (status != dnnl_success)
    throw EnvironmentError("[onednn] {}: execution failed (status {})", what, static_cast<int>(status));
}

namespace {

dnnl::primitive_attr user_scratchpad() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

dnnl::primitive_attr forward_attributes(ForwardOptions options) {
  dnnl::primitive_attr attributes = user_scratchpad();
  dnnl::post_ops operations;
  if (options.scale != 1) append(operations, dnnl::algorithm::eltwise_linear, options.scale, 0);
  if (options.residual == Residual::in_y) operations.append_sum();
  if (options.activation == Activation::relu) append(operations, dnnl::algorithm::eltwise_relu, 0, 0);
  if (options.activation == Activation::relu6) append(operations, dnnl::algorithm::eltwise_clip, 0, 6);
  attributes.set_post_ops(operations);
  return attributes;
}

WeightLayout layout_of(memory::desc desc) {
  return WeightLayout(std::make_shared<const WeightLayout::Impl>(WeightLayout::Impl{std::move(desc)}));
}

template <class Primitive, class Description>
std::unique_ptr<OneDnnOperation::Impl> prepare(const OneDnn& onednn, std::string what,
                                               const Description& description, memory::desc weights,
                                               std::vector<Slot> slots) {
  const memory::desc scratch = description.scratchpad_desc();
  if (scratch.get_size() > 0) slots.push_back({DNNL_ARG_SCRATCHPAD, kScratch, scratch});
  return std::make_unique<OneDnnOperation::Impl>(OneDnnOperation::Impl{&onednn.impl(),
                                                                       std::move(what),
                                                                       Primitive(description),
                                                                       description.impl_info_str(),
                                                                       scratch.get_size(),
                                                                       layout_of(std::move(weights)),
                                                                       std::move(slots),
                                                                       {},
                                                                       {}});
}

auto forward_description(const OneDnn& onednn, const ConvDescs& d, const dnnl::primitive_attr& attributes) {
  return make_forward<dnnl::convolution_forward>(onednn.impl().engine, attributes,
                                                 dnnl::algorithm::convolution_direct, d.x, d.weights, d.bias,
                                                 d.y, d.strides, d.dilations, d.pad_begin, d.pad_end);
}

auto forward_description(const OneDnn& onednn, const DenseDescs& d, const dnnl::primitive_attr& attributes) {
  return make_forward<dnnl::inner_product_forward>(onednn.impl().engine, attributes, d.x, d.weights, d.bias,
                                                   d.y);
}

template <class Primitive, class Geometry>
OneDnnOperation forward(std::string_view name, const OneDnn& onednn, const Geometry& geometry,
                        ForwardOptions options) {
  const std::string what = text_of(name, geometry);
  const auto descs = describe(what, geometry, {options.type, options.type, options.bias});
  return guarded(what, [&] {
    const auto description = forward_description(onednn, descs, forward_attributes(options));
    const memory::desc weights = description.weights_desc();
    std::vector<Slot> slots{
        {DNNL_ARG_SRC, kX, descs.x}, {DNNL_ARG_WEIGHTS, kWeights, weights}, {DNNL_ARG_DST, kY, descs.y}};
    if (options.bias == Bias::add) slots.push_back({DNNL_ARG_BIAS, kBias, descs.bias});
    return OneDnnOperation(prepare<Primitive>(onednn, what, description, weights, std::move(slots)));
  });
}

// 'make' turns (attributes, hint) into the description of the primitive.
template <class Primitive, class Descs, class Make>
OneDnnOperation input_gradient(const std::string& what, const OneDnn& onednn, const Descs& descs,
                               Make&& make) {
  return guarded(what, [&] {
    const auto description = make(user_scratchpad(), forward_description(onednn, descs, user_scratchpad()));
    const memory::desc weights = description.weights_desc();
    return OneDnnOperation(prepare<Primitive>(onednn, what, description, weights,
                                              {{DNNL_ARG_DIFF_DST, kDy, descs.y},
                                               {DNNL_ARG_WEIGHTS, kWeights, weights},
                                               {DNNL_ARG_DIFF_SRC, kDx, descs.x}}));
  });
}

// The forward pass 'hint' has weights of the activations' type, the gradient 'descs' is f32.
template <class Primitive, class Descs, class Make>
OneDnnOperation weight_gradient(const std::string& what, const OneDnn& onednn, const Descs& hint,
                                const Descs& descs, Bias bias, Make&& make) {
  return guarded(what, [&] {
    const auto description = make(user_scratchpad(), forward_description(onednn, hint, user_scratchpad()));
    const memory::desc weights = description.diff_weights_desc();
    std::vector<Slot> slots{{DNNL_ARG_SRC, kX, descs.x},
                            {DNNL_ARG_DIFF_DST, kDy, descs.y},
                            {DNNL_ARG_DIFF_WEIGHTS, kDWeights, weights}};
    if (bias == Bias::add) slots.push_back({DNNL_ARG_DIFF_BIAS, kDBias, descs.bias});
    return OneDnnOperation(prepare<Primitive>(onednn, what, description, weights, std::move(slots)));
  });
}

template <class Conv>
OneDnnOperation input_gradient_of(const OneDnn& onednn, const Conv& conv, Dtype type) {
  using Primitive = dnnl::convolution_backward_data;
  const std::string what = text_of("convolution input gradient", conv);
  const ConvDescs d = describe(what, conv, {type, type});
  return input_gradient<Primitive>(what, onednn, d, [&](const auto& attributes, const auto& hint) {
    return make_backward<Primitive>(onednn.impl().engine, attributes, hint,
                                    dnnl::algorithm::convolution_direct, d.x, d.weights, d.y, d.strides,
                                    d.dilations, d.pad_begin, d.pad_end);
  });
}

template <class Conv>
OneDnnOperation weight_gradient_of(const OneDnn& onednn, const Conv& conv, WeightGradientOptions options) {
  using Primitive = dnnl::convolution_backward_weights;
  const std::string what = text_of("convolution weight gradient", conv);
  const ConvDescs hint_descs = describe(what, conv, {options.type, options.type, options.bias});
  const ConvDescs d = describe(what, conv, {options.type, Dtype::f32, options.bias});
  return weight_gradient<Primitive>(
      what, onednn, hint_descs, d, options.bias, [&](const auto& attributes, const auto& hint) {
        return make_backward<Primitive>(onednn.impl().engine, attributes, hint,
                                        dnnl::algorithm::convolution_direct, d.x, d.weights, d.bias, d.y,
                                        d.strides, d.dilations, d.pad_begin, d.pad_end);
      });
}

}  // namespace

OneDnn::OneDnn() : impl_(guarded("engine of the CPU", [] { return std::make_unique<Impl>(); })) {}
OneDnn::~OneDnn() = default;

WeightLayout WeightLayout::plain(const Conv2d& conv) {
  const Window2d& a = conv.window;
  return guarded(text_of("plain weights of", conv), [&] {
    return layout_of(memory::desc({conv.K, a.C, a.R, a.S}, DataType::f32, Tag::hwio));
  });
}

WeightLayout WeightLayout::plain(const DepthwiseConv2d& conv) {
  const Window2d& a = conv.window;
  return guarded(text_of("plain weights of", conv), [&] {
    return layout_of(memory::desc({a.C, conv.M, 1, a.R, a.S}, DataType::f32, Tag::hwigo));
  });
}

WeightLayout WeightLayout::plain(const kernels::Dense& dense) {
  return guarded(text_of("plain weights of", dense), [&] {
    return layout_of(memory::desc({dense.K, dense.C}, DataType::f32, Tag::io));
  });
}

WeightLayout WeightLayout::as_plain() const {
  constexpr Tag kTagOfRank[] = {Tag::undef, Tag::undef, Tag::io, Tag::undef, Tag::hwio, Tag::hwigo};
  const memory::dims extents = blocking_of(impl_->desc).extents;
  return layout_of({extents, DataType::f32, kTagOfRank[extents.size()]});
}

std::size_t WeightLayout::bytes() const {
  return impl_->desc.get_size();
}

bool WeightLayout::operator==(const WeightLayout& other) const {
  return impl_->desc == other.impl_->desc;
}

std::string WeightLayout::describe() const {
  const Blocking blocking = blocking_of(impl_->desc);
  const char* letters = blocking.extents.size() == 5 ? "CM1RS" : "KCRS";
  std::string text = fmt::format("{} [{}] strides [{}]", blocking.is_bf16 ? "bf16" : "f32",
                                 fmt::join(blocking.extents, ","), fmt::join(blocking.strides, ","));
  for (std::size_t i = 0; i < blocking.inner_blocks.size(); ++i)
    text += fmt::format("{}{}{}", i == 0 ? " blocks " : "x", blocking.inner_blocks[i],
                        letters[blocking.inner_dimensions[i]]);
  return text;
}

OneDnnOperation::OneDnnOperation(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OneDnnOperation::OneDnnOperation(OneDnnOperation&&) noexcept = default;
OneDnnOperation& OneDnnOperation::operator=(OneDnnOperation&&) noexcept = default;
OneDnnOperation::~OneDnnOperation() = default;

std::size_t OneDnnOperation::scratch_bytes() const {
  return impl_->scratch_bytes;
}
const WeightLayout& OneDnnOperation::weights() const {
  return impl_->weights;
}
const std::string& OneDnnOperation::implementation() const {
  return impl_->implementation;
}
bool OneDnnOperation::is_reference_implementation() const {
  return impl_->implementation.find("ref") != std::string::npos;
}
void OneDnnOperation::bind(const OneDnnOperands& operands) {
  impl_->bind(pointers_of(operands));
}
void OneDnnOperation::execute() const {
  impl_->execute();
}

OneDnnOperation convolution_forward(const OneDnn& onednn, const Conv2d& conv, ForwardOptions options) {
  return forward<dnnl::convolution_forward>("convolution forward", onednn, conv, options);
}

OneDnnOperation convolution_input_gradient(const OneDnn& onednn, const Conv2d& conv, Dtype type) {
  return input_gradient_of(onednn, conv, type);
}

OneDnnOperation convolution_weight_gradient(const OneDnn& onednn, const Conv2d& conv,
                                            WeightGradientOptions options) {
  return weight_gradient_of(onednn, conv, options);
}

OneDnnOperation convolution_forward(const OneDnn& onednn, const DepthwiseConv2d& conv,
                                    ForwardOptions options) {
  return forward<dnnl::convolution_forward>("convolution forward", onednn, conv, options);
}

OneDnnOperation convolution_input_gradient(const OneDnn& onednn, const DepthwiseConv2d& conv, Dtype type) {
  return input_gradient_of(onednn, conv, type);
}

OneDnnOperation convolution_weight_gradient(const OneDnn& onednn, const DepthwiseConv2d& conv,
                                            WeightGradientOptions options) {
  return weight_gradient_of(onednn, conv, options);
}

OneDnnOperation dense_forward(const OneDnn& onednn, const kernels::Dense& dense, ForwardOptions options) {
  return forward<dnnl::inner_product_forward>("dense forward", onednn, dense, options);
}

OneDnnOperation dense_input_gradient(const OneDnn& onednn, const kernels::Dense& dense, Dtype type) {
  using Primitive = dnnl::inner_product_backward_data;
  const std::string what = text_of("dense input gradient", dense);
  const DenseDescs d = describe(what, dense, {type, type});
  return input_gradient<Primitive>(what, onednn, d, [&](const auto& attributes, const auto& hint) {
    return make_backward<Primitive>(onednn.impl().engine, attributes, hint, d.x, d.weights, d.y);
  });
}

OneDnnOperation dense_weight_gradient(const OneDnn& onednn, const kernels::Dense& dense,
                                      WeightGradientOptions options) {
  using Primitive = dnnl::inner_product_backward_weights;
  const std::string what = text_of("dense weight gradient", dense);
  const DenseDescs hint_descs = describe(what, dense, {options.type, options.type, options.bias});
  const DenseDescs d = describe(what, dense, {options.type, Dtype::f32, options.bias});
  return weight_gradient<Primitive>(
      what, onednn, hint_descs, d, options.bias, [&](const auto& attributes, const auto& hint) {
        return make_backward<Primitive>(onednn.impl().engine, attributes, hint, d.x, d.weights, d.bias, d.y);
      });
}

WeightReorder::WeightReorder(const OneDnn& onednn, const WeightLayout& from, const WeightLayout& to) {
  const std::string what = fmt::format("weight reorder from {} to {}", from.describe(), to.describe());
  const memory::desc &source = from.impl().desc, &destination = to.impl().desc;
  impl_ = guarded(what, [&] {
    const auto& engine = onednn.impl().engine;
    const dnnl::reorder::primitive_desc description(engine, source, engine, destination, user_scratchpad());
    return prepare<dnnl::reorder>(onednn, what, description, destination,
                                  {{DNNL_ARG_FROM, kFrom, source}, {DNNL_ARG_TO, kTo, destination}});
  });
}

WeightReorder::WeightReorder(WeightReorder&&) noexcept = default;
WeightReorder& WeightReorder::operator=(WeightReorder&&) noexcept = default;
WeightReorder::~WeightReorder() = default;

std::size_t WeightReorder::scratch_bytes() const {
  return impl_->scratch_bytes;
}
const std::string& WeightReorder::implementation() const {
  return impl_->implementation;
}
void WeightReorder::bind(const void* from, void* to, void* scratch) {
  Pointers pointers{};
  pointers[kFrom] = from;
  pointers[kTo] = to;
  pointers[kScratch] = scratch;
  impl_->bind(pointers);
}
void WeightReorder::execute() const {
  impl_->execute();
}

void convert_weights(const OneDnn& onednn, const WeightLayout& from, const float* source,
                     const WeightLayout& to, float* destination) {
  WeightReorder reorder(onednn, from, to);
  const auto release = [](void* data) { operator delete (data, std::align_val_t{64}); };
  const std::size_t bytes = std::max<std::size_t>(reorder.scratch_bytes(), 1);
  const std::unique_ptr<void, decltype(release)> scratch(operator new (bytes, std::align_val_t{64}), release);
  reorder.bind(source, destination, scratch.get());
  reorder.execute();
}

}  // namespace fastnn::cpu

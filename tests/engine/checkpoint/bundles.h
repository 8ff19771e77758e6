#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/core/tensor.h"

namespace fastnn::tests {

/// The tensors of golden/checkpoints/small_v2, from the formula of checkpoints.json.
std::map<std::string, Tensor> small_tensors();

/// Writes the tensors with BundleWriter.
void save(const std::filesystem::path& prefix, const std::map<std::string, Tensor>& tensors);

/// One f32 tensor "w" with 'elements' equal values.
std::map<std::string, Tensor> filled(std::int64_t elements, float value);

}  // namespace fastnn::tests

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "data/pipeline/sample.h"
#include "engine/core/tensor.h"

namespace fastnn::tests {

/// The preprocessed images and labels that a run of golden/trajectories.json trains on.
struct CurveData {
  ImageShape shape;
  std::vector<float> pixels;
  std::vector<std::int32_t> labels;

  /// Step t's images [N, H, W, C]: samples t * N .. t * N + N - 1, from the first again behind the last.
  Tensor images(std::int64_t step, std::int64_t batch_size) const;
  /// Step t's labels [N].
  Tensor targets(std::int64_t step, std::int64_t batch_size) const;
};

/// The data that a run's "data" describes, its first batch checked against the run's figures. Nothing, with
/// the reason said, where the real files (FASTNN_DATA_DIR) are absent. Throws std::runtime_error for words it
/// does not know.
std::optional<CurveData> curve_data(const nlohmann::json& run);

}  // namespace fastnn::tests

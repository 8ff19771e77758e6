#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fastnn::optim {

/// Steps of a run if the user sets neither stop_at_step nor num_epochs.
inline constexpr std::int64_t kDefaultStopAtStep = 100;

/// What decides the length of a run. A flag that the user did not set is empty, whatever its default.
struct StopOptions {
  std::optional<std::int64_t> stop_at_step = std::nullopt;
  std::optional<std::int64_t> num_epochs = std::nullopt;
  std::int64_t samples_per_epoch = 0;
  /// Samples of all ranks and micro-batches: epochs always mean global samples.
  std::int64_t samples_per_step = 0;
};

struct Stop {
  /// Value of global_step at which the run ends.
  std::int64_t step = 0;
  /// Which flag rules and why, in one line; names the samples left over when epochs do not fill whole
  /// batches.
  std::string reason;
};

/// The length of a run: stop_at_step or num_epochs, whichever the user set; both: the smaller; none:
/// kDefaultStopAtStep. Epochs end at floor(num_epochs * samples_per_epoch / samples_per_step): batches cross
/// epochs, a last short one is not trained.
/// Throws UsageError if a set flag is below 1, if epochs rule and the sample counts are below 1, or if the
/// epochs hold less than one batch.
Stop stop_of(const StopOptions& options);

}  // namespace fastnn::optim

#pragma once

namespace fastnn::tests {

/// Whether this build has a sanitizer, which allocates and touches memory of its own.
bool sanitized();

}  // namespace fastnn::tests

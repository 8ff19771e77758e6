#pragma once

#include <string>
#include <string_view>

namespace fastnn::tests {

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

/// The message of the E that 'action' throws; "(nothing thrown)" if it does not. Other exceptions pass.
template <class E, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  return "(nothing thrown)";
}

}  // namespace fastnn::tests

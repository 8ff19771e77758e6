#include "optim/names.h"

#include <fmt/format.h>

#include "engine/core/names.h"

namespace fastnn::optim {
std::string unknown_name(std::string_view flag, std::string_view name,
                         std::span<const std::string_view> known) {
  std::string list;
  for (const std::string_view candidate : known)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", candidate.empty() ? "\"\" (empty)" : candidate);
  return fmt::format("unknown {} \"{}\"; did you mean \"{}\"? known: {}", flag, name,
                     nearest_name(name, known), list);
}

}  // namespace fastnn::optim

#include "tools/common/home_path.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "engine/base/error.h"

namespace fastnn::tools {
namespace {

std::string home_folder(std::string_view path) {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return home;
  if (const passwd* account = ::getpwuid(::getuid()); account != nullptr && account->pw_dir != nullptr)
    return account->pw_dir;
  throw UsageError("[path] {}: there is no home folder: HOME is not set; set it, or write the whole path",
                   path);
}

}  // namespace

std::string expand_home(std::string_view path) {
  for (const std::string_view beginning : {"~", "$HOME", "${HOME}"}) {
    if (!path.starts_with(beginning)) continue;
    const std::string_view rest = path.substr(beginning.size());
    if (rest.empty() || rest.starts_with('/')) return home_folder(path) + std::string(rest);
  }
  return std::string(path);
}

std::string expand_home_in_list(std::string_view list) {
  std::string expanded;
  while (true) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::size_t blanks = std::min(list.find_first_not_of(" \t"), comma);
    expanded += list.substr(0, blanks);
    expanded += expand_home(list.substr(blanks, comma - blanks));
    if (comma == list.size()) return expanded;
    expanded += ',';
    list.remove_prefix(comma + 1);
  }
}

}  // namespace fastnn::tools

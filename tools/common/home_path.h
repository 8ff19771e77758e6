#pragma once

#include <string>
#include <string_view>

namespace fastnn::tools {

/// A path whose beginning "~" or "$HOME" (also "${HOME}"), alone or before a slash, is replaced by the user's
/// home folder, as a shell does at the beginning of a word; it does not in --flag=~/data, nor in a file. Any
/// other path as it is. The home folder is $HOME, else that of the user's account. Throws UsageError if it is
/// needed and there is none.
std::string expand_home(std::string_view path);

/// The same for each path of a comma-separated list, whose blanks are kept.
std::string expand_home_in_list(std::string_view list);

}  // namespace fastnn::tools

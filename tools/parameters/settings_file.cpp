#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "engine/base/error.h"
#include "tools/parameters/setting.h"

namespace fastnn::tools {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string read_text(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw UsageError(
        "[parameters] there is no hyper-parameter file {}; give the path of one, or leave it out",
        file.string());
  if (std::filesystem::is_directory(file, error))
    throw UsageError("[parameters] expected a hyper-parameter file; {} is a folder", file.string());
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  std::array<char, 4096> part;
  while (stream.read(part.data(), part.size()) || stream.gcount() > 0)
    text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
  if (!stream.is_open() || stream.bad())
    throw EnvironmentError("[parameters] cannot read the hyper-parameter file {}; check its permissions",
                           file.string());
  return text;
}

void refuse_binary(std::string_view text, const std::filesystem::path& file) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw UsageError("[parameters] expected a hyper-parameter file of bytes; {} is UTF-16; save it as UTF-8",
                     file.string());
  if (text.find('\0') != std::string_view::npos)
    throw UsageError("[parameters] expected a hyper-parameter file of text; {} contains a zero byte",
                     file.string());
}

}  // namespace

std::vector<Setting> read_settings_file(Program program, const std::filesystem::path& file,
                                        const ParameterTable& table) {
  const std::string text = read_text(file);
  refuse_binary(text, file);
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  std::vector<Setting> settings;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const Origin origin{.kind = Origin::Kind::file, .where = fmt::format("{}:{}", file.string(), number)};
    const SettingsLine line = read_settings_line(rest.substr(0, end), origin.where);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line.name.empty()) settings.push_back({.name = line.name, .value = line.value, .origin = origin});
    for (Setting& setting : read_flags(program, line.flags, origin, table))
      settings.push_back(std::move(setting));
  }
  return settings;
}

}  // namespace fastnn::tools

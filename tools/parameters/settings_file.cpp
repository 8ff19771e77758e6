#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "engine/core/error.h"
#include "tools/parameters/setting.h"
#include "tools/parameters/value.h"

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

bool is_quote(char c) {
  return c == '"' || c == '\'';
}

std::string without_quotes(std::string_view value, const std::string& where) {
  if (value.empty()) return "";
  const bool opens = is_quote(value.front());
  const bool closes = is_quote(value.back());
  if (!opens && !closes) return std::string(value);
  if (value.size() < 2 || value.front() != value.back())
    throw UsageError("[parameters] expected a quote at both ends of the value or at none; got {} ({})", value,
                     where);
  return std::string(value.substr(1, value.size() - 2));
}

Setting read_line(std::string_view line, const std::string& where) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos)
    throw UsageError("[parameters] expected name=value or a line starting with #; got \"{}\" ({})", line,
                     where);
  std::string_view name = trimmed(line.substr(0, equals));
  for (int dashes = 0; dashes < 2 && name.starts_with('-'); ++dashes) name.remove_prefix(1);
  return {.name = std::string(name),
          .value = without_quotes(trimmed(line.substr(equals + 1)), where),
          .origin = {.kind = Origin::Kind::file, .where = where}};
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

std::vector<Setting> read_settings_file(const std::filesystem::path& file) {
  const std::string text = read_text(file);
  refuse_binary(text, file);
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  std::vector<Setting> settings;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.starts_with('#')) continue;
    settings.push_back(read_line(line, fmt::format("{}:{}", file.string(), number)));
  }
  return settings;
}

}  // namespace fastnn::tools

#include "tools/train/program.h"

#include <cstdio>

#include "nets/net_table.h"
#include "tools/common/run_program.h"
#include "tools/parameters/help.h"
#include "tools/parameters/report.h"

namespace fastnn::tools {
namespace {

std::string model_list() {
  std::string text;
  for (const NetEntry& net : net_table())
    text += fmt::format("{} ({} px): {}\n", net.name, net.default_image_size, net.origin);
  return text;
}

}  // namespace

ExitCode run_with_parameters(Program program, const std::vector<std::string>& arguments, const Run& run) {
  const Parameters parameters = parse(program, arguments);
  const auto answer = [](const std::string& text) {
    std::fputs(text.c_str(), stdout);
    return ExitCode::done;
  };
  if (parameters.flag("help"))
    return answer(help_text(parameters.table(), program, {.width = terminal_width(stdout, 100)}));
  if (parameters.flag("help_markdown")) return answer(markdown(parameters.table()));
  if (parameters.flag("version")) return answer(version_text(program_name(program)) + "\n");
  if (parameters.flag("list_models")) return answer(model_list());
  ConsoleLog log(stdout);
  log.info(version_text(program_name(program)));
  print_effective(parameters, log);
  return run(parameters, log);
}

}  // namespace fastnn::tools

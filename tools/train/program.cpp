#include "tools/train/program.h"

#include <cstdio>

#include "tools/common/run_program.h"
#include "tools/parameters/help.h"
#include "tools/parameters/report.h"
#include "tools/train/model_report.h"

namespace fastnn::tools {

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

#include "tools/train/program.h"

#include <cstdio>

#include "tools/common/run_program.h"
#include "tools/parameters/help.h"
#include "tools/parameters/report.h"
#include "tools/train/model_report.h"
#include "tools/train/run_settings.h"

namespace fastnn::tools {

ExitCode run_with_parameters(Program program, const std::vector<std::string>& arguments, const Run& run) {
  const Parameters given = parse(program, arguments);
  const auto answer = [](const std::string& text) {
    std::fputs(text.c_str(), stdout);
    return ExitCode::done;
  };
  if (given.flag("help"))
    return answer(help_text(given.table(), program, {.width = terminal_width(stdout, 100)}));
  if (given.flag("help_markdown")) return answer(markdown(given.table()));
  if (given.flag("version")) return answer(version_text(program_name(program)) + "\n");
  if (given.flag("list_models")) return answer(model_list());
  ConsoleLog log(stdout);
  log.info(version_text(program_name(program)));
  const Parameters parameters = completed_from_run(given, log);
  print_effective(parameters, log);
  return run(parameters, log);
}

}  // namespace fastnn::tools

#include "tools/common/run_program.h"
#include "tools/common/scratch_folder.h"
#include "tools/train/benchmark.h"
#include "tools/train/program.h"
#include "tools/train/trainer.h"

using namespace fastnn;
using namespace fastnn::tools;

namespace {

/// Its index of the records goes into a scratch folder, so that nothing stays.
ExitCode dry_run(const Parameters& parameters, ConsoleLog& log) {
  const ScratchFolder scratch;
  const Origin origin{.kind = Origin::Kind::command_line, .where = "dry_run", .written = {}};
  const Parameters changed = parameters.with("index_dir", scratch.path().string(), origin);
  return Trainer(changed, log).dry_run();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const std::vector<std::string>& arguments) {
    return run_with_parameters(Program::train, arguments, [](const Parameters& parameters, ConsoleLog& log) {
      if (parameters.flag("benchmark")) return benchmark(parameters, log);
      return parameters.flag("dry_run") ? dry_run(parameters, log) : Trainer(parameters, log).run();
    });
  });
}

#include "tools/common/run_program.h"
#include "tools/train/benchmark.h"
#include "tools/train/program.h"
#include "tools/train/trainer.h"

using namespace fastnn;
using namespace fastnn::tools;

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const std::vector<std::string>& arguments) {
    return run_with_parameters(Program::train, arguments, [](const Parameters& parameters, ConsoleLog& log) {
      if (parameters.flag("benchmark")) return benchmark(parameters, log);
      Trainer trainer(parameters, log);
      return parameters.flag("dry_run") ? trainer.dry_run() : trainer.run();
    });
  });
}

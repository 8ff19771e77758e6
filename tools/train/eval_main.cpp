#include "tools/common/run_program.h"
#include "tools/train/evaluator.h"
#include "tools/train/program.h"

using namespace fastnn::tools;

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const std::vector<std::string>& arguments) {
    return run_with_parameters(Program::eval, arguments, evaluate);
  });
}

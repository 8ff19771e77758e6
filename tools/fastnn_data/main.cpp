#include "tools/fastnn_data/subcommands.h"

int main(int argc, char** argv) {
  return fastnn::tools::run_subcommands(argc, argv, fastnn::tools::data_program());
}

#include "bench/subcommands.h"

int main(int argc, char** argv) {
  return fastnn::tools::run_subcommands(argc, argv, fastnn::bench::bench_program());
}

#include <cstdlib>
#include <new>
#include <vector>

#include "data/preprocess/preprocessing.h"
#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"

namespace {

/// Calls of operator new on this thread. Replaces the operator of the whole process, libfastnn included.
thread_local long allocations = 0;

}  // namespace

// noinline: gcc warns of a mismatch where it sees the body of only one of the pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

using namespace fastnn;
using namespace fastnn::tests;

TEST_CASE("preprocessing: once a thread has seen its sizes, no sample allocates memory") {
  const Image image = ramp_image(70, 90, 3);
  const PixelSource source(image);
  for (const auto mode : {PreprocessingMode::training, PreprocessingMode::evaluation})
    for (const PreprocessingEntry& entry : preprocessings()) {
      const auto preprocessing = make_preprocessing(entry.name, {.mode = mode, .output = {60, 50, 3}});
      std::vector<float> target(preprocessing->output().elements());
      const auto run_all = [&] {
        for (std::int64_t position = 0; position < 50; ++position)
          preprocessing->run(source, {.key = {.seed = 1, .position = position}}, target);
      };
      run_all();
      const long before = allocations;
      run_all();
      const long after = allocations;
      CAPTURE(entry.name);
      CHECK(after == before);
    }
  CHECK(allocations > 0);
}

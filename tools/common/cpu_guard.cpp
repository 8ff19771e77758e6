// Compiled for plain x86-64, and run from .preinit_array of each program: before the constructors of any
// shared library, thus before the first instruction an older processor does not have. It uses plain C only:
// an inline function of a header could be merged with a copy compiled for newer processors.

#include <cpuid.h>
#include <unistd.h>

namespace {

enum Register { kEbx, kEcx, kEdx };

struct Feature {
  const char* name;
  unsigned leaf;
  Register reg;
  unsigned bit;
};

constexpr Feature kFeatures[] = {
    {"SSE3", 1, kEcx, 0},           {"SSSE3", 1, kEcx, 9},   {"FMA", 1, kEcx, 12},
    {"CMPXCHG16B", 1, kEcx, 13},    {"SSE4.1", 1, kEcx, 19}, {"SSE4.2", 1, kEcx, 20},
    {"MOVBE", 1, kEcx, 22},         {"POPCNT", 1, kEcx, 23}, {"OSXSAVE", 1, kEcx, 27},
    {"AVX", 1, kEcx, 28},           {"F16C", 1, kEcx, 29},   {"BMI1", 7, kEbx, 3},
    {"AVX2", 7, kEbx, 5},           {"BMI2", 7, kEbx, 8},    {"LAHF", 0x80000001, kEcx, 0},
    {"LZCNT", 0x80000001, kEcx, 5},
};

bool has(const Feature& feature) {
  unsigned registers[3] = {};
  unsigned eax = 0;
  if (!__get_cpuid_count(feature.leaf, 0, &eax, &registers[kEbx], &registers[kEcx], &registers[kEdx]))
    return false;
  return (registers[feature.reg] >> feature.bit & 1) != 0;
}

/// The operating system saves the AVX registers.
bool keeps_avx_state() {
  unsigned low = 0;
  unsigned high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & 6) == 6;
}

struct Message {
  char text[512];
  unsigned size;
};

void append(Message& message, const char* text) {
  while (*text != '\0' && message.size < sizeof(message.text)) message.text[message.size++] = *text++;
}

void refuse(const Message& missing) {
  Message message = {};
  append(message, "fastnn needs an x86-64-v3 processor (AVX2, FMA, BMI2); this one lacks");
  append(message, missing.text);
  append(message, "; run it on a newer machine\n");
  const ssize_t ignored = write(STDERR_FILENO, message.text, message.size);
  static_cast<void>(ignored);
  _exit(4);  // ExitCode::environment
}

void check_processor(int, char**, char**) {
  Message missing = {};
  for (const Feature& feature : kFeatures) {
    if (has(feature)) continue;
    append(missing, " ");
    append(missing, feature.name);
  }
  if (missing.size == 0 && !keeps_avx_state()) append(missing, " AVX registers kept by the operating system");
  if (missing.size != 0) refuse(missing);
}

}  // namespace

/// Named so that the linker option -u takes this file out of the static library.
extern "C" {
__attribute__((section(".preinit_array"), used)) void (*fastnn_cpu_guard)(int, char**,
                                                                          char**) = check_processor;
}

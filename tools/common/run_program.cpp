#include "tools/common/run_program.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>

#include "tools/common/standard_streams.h"
#include "version.h"

namespace fastnn::tools {
namespace {

constexpr const char* kReport =
    "this is a fault of the program, not of your input; please report it with the command line and this message";

int fail(const std::string& program, ExitCode code, const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: error: %s\n", program.c_str(), message.c_str());
  return static_cast<int>(code);
}

/// The body, and its standard output safe, or left by a reader who had enough of it.
ExitCode run_and_flush(const ProgramBody& body, const std::vector<std::string>& arguments) {
  const ExitCode code = body(arguments);
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (code == ExitCode::done && !written && !reader_is_gone(stdout))
    throw EnvironmentError("[output] cannot write the standard output: {}; check where it goes",
                           std::strerror(errno));
  return code;
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

int run_program(int argc, char** argv, const ProgramBody& body) {
  const std::string program = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "fastnn";
  guard_standard_streams();
  try {
    return static_cast<int>(run_and_flush(body, {argv + (argc > 0 ? 1 : 0), argv + argc}));
  } catch (const Error& error) {
    return fail(program, error.exit_code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(
        program, ExitCode::environment,
        "[memory] the system has not enough memory; a smaller batch_size or fewer prefetched batches need less");
  } catch (const std::exception& error) {
    return fail(program, ExitCode::internal_fault, fmt::format("[internal] {}; {}", error.what(), kReport));
  } catch (...) {
    return fail(program, ExitCode::internal_fault, fmt::format("[internal] unknown exception; {}", kReport));
  }
}

std::string version_text(std::string_view program) {
  return fmt::format("{} {} ({}, x86-64-v3)", program, kVersion, compiler());
}

}  // namespace fastnn::tools

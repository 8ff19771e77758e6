#pragma once

#include <cstdio>

namespace fastnn::tools {

/// Makes writing safe for a program that must outlive its output: a closed pipe and the limit of a file's
/// size are errors of the write instead of signals that end the process, and standard streams that the
/// process was started without are opened on /dev/null the wrong way round, so that no other file gets their
/// numbers and using them is an error still.
void guard_standard_streams();

/// Whether the stream is a pipe or socket that nobody reads any more.
bool reader_is_gone(std::FILE* stream);

}  // namespace fastnn::tools

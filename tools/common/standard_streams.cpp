#include "tools/common/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <initializer_list>

namespace fastnn::tools {
namespace {

void open_if_closed(int descriptor) {
  if (fcntl(descriptor, F_GETFD) >= 0) return;
  // open() takes the lowest free number: this one, since those below are open by now.
  [[maybe_unused]] const int opened =
      open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // NOLINT: kept open for good
}

}  // namespace

void guard_standard_streams() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) open_if_closed(descriptor);
}

bool reader_is_gone(std::FILE* stream) {
  pollfd state{.fd = fileno(stream), .events = POLLOUT, .revents = 0};
  return poll(&state, 1, 0) == 1 && (state.revents & POLLERR) != 0;
}

}  // namespace fastnn::tools

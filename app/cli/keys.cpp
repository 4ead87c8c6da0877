// See keys.h.
#include "app/cli/keys.h"

#include <poll.h>
#include <unistd.h>

namespace p2plab::cli {

Keys::Keys() : is_terminal_(::isatty(STDIN_FILENO) == 1 && ::tcgetattr(STDIN_FILENO, &before_) == 0) {
  if (!is_terminal_) return;
  termios now = before_;
  now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &now);
}

Keys::~Keys() {
  if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

std::optional<char> Keys::next(int milliseconds, int fd) const {
  pollfd waits[] = {{STDIN_FILENO, POLLIN, 0}, {fd, POLLIN, 0}};
  if (::poll(waits, fd >= 0 ? 2 : 1, milliseconds) <= 0 || waits[0].revents == 0) return std::nullopt;
  char key = 0;
  return ::read(STDIN_FILENO, &key, 1) == 1 ? key : 'q';
}

}  // namespace p2plab::cli

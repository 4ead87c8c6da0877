// Keys of a subcommand that goes on while it listens.
#pragma once
#include <termios.h>

#include <optional>

namespace p2plab::cli {

/// Keys arrive one by one and unseen, where stdin is a terminal; from a pipe they come as they are.
class Keys {
 public:
  Keys();
  ~Keys();
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;
  /// The next key within so many ms; 'q' at the end of the input; nothing otherwise. Wakes up for `fd` as well (-1: none).
  std::optional<char> next(int milliseconds, int fd = -1) const;

 private:
  termios before_{};
  bool is_terminal_;
};

}  // namespace p2plab::cli

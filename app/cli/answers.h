// What the learner answers: single keys at a terminal, lines of a file or pipe otherwise.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "app/launch/interrupt.h"

namespace p2plab::cli {

class Answers {
 public:
  Answers();
  ~Answers();
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;

  bool terminal() const { return terminal_; }
  bool interrupted() const { return interrupt_.asked(); }  ///< by Ctrl-C or SIGTERM
  /// Nothing was there to read at all: no terminal, and the input ended at once.
  bool nothing() const;
  /// One key at a terminal (Enter is ""), else one line without its blanks. Nothing at the end, or after Ctrl-C. `every_second` is
  /// called with the seconds gone while a terminal waits.
  std::optional<std::string> key(const std::function<void(double)>& every_second = {});
  /// One line, edited as the terminal does.
  std::optional<std::string> line();

 private:
  std::optional<std::string> read_line();
  launch::Interrupt interrupt_;
  bool terminal_ = false, ended_ = false;
  mutable std::string buffer_;  ///< read and not yet given out
};

}  // namespace p2plab::cli

// See answers.h.
#include "app/cli/answers.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "app/report/utf8.h"

namespace p2plab::cli {

namespace {

/// The terminal gives keys as they are pressed, unseen, for as long as this lives.
class SingleKeys {
 public:
  SingleKeys() {
    if (::tcgetattr(STDIN_FILENO, &before_) != 0) return;
    termios keys = before_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    set_ = ::tcsetattr(STDIN_FILENO, TCSADRAIN, &keys) == 0;
  }
  ~SingleKeys() {
    if (set_) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
  }
  SingleKeys(const SingleKeys&) = delete;
  SingleKeys& operator=(const SingleKeys&) = delete;

 private:
  termios before_{};
  bool set_ = false;
};

/// Waits for input; false when the time is over. A signal ends the wait as well.
bool ready(int milliseconds) {
  pollfd in{STDIN_FILENO, POLLIN, 0};
  return ::poll(&in, 1, milliseconds) > 0;
}

std::string trimmed(std::string text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  std::size_t from = 0;
  while (from < text.size() && blank(text[from])) ++from;
  return text.substr(from);
}

}  // namespace

Answers::Answers() : terminal_(::isatty(STDIN_FILENO) == 1) {}
Answers::~Answers() = default;

bool Answers::nothing() const {
  if (terminal_) return false;
  if (!buffer_.empty()) return false;
  char c = 0;
  while (true) {
    const auto got = ::read(STDIN_FILENO, &c, 1);
    if (got < 0 && errno == EINTR && !interrupt_.asked()) continue;
    if (got == 1) buffer_ += c;
    return got != 1;
  }
}

std::optional<std::string> Answers::read_line() {
  while (true) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return trimmed(std::move(line));
    }
    char bytes[512];
    const auto got = ended_ ? 0 : ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (interrupt_.asked()) return std::nullopt;
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      ended_ = true;
      if (buffer_.empty()) return std::nullopt;
      return trimmed(std::exchange(buffer_, {}));
    }
    buffer_.append(bytes, static_cast<std::size_t>(got));
  }
}

std::optional<std::string> Answers::line() { return read_line(); }

std::optional<std::string> Answers::key(const std::function<void(double)>& every_second) {
  if (!terminal_) return read_line();
  const SingleKeys keys;
  const auto start = std::chrono::steady_clock::now();
  const auto gone = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  while (!ready(every_second ? 1000 : -1)) {
    if (interrupt_.asked()) return std::nullopt;
    if (every_second) every_second(gone());
  }
  std::string out;
  do {
    char c = 0;
    if (::read(STDIN_FILENO, &c, 1) != 1 || c == 4) return std::nullopt;  // 4: Ctrl-D
    if (c == '\n' || c == '\r') return "";
    out += c;
    // The rest of a character, or of the sequence that an arrow key sends, is there already.
  } while ((out[0] == 27 || report::character_length(out) == 0) && out.size() < 8 && ready(0));
  return out[0] == 27 ? std::string("\x1b") : out;
}

}  // namespace p2plab::cli

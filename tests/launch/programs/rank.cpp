// A rank that misbehaves as its first argument says.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

/// A process that belongs to nobody: new session, parent gone. Its child goes on.
bool daemonise() {
  if (::fork() != 0) return false;
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  return true;
}

[[noreturn]] void sleep_for_good() {
  for (;;) ::pause();
}

/// Every generation lives only long enough to make the next: no process number is worth killing for long.
[[noreturn]] void run_away() {
  for (;;) {
    if (::fork() != 0) ::_exit(0);
    ::usleep(200);
  }
}

/// Writes `bytes` bytes: line after line of "0123456789abcde\n".
void flood(long bytes) {
  std::string block;
  while (block.size() < 65536) block += "0123456789abcde\n";
  for (long left = bytes; left > 0;) {
    const auto chunk = static_cast<std::size_t>(left < 65536 ? left : 65536);
    const ssize_t n = ::write(STDOUT_FILENO, block.data(), chunk);
    if (n <= 0) std::_Exit(9);
    left -= n;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const long amount = argc > 2 ? std::atol(argv[2]) : 0;
  if (what == "exit") return static_cast<int>(amount);
  if (what == "crash") {
    ::raise(static_cast<int>(amount));
    return 0;
  }
  if (what == "flood") flood(amount);
  if (what == "hang") {
    std::puts("hanging");
    std::fflush(stdout);
    sleep_for_good();
  }
  if (what == "stubborn") {
    for (int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);
    std::puts("ignoring");
    std::fflush(stdout);
    sleep_for_good();
  }
  if (what == "spin") {
    for (std::atomic<long> i{0};;) {
      ++i;
    }
  }
  if (what == "eat") {  // `amount` bytes, touched, then kept
    void* memory = ::mmap(nullptr, static_cast<std::size_t>(amount), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memset(memory, 1, static_cast<std::size_t>(amount));
    sleep_for_good();
  }
  if (what == "share") {  // `amount` bytes shared with one child
    void* memory = ::mmap(nullptr, static_cast<std::size_t>(amount), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const bool child = ::fork() == 0;
    std::memset(memory, 1, static_cast<std::size_t>(amount));
    std::printf("shared %d\n", child ? 1 : 0);
    std::fflush(stdout);
    sleep_for_good();
  }
  if (what == "daemons") {  // `amount` of them, then an end that looks good
    for (long i = 0; i < amount; ++i) {
      if (daemonise()) sleep_for_good();
    }
    return 0;
  }
  if (what == "runaway") {
    if (daemonise()) run_away();
    return 0;
  }
  if (what == "where") {
    char folder[4096];
    std::printf("%s\n%s\n", ::getcwd(folder, sizeof folder), argc > 2 ? argv[2] : "");
  }
  return 0;
}

// Processes are found by number and ended as what they are: a number that belongs to somebody else by now ends nobody.
#include "app/launch/process_tree.h"

#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/catch.h"

using namespace p2plab::launch;

namespace {

pid_t sleeper() {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::pause();
    ::_exit(0);
  }
  return pid;
}

/// A child of this process that bears the number of one that is gone; -1 where that is not allowed.
pid_t sleeper_with_number(pid_t number) {
  clone_args arguments{};
  arguments.exit_signal = SIGCHLD;
  arguments.set_tid = reinterpret_cast<std::uint64_t>(&number);
  arguments.set_tid_size = 1;
  const auto pid = static_cast<pid_t>(::syscall(SYS_clone3, &arguments, sizeof arguments));
  if (pid == 0) {
    ::pause();
    ::_exit(0);
  }
  return pid;
}

bool alive(pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) == 0; }

void end(pid_t pid) {
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

}  // namespace

TEST_CASE("a recycled number: who stands elsewhere by now is left alone") {
  const pid_t tree = sleeper(), number = sleeper();
  kill_descendant(number, tree);  // found below `tree` a moment ago, as it were
  CHECK(alive(number));
  kill_descendant(number, ::getpid());
  int status = 0;
  ::waitpid(number, &status, 0);
  CHECK(WIFSIGNALED(status));
  // The number is free now, and is given to somebody else.
  const pid_t stranger = sleeper_with_number(number);
  if (stranger != number) {
    WARN("skipped: this system gives no process a stated number");
  } else {
    kill_descendant(number, tree);
    CHECK(alive(stranger));
    end(stranger);
  }
  end(tree);
}

TEST_CASE("children that are not chosen are left alone") {
  const pid_t chosen = sleeper(), other = sleeper();
  CHECK(end_children([&](pid_t pid) { return pid == chosen; }, 5000));
  CHECK(alive(other));
  end(other);
}

// Keys of the subcommands that go on while they listen, at a real terminal: watch, check --step, run --step.
#include <poll.h>
#include <pty.h>

#include <chrono>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;

namespace {

const std::string kLabs = P2PLAB_SOURCE_DIR "/labs";

/// p2plab at a terminal of its own.
class AtTerminal {
 public:
  AtTerminal(const Scratch& scratch, const std::vector<std::string>& arguments) {
    winsize size{};
    size.ws_col = 100;
    size.ws_row = 60;
    const std::string data = (scratch / "data").string();
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    setenv("NO_COLOR", "1", 1);
    setenv("LANG", "C.UTF-8", 1);
    setenv("XDG_DATA_HOME", data.c_str(), 1);
    std::vector<char*> argv{const_cast<char*>(P2PLAB_BUILD_DIR "/bin/p2plab")};
    for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
    argv.push_back(nullptr);
    alarm(180);
    execv(argv[0], argv.data());
    _exit(127);
  }
  ~AtTerminal() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(terminal_);
  }
  AtTerminal(const AtTerminal&) = delete;
  AtTerminal& operator=(const AtTerminal&) = delete;

  /// All that was written so far, read or not.
  const std::string& said() const { return said_; }
  /// Reads until these words have been written since the last call; false at the end of the program or after two minutes.
  bool says(const std::string& words) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    for (;;) {
      if (const std::size_t at = unread_.find(words); at != std::string::npos) {
        unread_.erase(0, at + words.size());
        return true;
      }
      if (std::chrono::steady_clock::now() > until || !read_more()) return false;
    }
  }
  void press(char key) const { CHECK(write(terminal_, &key, 1) == 1); }
  /// Its exit status; -1 when a signal ended it.
  int ended() {
    while (read_more()) {
    }
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  const std::string& unread() const { return unread_; }

 private:
  bool read_more() {
    pollfd wait{terminal_, POLLIN, 0};
    if (::poll(&wait, 1, 1000) == 0) return true;
    char buffer[4096];
    const ssize_t n = read(terminal_, buffer, sizeof buffer);
    if (n > 0) unread_.append(buffer, static_cast<std::size_t>(n)), said_.append(buffer, static_cast<std::size_t>(n));
    return n > 0;
  }
  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string unread_, said_;
};

}  // namespace

TEST_CASE("Watching a lab: h is a hint, a save is another check, n is the next lab, q is the end") {
  const Scratch scratch;
  const std::string mine = (scratch / "mine").string();
  REQUIRE(p2plab({"start", "1", mine, "--labs", kLabs}, {{"XDG_DATA_HOME", (scratch / "data").string()}}).status == 0);
  AtTerminal watch(scratch, {"watch", "1", "--labs", kLabs, "--lang", "en"});
  REQUIRE(watch.says("Expected 20 matched messages, saw 0."));
  REQUIRE(watch.says("Save it to check again."));
  watch.press('h');
  CHECK(watch.says("Hint 1 of 4"));
  watch.press('h');
  CHECK(watch.says("Hint 2 of 4"));
  fs::copy_file(kLabs + "/01-hello-ping-pong/solution.cpp", mine + "/ping_pong.cpp", fs::copy_options::overwrite_existing);
  CHECK(watch.says("Passed. One question"));
  REQUIRE(watch.says("Save it to check again."));
  watch.press('n');
  CHECK(watch.says("Next: 02-"));
  watch.press('q');
  CHECK(watch.ended() == 0);
  CHECK(watch.said().find("No spans") == std::string::npos);  // before the first there is nothing to say
}

TEST_CASE("Keys are heard while a rank computes and never comes to its next call") {
  const Scratch scratch;
  const std::string file = (scratch / "busy.cpp").string();
  std::ofstream(file) << "#include \"lab.h\"\nint main(int argc, char** argv) {\n  MPI_Init(&argc, &argv);\n  volatile bool on = lab::rank() == 0;\n  while (on) {\n  }\n"
                         "  MPI_Barrier(MPI_COMM_WORLD);\n  MPI_Finalize();\n}\n";
  AtTerminal check(scratch, {"check", "3", file, "--step", "--labs", kLabs, "--lang", "en"});
  REQUIRE(check.says("Keys:"));
  check.press('q');
  CHECK(check.ended() == 0);  // else its limit, or that of this test, would have ended it
}

TEST_CASE("Stepping through the demo causes its deadlock by hand") {
  const Scratch scratch;
  AtTerminal run(scratch, {"run", "deadlock", "--step", "--lang", "en"});
  REQUIRE(run.says("rank 1: held"));
  run.press('a');  // both meet in a barrier
  REQUIRE(run.says("rank 1: held before the call at"));
  run.press('0');
  REQUIRE(run.says("rank 0: waits in send"));
  run.press('1');
  CHECK(run.says("Deadlock"));
  CHECK(run.ended() == 0);  // what the demo promises
}

TEST_CASE("Letting all ranks of a demo go gives an ordinary run, and q ends one that is held") {
  const Scratch scratch;
  AtTerminal run(scratch, {"run", "deadlock", "--set", "variant=ordered", "--step", "--lang", "en"});
  REQUIRE(run.says("rank 1: held"));
  run.press('c');
  CHECK(run.says("Pass"));
  CHECK(run.ended() == 0);
  AtTerminal held(scratch, {"run", "deadlock", "--step", "--lang", "en"});
  REQUIRE(held.says("rank 1: held"));
  held.press('q');
  CHECK(held.ended() > 0);
}

TEST_CASE("Nobody can be held on the virtual clock, and that is said in one sentence") {
  const Ended demo = p2plab({"run", "pipeline", "--backend", "sim", "--step", "--lang", "en"});
  CHECK(demo.status == 2);
  CHECK(demo.err.find("--backend host") != std::string::npos);
  CHECK(lines(demo.err) == 1);
}

TEST_CASE("Lab 3 is driven into its deadlock by keys") {
  const Scratch scratch;
  AtTerminal check(scratch, {"check", "3", kLabs + "/03-deadlock-clinic/starter.cpp", "--step", "--labs", kLabs, "--lang", "en"});
  REQUIRE(check.says("rank 0: held"));
  for (int call = 0; call < 12 && check.unread().find("Deadlock") == std::string::npos; ++call) {
    check.press('a');
    if (check.says("waits in")) break;
  }
  check.press('a');
  CHECK(check.says("Deadlock"));
  CHECK(check.ended() == 1);
}

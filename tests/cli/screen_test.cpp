// What a run looks like to somebody before a narrow screen: every line fits, so that nothing wraps by itself.
#include <pty.h>

#include "app/report/utf8.h"
#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;

namespace {

/// All that p2plab writes to a terminal of `columns`, from the last time it cleared what stood there.
std::string on_screen(int columns, const std::vector<std::string>& arguments) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = 60;
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) {
    setenv("NO_COLOR", "1", 1);
    setenv("LANG", "C.UTF-8", 1);
    std::vector<char*> argv{const_cast<char*>(P2PLAB_BUILD_DIR "/bin/p2plab")};
    for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
    argv.push_back(nullptr);
    alarm(60);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::string out;
  char buffer[4096];
  for (ssize_t n; (n = read(terminal, buffer, sizeof buffer)) > 0;) out.append(buffer, static_cast<std::size_t>(n));
  waitpid(pid, nullptr, 0);
  close(terminal);
  const std::size_t cleared = out.rfind("\x1b[J");
  return cleared == std::string::npos ? out : out.substr(cleared + 3);
}

/// Columns of an English line: one for each character.
int columns(const std::string& line) {
  int n = 0;
  for (const char c : line) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80 && c != '\r' ? 1 : 0;
  return n;
}

}  // namespace

TEST_CASE("before a narrow screen timeline, verdict, numbers and evidence are broken into lines that fit") {
  for (const int width : {30, 50, 79}) {
    const std::string shown = on_screen(width, {"run", "deadlock"});
    INFO(width << "\n" << shown);
    CHECK(shown.find("Deadlock") != std::string::npos);
    CHECK(shown.find("MPI_Send") != std::string::npos);
    for (std::size_t at = 0; at < shown.size();) {
      const std::size_t end = std::min(shown.find('\n', at), shown.size());
      CHECK(columns(shown.substr(at, end - at)) <= width);
      at = end + 1;
    }
  }
}

TEST_CASE("in a help every description begins in one column, whatever the names are written in") {
  for (const char* lang : {"en", "zh"})
    for (const std::vector<std::string>& command : {std::vector<std::string>{"verify"}, {"check"}, {"drill"}, {"cards"}, {"run"}, {"bench", "record"}}) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {"--help", "--lang", lang});
      std::istringstream in(cli_test::p2plab(words).out);
      int described = 0;
      for (std::string line; std::getline(in, line);) {
        const std::size_t gap = line.rfind("  ");
        if (!line.starts_with("  ") || line.starts_with("   ") || line.starts_with("  p2plab") || gap < 2 || gap == std::string::npos) continue;
        INFO(line);
        CHECK(p2plab::report::columns(line.substr(0, gap + 2)) == 34);
        ++described;
      }
      CHECK(described >= 2);
    }
}

// What a run looks like to somebody before a narrow screen: every line fits, so that nothing wraps by itself.
#include <pty.h>

#include <sstream>
#include <tuple>

#include "app/report/utf8.h"
#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;

namespace {

/// A p2plab before a terminal of this size.
class AtTerminal {
 public:
  AtTerminal(int columns, const std::vector<std::string>& arguments, const fs::path& data = {}, int rows = 60) {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = static_cast<unsigned short>(rows);
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    setenv("NO_COLOR", "1", 1);
    setenv("LANG", "C.UTF-8", 1);
    if (!data.empty()) setenv("XDG_DATA_HOME", data.c_str(), 1);
    std::vector<char*> argv{const_cast<char*>(P2PLAB_BUILD_DIR "/bin/p2plab")};
    for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
    argv.push_back(nullptr);
    alarm(120);
    execv(argv[0], argv.data());
    _exit(127);
  }
  /// Reads on until `what` was written; false when it ends before.
  bool until(const std::string& what) {
    for (std::size_t from = out_.size(); out_.find(what, from > what.size() ? from - what.size() : 0) == std::string::npos;)
      if (!more()) return false;
    return true;
  }
  void type(const std::string& keys) const { REQUIRE(write(terminal_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size())); }
  /// All that was written, once it has ended.
  const std::string& end() {
    while (more()) {
    }
    waitpid(pid_, nullptr, 0);
    close(terminal_);
    return out_;
  }

 private:
  bool more() {
    char buffer[4096];
    const ssize_t n = read(terminal_, buffer, sizeof buffer);
    if (n > 0) out_.append(buffer, static_cast<std::size_t>(n));
    return n > 0;
  }
  pid_t pid_ = -1;
  int terminal_ = -1;
  std::string out_;
};

/// All that p2plab writes to a terminal of `columns`, from the last time it cleared what stood there.
std::string on_screen(int columns, const std::vector<std::string>& arguments) {
  AtTerminal run(columns, arguments);
  const std::string& out = run.end();
  const std::size_t cleared = out.rfind("\x1b[2K");
  return cleared == std::string::npos ? out : out.substr(cleared + 4);
}

/// What a terminal shows, and what has left its upper edge. What is seen moves up there, too, when all of it is cleared at once, as in
/// tmux and others.
class Screen {
 public:
  Screen(int columns, int rows) : columns_(columns), rows_(static_cast<std::size_t>(rows)) {}
  void show(const std::string& bytes) {
    for (std::size_t i = 0; i < bytes.size();) {
      if (bytes[i] == '\x1b' && i + 1 < bytes.size() && bytes[i + 1] == '[') {
        const std::size_t end = std::min(bytes.find_first_not_of("0123456789;?", i + 2), bytes.size() - 1);
        obey(bytes[end], std::atoi(bytes.substr(i + 2, end - i - 2).c_str()));
        i = end + 1;
      } else {
        const std::size_t length = std::max<std::size_t>(1, p2plab::report::character_length(std::string_view(bytes).substr(i)));
        put(bytes.substr(i, length));
        i += length;
      }
    }
  }
  /// From the first line that has left it to the last that is seen.
  std::string all() const {
    std::string out = gone_;
    for (const auto& row : rows_) out += joined(row) + "\n";
    return out;
  }

 private:
  using Row = std::vector<std::string>;
  static std::string joined(const Row& row) {
    std::string out;
    for (const auto& cell : row) out += cell;
    return out;
  }
  void obey(char final, int n) {
    if (final == 'A') row_ -= std::min(row_, static_cast<std::size_t>(std::max(n, 1)));
    if (final == 'H') row_ = column_ = 0;
    if (final == 'K') rows_[row_].clear();
    if (final == 'J' && (n == 2 || (row_ == 0 && column_ == 0)))
      for (const auto& row : rows_)
        if (!row.empty()) gone_ += joined(row) + "\n";
    if (final == 'J')
      for (std::size_t row = n == 2 ? 0 : row_; row < rows_.size(); ++row) rows_[row].clear();
  }
  void put(const std::string& character) {
    if (character == "\r") {
      column_ = 0;
    } else if (character == "\n") {
      down();
    } else {
      if (column_ >= static_cast<std::size_t>(columns_)) down(), column_ = 0;
      Row& row = rows_[row_];
      if (row.size() <= column_) row.resize(column_ + 1, " ");
      row[column_] = character;
      column_ += static_cast<std::size_t>(p2plab::report::columns(character));
    }
  }
  void down() {
    if (++row_ < rows_.size()) return;
    row_ = rows_.size() - 1;
    gone_ += joined(rows_.front()) + "\n";
    rows_.erase(rows_.begin());
    rows_.emplace_back();
  }
  int columns_;
  std::vector<Row> rows_;
  std::size_t row_ = 0, column_ = 0;
  std::string gone_;
};

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
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

TEST_CASE("when a run or a check ends, the pictures drawn while it went on are neither on the screen nor above it") {
  const Scratch scratch;
  const std::string labs = P2PLAB_SOURCE_DIR "/labs";
  const std::vector<std::tuple<std::vector<std::string>, int, int>> all{
      // of the run its own picture stays, of a failed check that of the first failure, of a passed one none
      {{"run", "pipeline", "--set", "microbatches=16"}, 24, 1},
      {{"run", "pipeline", "--set", "microbatches=16"}, 8, 1},
      {{"check", "9", labs + "/09-gpipe/starter.cpp", "--labs", labs}, 60, 1},
      {{"check", "9", labs + "/09-gpipe/solution.cpp", "--labs", labs}, 60, 0}};
  for (const auto& [arguments, rows, pictures] : all) {
    AtTerminal run(100, arguments, scratch / "data", rows);
    const std::string written = run.end();
    Screen screen(100, rows);
    screen.show(written);
    INFO(arguments[0] << " " << rows << "\n" << screen.all());
    CHECK(count(written, "rank 0 ") > pictures);  // it was drawn while it went on
    CHECK(count(screen.all(), "rank 0 host") == pictures);
  }
}

TEST_CASE("watch goes on with the next lab behind the present one that is not passed, not with the first") {
  const Scratch scratch;
  const std::string labs = P2PLAB_SOURCE_DIR "/labs", mine = (scratch / "mine").string();
  REQUIRE(cli_test::p2plab({"start", "3", mine, "--labs", labs}, {{"XDG_DATA_HOME", (scratch / "data").string()}}).status == 0);
  std::ofstream(mine + "/clinic.cpp") << "int main() { return nothing; }\n";  // a check that is over soon
  AtTerminal watch(100, {"watch", "3", "--labs", labs, "--lang", "en"}, scratch / "data");
  REQUIRE(watch.until("Watching"));
  watch.type("n");
  REQUIRE(watch.until("Next"));
  watch.type("q");
  const std::string said = watch.end();
  INFO(said);
  CHECK(said.find("04-who-owns-the-buffer") != std::string::npos);
  CHECK(said.find("01-hello-ping-pong") == std::string::npos);
}

TEST_CASE("off a screen no line is broken, before one none is wider than it") {
  for (const char* lang : {"en", "zh"}) {
    const std::vector<std::string> words{"run", "corruption", "--backend", "sim", "--lang", lang};
    std::istringstream piped(cli_test::p2plab(words).out);
    int longest = 0;
    for (std::string line; std::getline(piped, line);) longest = std::max(longest, p2plab::report::columns(line));
    CHECK(longest > 100);  // a sentence stands in one line
    const std::string shown = on_screen(60, words);
    std::istringstream lines(shown);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      INFO(line);
      CHECK(p2plab::report::columns(line) <= 60);
    }
  }
}

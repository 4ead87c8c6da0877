// How the tables of p2plab sim stand in a terminal.
#include <set>
#include <sstream>

#include "app/report/utf8.h"
#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace p2plab;

namespace {

/// Columns of the longest line.
int widest(const std::string& text) {
  int most = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) most = std::max(most, report::columns(line));
  return most;
}

}  // namespace

TEST_CASE("tables of schedules and of stages fit the terminal and stand in columns, in both languages") {
  const std::vector<std::string> compared{"sim", "--compare", "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "zb-v", "zb-auto", "allreduce-gpipe", "-p", "4", "-m", "8", "--latency", "1us"};
  for (const char* language : {"en", "zh"})
    for (const int columns : {80, 100, 160}) {
      auto words = compared;
      words.insert(words.end(), {"--lang", language});
      const auto ended = cli_test::p2plab(words, {{"COLUMNS", std::to_string(columns)}});
      INFO(columns << "\n" << ended.out);
      CHECK(widest(ended.out) <= columns);
      const std::string wide = std::string(language) == "en" ? "idle/ideal" : "空闲/理想";
      // What there is no room for is named instead.
      CHECK((ended.out.find(wide) < ended.out.find("gpipe  ")) == (columns >= 100));
      CHECK(ended.out.find(wide) != std::string::npos);
      std::set<int> ends;  // of the column of makespans
      std::istringstream lines(ended.out.substr(ended.out.find("\n\n")));
      for (std::string line; std::getline(lines, line);)
        if (const auto unit = line.find(" ms  "); unit != std::string::npos) ends.insert(report::columns(line.substr(0, unit)));
      CHECK(ends.size() == 1);
    }
  for (const char* id : {"gpipe", "zb-h1", "zb-auto", "allreduce-1f1b"})
    for (const char* language : {"en", "zh"}) {
      const std::string out = cli_test::p2plab({"sim", id, "-p", "4", "-m", "8", "--latency", "1us", "--summary", "--lang", language}).out;
      INFO(out);
      CHECK(widest(out) <= 100);
    }
  // A sentence among the numbers pushes nothing aside.
  std::istringstream lines(cli_test::p2plab({"sim", "zb-h1", "-p", "4", "-m", "8"}).out);
  for (std::string line; std::getline(lines, line);)
    if (const auto at = line.find("ideal "); line.find("(idle/total)") != std::string::npos) CHECK(at < 45);
}

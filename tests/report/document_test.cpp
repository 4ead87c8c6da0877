// A lesson in a terminal: no line wider than it, tables that can be read, nothing lost.
#include "app/report/terminal_document.h"

#include "app/content/lesson.h"
#include "app/content/markdown.h"
#include "app/report/lesson_number.h"
#include "app/report/utf8.h"
#include "tests/support/catch.h"

using namespace p2plab;
namespace fs = std::filesystem;

namespace {

const fs::path kAssets = fs::path(P2PLAB_SOURCE_DIR) / "assets";

const content::Text& words() {
  static const content::Text text(kAssets / "text");
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string shown(const std::string& markdown, int columns, report::Terminal::Colour colour = report::Terminal::Colour::none) {
  report::Terminal terminal;
  terminal.columns = columns;
  terminal.colour = colour;
  std::string out;
  for (const auto& block : content::parse_markdown(markdown, "page.md").blocks) out += report::terminal_block(block, words(), terminal);
  return out;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

}  // namespace

TEST_CASE("every text of every lesson fits a narrow and a wide terminal, in both languages") {
  for (const auto& lesson : content::load_lessons(kAssets / "lessons"))
    for (const auto language : {content::Language::en, content::Language::zh})
      for (const int width : {40, 80, 200}) {
        report::Terminal terminal;
        terminal.columns = width;
        for (const auto& block : content::lesson_text(lesson, language).blocks) {
          if (block.kind == content::Block::Kind::code) continue;  // code is not broken
          for (const std::string& line : lines_of(report::terminal_block(block, words(), terminal))) {
            INFO(lesson.id << ":" << block.line << ": " << line);
            CHECK(report::columns(line) <= width);
          }
        }
      }
}

TEST_CASE("a wide table keeps its columns by breaking cells, a very narrow one becomes a list") {
  const std::string table = "| Call | Returns when |\n|---|---|\n| `MPI_Ssend` | the buffer may be reused and the receive has started |\n";
  const auto wide = lines_of(shown(table, 80));
  REQUIRE(wide.size() == 3);
  CHECK(wide[0].starts_with("Call"));
  CHECK(wide[2].find("`MPI_Ssend`  the buffer") == 0);
  const auto narrow = lines_of(shown(table, 36));
  CHECK(narrow.size() > 3);
  CHECK(narrow[2].starts_with("`MPI_Ssend`  the buffer"));
  CHECK(narrow[3].starts_with("             "));
  const std::string list = shown(table, 16);
  CHECK(list.find("Returns when\n  ") != std::string::npos);
  CHECK(without_blanks(list).find("thereceivehasstarted") != std::string::npos);
}

TEST_CASE("lists, callouts and code have their marks, and colour only where there is some") {
  const std::string page = "1. one\n2. two\n\n> [!say]\n> Hello **there**.\n\n```console\n$ p2plab demos\n```\n";
  const std::string plain = shown(page, 60);
  CHECK(plain.find("1. one\n2. two\n") != std::string::npos);
  CHECK(plain.find("│ " + words()("lesson.callout_say") + "\n│ Hello there.") != std::string::npos);
  CHECK(plain.find("    $ p2plab demos") != std::string::npos);
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(shown(page, 60, report::Terminal::Colour::full).find('\x1b') != std::string::npos);
}

TEST_CASE("a number of a command's JSON is shown by its name, and a guess is compared in the unit it was asked in") {
  const auto json = nlohmann::ordered_json::parse(
      R"({"verdict":"unsafe","metrics":{"makespan_ns":33000000,"bubble_ratio":0.27272727,"peak_in_flight":[4,3],"corrupt_bytes":65536,"idle_by_cause":{"drain":9000000}},"runs":[{"n":1},{"n":2.5}]})");
  CHECK(report::shown_number(json, "metrics.makespan_ns") == "33.000 ms");
  CHECK(report::shown_number(json, "metrics.bubble_ratio") == "27.27 %");
  CHECK(report::shown_number(json, "metrics.peak_in_flight") == "4 3");
  CHECK(report::shown_number(json, "metrics.peak_in_flight.1") == "3");
  CHECK(report::shown_number(json, "metrics.corrupt_bytes") == "64 KiB");
  CHECK(report::shown_number(json, "metrics.idle_by_cause.drain") == "9.000 ms");
  CHECK(report::shown_number(json, "runs.1.n") == "2.5");
  CHECK(report::shown_number(json, "verdict") == "unsafe");
  CHECK(report::shown_number(json, "metrics.none").empty());
  using Score = report::Guess::Score;
  CHECK(report::guess_unit("metrics.bubble_ratio") == "%");
  CHECK(report::compare_guess("27 %", json, "metrics.bubble_ratio")->score == Score::right);
  CHECK(report::compare_guess("about 40 ms", json, "metrics.makespan_ns")->score == Score::close);
  CHECK(report::compare_guess("96", json, "metrics.makespan_ns")->score == Score::off);
  CHECK_FALSE(report::compare_guess("no idea", json, "metrics.makespan_ns"));
  CHECK_FALSE(report::compare_guess("3", json, "verdict"));
}

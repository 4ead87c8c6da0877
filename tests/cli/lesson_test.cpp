// The lessons as a learner meets them: every number that a command makes is made by it, and they can be read with and
// without a terminal.
#include "app/content/lesson.h"

#include <pty.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/check/demo_run.h"
#include "app/content/live_block.h"
#include "app/content/structure.h"
#include "app/report/lesson_number.h"
#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;
namespace check = p2plab::check;
namespace content = p2plab::content;
namespace report = p2plab::report;
using content::Block;
using content::Language;

namespace {

const fs::path kTree = P2PLAB_SOURCE_DIR;

const std::vector<content::Lesson>& all_lessons() {
  static const auto lessons = content::load_lessons(kTree / "assets/lessons");
  return lessons;
}

/// A number in a lesson and the command that makes it.
struct Tied {
  std::vector<std::string> command;
  std::string look, value, where;
};

std::vector<Tied> tied_numbers(const content::Lesson& lesson, Language language) {
  std::vector<Tied> out;
  content::each_block(content::lesson_text(lesson, language).blocks, [&](const Block& block) {
    const std::string where = lesson.id + ":" + std::to_string(block.line);
    if (block.kind == Block::Kind::live && !block.live.value.empty()) out.push_back({block.live.command, block.live.look, block.live.value, where});
    if (block.kind == Block::Kind::figure) out.push_back({block.figure.command, block.figure.look, block.figure.value, where});
  });
  return out;
}

/// What the command says as JSON; each command runs once for all lessons.
const nlohmann::ordered_json& answer_of(const std::vector<std::string>& command) {
  static std::map<std::vector<std::string>, nlohmann::ordered_json> known;
  if (const auto found = known.find(command); found != known.end()) return found->second;
  std::vector<std::string> words = command;
  words.insert(words.end(), {"--json", "-", "--lang", "en"});
  const Ended ended = cli_test::p2plab(words);
  INFO(content::typed_command(command) << "\n" << ended.err);
  CHECK(ended.status == 0);
  return known[command] = nlohmann::ordered_json::parse(ended.out, nullptr, false);
}

/// The `$ p2plab …` lines of a console block, each with the lines that follow it.
struct Console {
  std::vector<std::string> words;
  std::vector<std::string> lines;
};
std::vector<Console> consoles(const content::Document& document) {
  std::vector<Console> out;
  content::each_block(document.blocks, [&](const Block& block) {
    if (block.kind != Block::Kind::code || block.word != "console") return;
    std::istringstream in(block.text);
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("$ p2plab ")) out.push_back({content::command_words(line.substr(9)), {}});
      else if (!out.empty()) out.back().lines.push_back(line);
    }
  });
  return out;
}

/// With one blank wherever there are some: how wide columns are is a matter of their headings.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' || (!out.empty() && out.back() != ' ' && out.back() != '\n')) out += c;
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

/// A terminal with somebody before it who types `keys`.
std::string attended(const std::string& keys, const std::vector<std::string>& arguments) {
  const fs::path reader = fs::temp_directory_path() / ("p2plab-test-reader-" + std::to_string(getpid()));
  winsize size{};
  size.ws_col = 80;
  size.ws_row = 24;
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) {
    setenv("NO_COLOR", "1", 1);
    setenv("LANG", "C.UTF-8", 1);
    setenv("XDG_DATA_HOME", reader.c_str(), 0);  // what is read here is not the learner's
    std::vector<char*> argv{const_cast<char*>(P2PLAB_BUILD_DIR "/bin/p2plab")};
    for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
    argv.push_back(nullptr);
    alarm(120);
    execv(argv[0], argv.data());
    _exit(127);
  }
  if (write(terminal, keys.data(), keys.size()) < 0) return {};
  std::string out;
  char buffer[4096];
  for (ssize_t n; (n = read(terminal, buffer, sizeof buffer)) > 0;) out.append(buffer, static_cast<std::size_t>(n));
  int status = 0;
  waitpid(pid, &status, 0);
  close(terminal);
  fs::remove_all(reader);
  CHECK(WIFEXITED(status));
  return out + (WIFEXITED(status) ? "status " + std::to_string(WEXITSTATUS(status)) : "");
}

double number_of(const std::string& value) { return std::strtod(value.c_str(), nullptr); }

}  // namespace

TEST_CASE("every number of a lesson that a command makes is made by that command") {
  int numbers = 0;
  for (const auto& lesson : all_lessons()) {
    for (const Tied& tied : tied_numbers(lesson, Language::en)) {  // the other language has the same, see test-content
      INFO(tied.where << ": " << content::typed_command(tied.command) << ", " << tied.look);
      CHECK(report::shown_number(answer_of(tied.command), tied.look) == tied.value);
      ++numbers;
    }
  }
  CHECK(numbers >= 40);
}

TEST_CASE("what a lesson asks before a run is answered by the very command it prints") {
  // On the virtual clock by a number that is checked above; on real ranks, which differ, by one that the demo has.
  for (const auto& lesson : all_lessons())
    content::each_block(content::lesson_text(lesson, Language::en).blocks, [&](const Block& block) {
      if (block.kind != Block::Kind::live || block.live.ask.empty()) return;
      const auto kind = block.live.kind;
      if (kind != content::Live::Kind::demo && kind != content::Live::Kind::sim) return;
      const auto& words = block.live.command;
      INFO(lesson.id << ":" << block.line << ": " << block.live.ask << "\n" << content::typed_command(words));
      CHECK_FALSE(block.live.look.empty());
      const bool exact = kind == content::Live::Kind::sim || std::adjacent_find(words.begin(), words.end(), [](const auto& a, const auto& b) { return a == "--backend" && b == "sim"; }) != words.end();
      if (exact) {
        CHECK_FALSE(block.live.value.empty());
      } else {
        const auto metrics = check::load_demo(kTree / "demos" / block.live.id).metrics;
        const std::string name = block.live.look.substr(block.live.look.find('.') + 1);
        CHECK(std::find(metrics.begin(), metrics.end(), name) != metrics.end());
      }
    });
}

TEST_CASE("a path may name a row of a table by what stands in it") {
  const auto json = nlohmann::ordered_json::parse(R"({"t":[{"n":8,"way":"a","time_ns":1000000},{"n":8,"way":"b","time_ns":2000000}]})");
  CHECK(report::shown_number(json, "t.n=8,way=b.time_ns") == "2.000 ms");
  CHECK(report::shown_number(json, "t.n=8.time_ns") == "1.000 ms");
  CHECK(report::shown_number(json, "t.n=9.time_ns").empty());
  CHECK(report::shown_number(json, "t.m=8.time_ns").empty());
}

TEST_CASE("a figure's number stands in the text of its section") {
  for (const auto& lesson : all_lessons())
    for (const auto language : {Language::en, Language::zh}) {
      std::vector<std::string> numbers, wanted;
      const auto end_section = [&] {
        for (const std::string& value : wanted) {
          bool found = false;
          for (const std::string& number : numbers) found = found || std::abs(number_of(number) - number_of(value)) < 1e-9;
          INFO(lesson.id << ": " << value << " stands in no sentence of its section");
          CHECK(found);
        }
        numbers.clear();
        wanted.clear();
      };
      content::each_block(content::lesson_text(lesson, language).blocks, [&](const Block& block) {
        if (block.kind == Block::Kind::heading) end_section();
        if (block.kind == Block::Kind::figure) wanted.push_back(block.figure.value);
        std::string text = content::plain_text(block.inlines) + " " + block.live.ask + " " + block.live.why;
        for (const auto& row : block.rows)
          for (const auto& cell : row) text += " " + content::plain_text(cell);
        for (std::string& number : content::numbers_in(text)) numbers.push_back(std::move(number));
      });
      end_section();
    }
}

TEST_CASE("every line below a command of a console block is printed by it, in the page's language") {
  int commands = 0;
  for (const auto& lesson : all_lessons())
    for (const auto language : {Language::en, Language::zh})
      for (const Console& console : consoles(content::lesson_text(lesson, language))) {
        std::vector<std::string> words = console.words;
        words.insert(words.end(), {"--lang", language == Language::zh ? "zh" : "en"});
        const Ended ended = cli_test::p2plab(words);
        CHECK(ended.status == 0);
        CHECK_FALSE(console.lines.empty());
        for (const std::string& line : console.lines) {
          INFO(lesson.id << ": " << line << "\n" << ended.out << ended.err);
          CHECK(squeezed(ended.out).find(squeezed(line)) != std::string::npos);
        }
        ++commands;
      }
  CHECK(commands >= 22);
}

TEST_CASE("a lesson sets only what a demo has") {
  for (const auto& lesson : all_lessons())
    content::each_block(content::lesson_text(lesson, Language::en).blocks, [&](const Block& block) {
      if (block.kind != Block::Kind::live || block.live.kind != content::Live::Kind::demo) return;
      const fs::path folder = kTree / "demos" / block.live.id;
      if (!fs::exists(folder / "demo.toml")) return;  // listed in test-content
      check::RunRequest request;
      request.demo = block.live.id;
      const auto& words = block.live.command;
      for (std::size_t i = 2; i + 1 < words.size(); ++i) {
        if (words[i] == "--set") request.knobs[words[i + 1].substr(0, words[i + 1].find('='))] = words[i + 1].substr(words[i + 1].find('=') + 1);
        if (words[i] == "--backend") request.backend = words[i + 1];
        if (words[i] == "--semantics") request.semantics = words[i + 1];
        if (words[i] == "--ranks") request.ranks = std::stoi(words[i + 1]);
        if (words[i] == "--link") request.link = words[i + 1];
      }
      INFO(lesson.id << ":" << block.line << " " << content::typed_command(words));
      CHECK_NOTHROW(check::complete(check::load_demo(folder), request));
    });
}

TEST_CASE("a prediction in words counts when it is the word that came out, in either language") {
  const content::Text text(kTree / "assets/text");
  for (const char* said : {"deadlock", " Deadlock. ", "死锁"}) {
    INFO(said);
    CHECK(report::same_word(said, "deadlock", text));
  }
  for (const char* said : {"", "pass", "dead", "no"}) {
    INFO(said);
    CHECK_FALSE(report::same_word(said, "deadlock", text));
  }
  CHECK_FALSE(report::same_word("deadlock", "", text));
}

TEST_CASE("a lesson read to its end is noted with its predictions, and the list shows it") {
  const fs::path data = fs::temp_directory_path() / ("p2plab-test-read-" + std::to_string(getpid()));
  fs::remove_all(data);
  setenv("XDG_DATA_HOME", data.c_str(), 1);
  // Enter through every page and question; s would skip a run, an empty prediction makes it.
  const std::string page = attended(std::string(400, '\n'), {"lesson", "scale-on-paper", "--no-run", "--lang", "en"});
  INFO(page);
  CHECK(page.find("status 0") != std::string::npos);
  const auto list = nlohmann::ordered_json::parse(cli_test::p2plab({"lessons", "--json", "-"}).out);
  const std::string words = cli_test::p2plab({"lessons", "--lang", "en"}).out;
  unsetenv("XDG_DATA_HOME");
  fs::remove_all(data);
  int read = 0;
  for (const auto& lesson : list["lessons"]) {
    if (lesson["read"].is_null()) continue;
    ++read;
    CHECK(lesson["id"] == "scale-on-paper");
    CHECK(words.find("read " + lesson["read"].get<std::string>()) != std::string::npos);
  }
  CHECK(read == 1);
}

TEST_CASE("the list of lessons is text for people and JSON for programs") {
  const Ended text = cli_test::p2plab({"lessons"});
  CHECK(text.status == 0);
  CHECK(text.out.find("deadlock") != std::string::npos);
  const Ended listed = cli_test::p2plab({"lessons", "--json", "-"});
  const auto json = nlohmann::ordered_json::parse(listed.out);
  CHECK(json["schema"] == "p2plab.lessons/1");
  CHECK(json["lessons"].size() == all_lessons().size());
  CHECK(json["lessons"][0]["title"].contains("zh"));
}

TEST_CASE("without a terminal a lesson is printed, its simulations run and nothing else does") {
  for (const std::string language : {"en", "zh"}) {
    const Ended ended = cli_test::p2plab({"lesson", "progress-and-overlap", "--lang", language});
    INFO(ended.out << ended.err);
    CHECK(ended.status == 0);
    CHECK(ended.out.find("eager-1f1b  63.000 ms") != std::string::npos);
    CHECK(ended.out.find("$ p2plab run overlap") != std::string::npos);
    CHECK(ended.err.empty());
    CHECK(ended.out.find('\x1b') == std::string::npos);
  }
  const Ended quiet = cli_test::p2plab({"lesson", "progress-and-overlap", "--no-run"});
  CHECK(quiet.out.find("eager-1f1b  63.000 ms") == std::string::npos);
  CHECK(quiet.out.find("$ p2plab sim --compare gpipe 1f1b eager-1f1b") != std::string::npos);
}

TEST_CASE("before a terminal the prediction is asked first, then the run is shown and compared") {
  // Enter for the pages, a guess of 40 % for the one simulation, 3 for the quiz.
  const std::string shown = attended("\n\n40\n\n\n\n\n3\n\n\n", {"lesson", "what-is-asked"});
  INFO(shown);
  const std::size_t asked = shown.find("Your prediction in %"), answered = shown.find("it is 27.27 %");
  CHECK(asked != std::string::npos);
  CHECK(answered != std::string::npos);
  CHECK(asked < answered);
  CHECK(shown.find("$ p2plab sim --compare") > asked);
  CHECK(shown.find("status 0") != std::string::npos);
}

TEST_CASE("a reader may leave, and a lesson that is not there is one sentence") {
  const std::string shown = attended("q\n", {"lesson", "deadlock"});
  CHECK(shown.find("status 0") != std::string::npos);
  CHECK(shown.find("Next lesson") == std::string::npos);
  const Ended unknown = cli_test::p2plab({"lesson", "deadlok"});
  CHECK(unknown.status == 2);
  CHECK(unknown.err.find("Did you mean deadlock?") != std::string::npos);
  CHECK(lines(unknown.err) == 1);
  const Ended none = cli_test::p2plab({"lesson"});
  CHECK(none.status == 2);
  CHECK(lines(none.err) == 1);
}

// p2plab cards, drill and mock through pipes: what they ask, grade, keep, refuse and export.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "app/content/card.h"
#include "app/report/utf8.h"
#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;

namespace {

/// Runs p2plab with an input, as in a pipe, and with its own folder for data.
Ended answered(const Scratch& scratch, const std::vector<std::string>& arguments, const std::string& input, const std::string& lang = "en") {
  const fs::path in = scratch / "input", out = scratch / "out", err = scratch / "err";
  std::ofstream(in, std::ios::binary) << input;
  std::vector<std::string> words{"/bin/sh", "-c", "exec \"$0\" \"$@\" <\"$P2PLAB_TEST_IN\" >\"$P2PLAB_TEST_OUT\" 2>\"$P2PLAB_TEST_ERR\"", P2PLAB_BUILD_DIR "/bin/p2plab"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), {"--lang", lang});
  const std::vector<std::string> variables{"P2PLAB_TEST_IN=" + in.string(), "P2PLAB_TEST_OUT=" + out.string(), "P2PLAB_TEST_ERR=" + err.string(), "XDG_DATA_HOME=" + (scratch / "data").string(),
                                           "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "HOME=/nonexistent", "TZ=UTC"};
  std::vector<char*> argv, envp;
  for (auto& word : words) argv.push_back(word.data());
  auto texts = variables;
  for (auto& text : texts) envp.push_back(text.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  pid_t pid = -1;
  REQUIRE(posix_spawn(&pid, "/bin/sh", nullptr, nullptr, argv.data(), envp.data()) == 0);
  int status = 0;
  waitpid(pid, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out), read_file(err)};
}

std::vector<nlohmann::json> records(const Scratch& scratch, const std::string& kind) {
  std::ifstream in(scratch / "data/p2plab/progress.jsonl");
  std::vector<nlohmann::json> out;
  for (std::string line; std::getline(in, line);) {
    auto record = nlohmann::json::parse(line);
    if (record.value("kind", "") == kind) out.push_back(std::move(record));
  }
  return out;
}

/// Lines that fit every prompt well enough to go on: a, again and again.
std::string many(const std::string& line, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += line + "\n";
  return out;
}

/// Lines that the blocks of a page take in columns of 60 half-wide characters: A4 across, three columns, 8 pt.
double lines_on_paper(const std::string& html) {
  static const std::regex block("<(p|li|h2)[^>]*>([^\\n]*)</"), tag("<[^>]*>");
  double out = 0;
  for (std::sregex_iterator at(html.begin(), html.end(), block), end; at != end; ++at)
    out += std::ceil(p2plab::report::columns(std::regex_replace((*at)[2].str(), tag, "")) / 60.0) + ((*at)[1] == "li" ? 0 : 0.6);
  return out;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the cards are listed with both languages, points, proof and state") {
  const Scratch scratch;
  const auto ended = answered(scratch, {"cards", "--json", "-"}, "");
  REQUIRE(ended.status == 0);
  const auto json = nlohmann::json::parse(ended.out);
  CHECK(json["schema"] == "p2plab.cards/1");
  REQUIRE(json["cards"].size() >= 130);
  for (const auto& card : json["cards"]) {
    CHECK_FALSE(card["question"]["zh"].get<std::string>().empty());
    CHECK(card["points"].size() >= 2);
    CHECK(card["evidence"][0]["command"].get<std::string>().starts_with("p2plab "));
    CHECK(card["state"]["due"].is_null());
  }
  CHECK(contains(answered(scratch, {"cards", "--topic", "moe"}, "").out, "tf-combine-inverse"));
  CHECK_FALSE(contains(answered(scratch, {"cards", "--topic", "moe"}, "").out, "pr-gpipe"));
}

TEST_CASE("without a terminal and without input one sentence says so") {
  for (const char* command : {"drill", "mock"}) {
    const Scratch scratch;
    const auto ended = answered(scratch, {command}, "");
    CHECK(ended.status == 2);
    CHECK(lines(ended.err) == 1);
    CHECK(contains(ended.err, "no terminal"));
    CHECK(ended.out.empty());
  }
}

TEST_CASE("a drilled card is graded by what was ticked, and kept") {
  const Scratch scratch;
  // true-false first or not, these answers go through: t/f, confidence, points, proof, fatal.
  const auto ended = answered(scratch, {"drill", "--topic", "server", "--minutes", "60", "--seed", "3"}, many("t\n5\na\ny\n\n", 30));
  INFO(ended.out << ended.err);
  REQUIRE(ended.status == 0);
  const auto kept = records(scratch, "review");
  REQUIRE_FALSE(kept.empty());
  for (const auto& record : kept) {
    CHECK(record["mode"] == "drill");
    CHECK(record["lang"] == "en");
    CHECK((record["rating"].get<int>() >= 1 && record["rating"].get<int>() <= 4));
    CHECK(record.contains("missed"));
  }
  CHECK(contains(ended.out, "Grade"));
}

TEST_CASE("input that ends in the middle of a card keeps what was graded before") {
  const Scratch scratch;
  const auto ended = answered(scratch, {"drill", "--topic", "resume", "--minutes", "60"}, "\n4\na\ny\n\n\n4\n");
  CHECK(ended.status == 0);
  CHECK(records(scratch, "review").size() == 1);
  CHECK(records(scratch, "review")[0]["confidence"] == 70);
}

TEST_CASE("the language is switched in the middle of a card, and the record says which it ended in") {
  const Scratch scratch;
  const auto ended = answered(scratch, {"drill", "--topic", "resume", "--minutes", "60"}, "l\n\n5\na\ny\n\nq\n");
  REQUIRE(ended.status == 0);
  CHECK(contains(ended.out, "  Resume\n"));
  CHECK(contains(ended.out, "  简历\n"));
  for (const char* twice : {"Resume · ", "简历 · "}) CHECK_FALSE(contains(ended.out, twice));
  REQUIRE(records(scratch, "review").size() == 1);
  CHECK(records(scratch, "review")[0]["lang"] == "zh");
}

TEST_CASE("what is not understood is asked again, in one sentence") {
  const Scratch scratch;
  const auto ended = answered(scratch, {"drill", "--topic", "resume", "--minutes", "60"}, "\n5\nperhaps\n99\n1\nn\n\nq\n");
  CHECK(ended.status == 0);
  CHECK(contains(ended.out, "“perhaps” is not understood"));
  CHECK(contains(ended.out, "“99” is not understood"));
  CHECK(records(scratch, "review").size() == 1);
}

TEST_CASE("a wrong key is said, and the question that stands above is not asked again in full") {
  const Scratch scratch;
  // spoken, confidence: three wrong keys, points, proof: a wrong key, fatal, quit
  const auto ended = answered(scratch, {"drill", "--topic", "resume", "--minutes", "60"}, "\nx\n7\n9\n5\n1\nz\nn\n\nq\n");
  INFO(ended.out << ended.err);
  CHECK(ended.status == 0);
  for (const char* key : {"“x” is not understood", "“7” is not understood", "“9” is not understood", "“z” is not understood"}) CHECK(contains(ended.out, key));
  for (const char* question : {"How sure are you?", "Did you give a number"}) {
    INFO(question);
    CHECK(contains(ended.out, question));
    CHECK(ended.out.find(question) == ended.out.rfind(question));
  }
}

namespace {

/// Without the ends of lines at which a paragraph was broken.
std::string unbroken(std::string text, const char* instead = " ") { return std::regex_replace(text, std::regex(" ?\n"), instead); }

}  // namespace

TEST_CASE("a drill says out of how many cards it has taken its own, and what has cut it") {
  const Scratch scratch;
  const auto cut = answered(scratch, {"drill", "--minutes", "5"}, "q\n");
  INFO(cut.out << cut.err);
  CHECK(contains(unbroken(cut.out), "as many as fit into 5 minutes (--minutes) of the 0 due for review and 15 new today"));
  CHECK(contains(unbroken(answered(scratch, {"drill", "--minutes", "5"}, "q\n", "zh").out, ""), "5 分钟（--minutes）里能练这么多"));
  const auto all = answered(scratch, {"drill", "--topic", "resume", "--minutes", "600"}, "q\n");
  CHECK(contains(unbroken(all.out), "0 due for review"));
  CHECK_FALSE(contains(all.out, "--minutes"));
}

TEST_CASE("the evidence page names the folder of its runs, and a folder that is not there is refused") {
  const Scratch scratch;
  const fs::path runs = scratch / "runs", page = scratch / "page.html";
  const auto none = answered(scratch, {"cards", "--export", "evidence", page.string(), "--runs", runs.string()}, "");
  CHECK(none.status == 2);
  CHECK(lines(none.err) == 1);
  CHECK(contains(none.err, runs.string()));
  CHECK_FALSE(fs::exists(page));
  fs::create_directory(runs);
  for (const char* lang : {"en", "zh"}) {
    CHECK(answered(scratch, {"cards", "--export", "evidence", page.string(), "--runs", runs.string()}, "", lang).status == 0);
    CHECK(contains(read_file(page), runs.string()));  // while it is empty
  }
  REQUIRE(cli_test::p2plab({"sim", "1f1b", "-p", "4", "-m", "8", "--json", (runs / "a.json").string()}).status == 0);
  for (const char* lang : {"en", "zh"}) {
    CHECK(answered(scratch, {"cards", "--export", "evidence", page.string(), "--runs", runs.string()}, "", lang).status == 0);
    CHECK(contains(read_file(page), runs.string()));
    CHECK(contains(read_file(page), "p2plab sim 1f1b"));
  }
}

TEST_CASE("every number of the evidence page is one figure under a name in words, written as the run says it") {
  const Scratch scratch;
  const fs::path runs = scratch / "runs", page = scratch / "page.html";
  fs::create_directory(runs);
  const auto run = [&](const std::string& demo, std::vector<std::string> more) {
    std::vector<std::string> words{"run", demo, "--backend", "sim", "--json", (runs / (demo + ".json")).string()};
    words.insert(words.end(), more.begin(), more.end());
    const auto ended = cli_test::p2plab(words);
    INFO(ended.err);
    CHECK(ended.status == 0);
  };
  run("pipeline", {"--trace", (runs / "kept.pftrace").string()});  // as the window keeps it: read from the trace
  run("corruption", {});
  run("overlap", {"--link", "pcie4", "--strict", "--timeout", "300"});
  const auto corrupt = nlohmann::json::parse(read_file(runs / "corruption.json"))["metrics"]["corrupt_bytes"].dump();
  for (const char* lang : {"en", "zh"}) {
    REQUIRE(answered(scratch, {"cards", "--export", "evidence", page.string(), "--runs", runs.string()}, "", lang).status == 0);
    const std::string html = read_file(page);
    CHECK(contains(html, "<b>" + corrupt + "</b>"));
    CHECK(contains(html, "<b>4 3 2 1</b>"));
    CHECK(contains(html, " --link pcie4 --compute paced --strict "));  // the command repeats that run, and no other
    CHECK_FALSE(contains(html, "in_flight"));
    int numbers = 0;
    std::istringstream in(html);
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("<li>")) continue;
      INFO(line);
      ++numbers;
      CHECK(line.size() < 200);
      const std::string name = line.substr(line.find("</b>") + 4);
      CHECK(name.find('_') == std::string::npos);  // no metric's id
      CHECK(line.find_first_of("[{") == std::string::npos);
    }
    CHECK(numbers > 12);
  }
}

TEST_CASE("progress that cannot be written is said once, and the drill goes on") {
  const Scratch scratch;
  std::ofstream(scratch / "data") << "a file where a folder should be";
  const auto ended = answered(scratch, {"drill", "--topic", "resume", "--minutes", "60"}, many("\n5\na\ny\n\n", 6));
  CHECK(ended.status == 0);
  CHECK(contains(ended.out, "Not saved"));
  CHECK(ended.out.find("Not saved") == ended.out.rfind("Not saved"));
}

TEST_CASE("a mock interview with the same seed and the same answers leaves the same report") {
  const std::string input = many("t\n3\n1\nn\n\n", 120);
  std::string first;
  for (int round = 0; round < 2; ++round) {
    const Scratch scratch;
    const auto ended = answered(scratch, {"mock", "--seed", "11", "--html", (scratch / "r.html").string(), "--markdown", (scratch / "r.md").string()}, input);
    INFO(ended.err);
    REQUIRE(ended.status == 0);
    const std::string both = read_file(scratch / "r.md") + read_file(scratch / "r.html");
    CHECK(contains(both, "Weakest points"));
    CHECK(contains(both, "p2plab "));
    CHECK(contains(both, "<table>"));
    CHECK_FALSE(records(scratch, "review").empty());
    if (round == 0) first = both;
    else CHECK(both == first);
  }
}

TEST_CASE("the report is in the language of the interview, and another seed gives another one") {
  const std::string input = many("t\n3\n1\nn\n\n", 120);
  const Scratch scratch;
  answered(scratch, {"mock", "--seed", "1", "--markdown", (scratch / "a.md").string()}, input, "zh");
  answered(scratch, {"mock", "--seed", "2", "--markdown", (scratch / "b.md").string()}, input, "zh");
  CHECK(contains(read_file(scratch / "a.md"), "最薄弱的要点"));
  CHECK(read_file(scratch / "a.md") != read_file(scratch / "b.md"));
}

TEST_CASE("cards leave as Anki notes and as a cheat sheet of one page a language") {
  const Scratch scratch;
  REQUIRE(answered(scratch, {"cards", "--export", "anki", (scratch / "notes.txt").string()}, "").status == 0);
  const std::string notes = read_file(scratch / "notes.txt");
  CHECK(notes.starts_with("#separator:tab\n"));
  std::istringstream in(notes);
  int count = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    CHECK(std::count(line.begin(), line.end(), '\t') == 2);
    ++count;
  }
  CHECK(count >= 130);
  REQUIRE(answered(scratch, {"drill", "--export", "cheatsheet", (scratch / "sheet.html").string()}, "").status == 0);
  const std::string sheet = read_file(scratch / "sheet.html");
  CHECK(contains(sheet, "lang=\"zh-CN\""));
  std::size_t sections = 0;
  for (std::size_t at = 0; (at = sheet.find("<section", at)) != std::string::npos; ++at) ++sections;
  CHECK(sections == 2);
  CHECK(contains(sheet, "break-after:page"));
  const auto second = sheet.find("<section", sheet.find("<section") + 1);
  for (const std::string& page : {sheet.substr(0, second), sheet.substr(second)}) {
    CHECK(lines_on_paper(page) > 60);
    CHECK(lines_on_paper(page) < 145);  // three columns of about 50 lines
  }
}

TEST_CASE("an export whose name ends as another format is refused, and nothing is written") {
  const Scratch scratch;
  for (const auto& [kind, name, ending] : {std::tuple("cheatsheet", "cs.md", ".html"), {"evidence", "mine.pdf", ".html"}, {"anki", "notes.html", ".txt"}, {"progress", "mine.txt", ".jsonl"}})
    for (const char* lang : {"en", "zh"}) {
      const Ended ended = answered(scratch, {"cards", "--export", kind, (scratch / name).string()}, "", lang);
      INFO(ended.err);
      CHECK(ended.status == 2);
      CHECK(lines(ended.err) == 1);
      CHECK(ended.err.find(name) != std::string::npos);
      CHECK(ended.err.find(ending) != std::string::npos);
      CHECK_FALSE(fs::exists(scratch / name));
    }
  CHECK(answered(scratch, {"cards", "--export", "cheatsheet", (scratch / "sheet").string()}, "").status == 0);
}

TEST_CASE("a number is taken with its unit, and is said to be right or wrong beside the right one") {
  const Scratch scratch;
  // One of these lines answers each prompt, whatever card comes.
  const auto ended = answered(scratch, {"drill", "--topic", "pipeline", "--minutes", "120"}, many("33 ms\n3\nn\n", 300));
  INFO(ended.out << ended.err);
  CHECK(ended.status == 0);
  CHECK_FALSE(contains(ended.out, "“33 ms” is no number in ms"));
  CHECK(contains(ended.out, "“n” is no number"));
  const std::regex told("\n= [0-9.]+ [^\n]+\nYou are (right|wrong: off by)");
  CHECK(std::regex_search(ended.out, told));
}

TEST_CASE("what is never to be said stands on the cheat sheet once, not in two wordings") {
  const Scratch scratch;
  REQUIRE(answered(scratch, {"cards", "--export", "cheatsheet", (scratch / "sheet.html").string()}, "").status == 0);
  const std::string sheet = read_file(scratch / "sheet.html");
  const auto from = sheet.find("<ul>", sheet.find("<h2>Never say</h2>"));
  REQUIRE(from != std::string::npos);
  const std::string list = sheet.substr(from, sheet.find("</ul>", from) - from);
  const std::set<std::string> filling{"a", "an", "the", "is", "are", "was", "has", "have", "does", "do", "be", "that", "so", "it", "to", "of", "in", "for", "by", "with", "at", "when", "means", "not", "no"};
  std::vector<std::set<std::string>> said;
  const std::regex item("<li>([^<]*)</li>"), word("[A-Za-z]+");
  for (auto at = std::sregex_iterator(list.begin(), list.end(), item); at != std::sregex_iterator(); ++at) {
    const std::string text = (*at)[1];
    auto& words = said.emplace_back();
    for (auto each = std::sregex_iterator(text.begin(), text.end(), word); each != std::sregex_iterator(); ++each) {
      std::string one = each->str();
      std::transform(one.begin(), one.end(), one.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      if (!filling.contains(one)) words.insert(one);
    }
  }
  REQUIRE(said.size() >= 10);
  for (std::size_t i = 0; i < said.size(); ++i)
    for (std::size_t j = i + 1; j < said.size(); ++j) {
      std::vector<std::string> both;
      std::set_intersection(said[i].begin(), said[i].end(), said[j].begin(), said[j].end(), std::back_inserter(both));
      const std::string all = [&] { std::string out; for (const auto& each : both) out += each + " "; return out; }();
      INFO("in two wordings: " << all << "of items " << i << " and " << j);
      CHECK(both.size() * 3 < 2 * std::min(said[i].size(), said[j].size()));
    }
}

TEST_CASE("the evidence page quotes saved runs with their conditions, and says when there are none") {
  const Scratch scratch;
  REQUIRE(answered(scratch, {"cards", "--export", "evidence", (scratch / "none.html").string()}, "").status == 0);
  CHECK(contains(read_file(scratch / "none.html"), "no saved runs"));
  fs::create_directories(scratch / "runs");
  REQUIRE(answered(scratch, {"sim", "1f1b", "-p", "4", "-m", "8", "--forward", "1ms", "--backward", "2ms", "--json", (scratch / "runs/a.json").string()}, "").status == 0);
  std::ofstream(scratch / "runs/other.json") << "{\"not\": \"ours\"}";
  std::ofstream(scratch / "runs/broken.json") << "{";
  REQUIRE(answered(scratch, {"cards", "--export", "evidence", (scratch / "mine.html").string(), "--runs", (scratch / "runs").string()}, "").status == 0);
  const std::string page = read_file(scratch / "mine.html");
  CHECK(contains(page, "0.273"));
  CHECK(contains(page, "virtual clock"));
  CHECK(contains(page, "p2plab sim 1f1b -p 4 -m 8"));
}

TEST_CASE("the evidence page says of a run only what has a meaning in it: no eager limit under NCCL's rules, no hidden buffer under MPI's") {
  const Scratch scratch;
  const fs::path runs = scratch / "runs", page = scratch / "page.html";
  fs::create_directory(runs);
  const auto told = [&](const std::string& semantics, const std::string& variant) {
    REQUIRE(cli_test::p2plab({"run", "deadlock", "--backend", "sim", "--semantics", semantics, "--set", "variant=" + variant, "--json", (runs / "run.json").string()}).status == 0);
    REQUIRE(answered(scratch, {"cards", "--export", "evidence", page.string(), "--runs", runs.string()}, "").status == 0);
    return read_file(page);
  };
  const std::string mpi = told("mpi", "send-first");
  CHECK(contains(mpi, "Eager limit"));
  CHECK_FALSE(contains(mpi, "nccl_buffer"));
  CHECK_FALSE(contains(mpi, "warm_up"));
  CHECK(contains(mpi, "bytes=1048576"));
  const std::string nccl = told("nccl", "unfused");
  CHECK_FALSE(contains(nccl, "Eager limit"));
  CHECK(contains(nccl, "Hidden buffer"));
  CHECK(contains(nccl, "nccl_buffer=0"));
  CHECK_FALSE(contains(nccl, "warm_up"));
}

TEST_CASE("progress leaves as one file and comes back into another home") {
  const Scratch mine, yours;
  answered(mine, {"drill", "--topic", "resume", "--minutes", "60"}, "\n4\na\ny\n\nq\n");
  REQUIRE(answered(mine, {"cards", "--export", "progress", (mine / "carried.jsonl").string()}, "").status == 0);
  const auto ended = answered(yours, {"cards", "--import", "progress", (mine / "carried.jsonl").string()}, "");
  CHECK(ended.status == 0);
  CHECK(contains(ended.out, "1 record added"));
  CHECK(records(yours, "review").size() == 1);
}

TEST_CASE("what cannot be asked for is refused in one sentence") {
  const Scratch scratch;
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"drill", "--topic", "astronomy"}, "There is no topic"},   {{"drill", "--date", "tomorrow"}, "no day of the calendar"},
      {{"drill", "--date", "2001-01-01"}, "has passed"},          {{"cards", "--export", "pdf", "x"}, "Nothing is exported as"},
      {{"cards", "--import", "cards", "x"}, "Only progress"},     {{"cards", "--import", "progress", "/no/such/file"}, "There is no file"},
      {{"mock", "--minutes", "0"}, "--minutes"},                  {{"cards", "--export", "anki", "/no/such/folder/x"}, "/no/such/folder"},
  };
  for (const auto& [arguments, reason] : cases) {
    const auto ended = answered(scratch, arguments, "x\n");
    INFO(ended.err);
    CHECK(ended.status == 2);
    CHECK(lines(ended.err) == 1);
    CHECK(contains(ended.err, reason));
  }
}

namespace {

/// p2plab at a terminal of its own.
class AtTerminal {
 public:
  AtTerminal(const Scratch& scratch, const std::vector<std::string>& arguments) {
    master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE((master_ >= 0 && ::grantpt(master_) == 0 && ::unlockpt(master_) == 0));
    const std::string name = ::ptsname(master_);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::setsid();
      const int slave = ::open(name.c_str(), O_RDWR);  // becomes the terminal of the new session
      for (const int fd : {0, 1, 2}) ::dup2(slave, fd);
      ::setenv("XDG_DATA_HOME", (scratch / "data").c_str(), 1);
      ::setenv("TERM", "xterm", 1);
      ::setenv("NO_COLOR", "1", 1);
      std::vector<std::string> words{P2PLAB_BUILD_DIR "/bin/p2plab"};
      words.insert(words.end(), arguments.begin(), arguments.end());
      std::vector<char*> argv;
      for (auto& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      ::alarm(100);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
  }
  ~AtTerminal() {
    if (pid_ > 0) ::kill(pid_, SIGKILL), ::waitpid(pid_, nullptr, 0);
    ::close(master_);
  }
  /// Reads until the text has come; false after a minute without it.
  bool comes(const std::string& text, const std::string& other = "\x01") {
    for (int waited = 0; waited < 600; ++waited) {
      const auto found = std::min(seen_.find(text, from_), seen_.find(other, from_));
      if (found != std::string::npos) {
        from_ = found + 1;
        return true;
      }
      pollfd in{master_, POLLIN, 0};
      if (::poll(&in, 1, 100) <= 0) continue;
      char bytes[4096];
      const auto got = ::read(master_, bytes, sizeof bytes);
      if (got <= 0) break;
      seen_.append(bytes, static_cast<std::size_t>(got));
    }
    return false;
  }
  void press(const std::string& keys) { REQUIRE(::write(master_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size())); }
  bool cooked() const {
    termios now{};
    return ::tcgetattr(master_, &now) == 0 && (now.c_lflag & (ICANON | ECHO)) == (ICANON | ECHO);
  }
  /// Soon after a prompt the terminal gives single keys; false after a minute.
  bool turns_raw() const {
    for (int waited = 0; waited < 600; ++waited) {
      if (!cooked()) return true;
      ::poll(nullptr, 0, 100);
    }
    return false;
  }
  int end() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  const std::string& seen() const { return seen_; }

 private:
  int master_ = -1;
  pid_t pid_ = -1;
  std::string seen_;
  std::size_t from_ = 0;
};

}  // namespace

TEST_CASE("at a terminal single keys answer, the clock runs, and the language is switched in the middle of a card") {
  const Scratch scratch;
  AtTerminal drill(scratch, {"drill", "--topic", "resume", "--lang", "en"});
  REQUIRE(drill.comes("then press Enter"));
  CHECK(drill.comes("0:01"));  // the clock
  drill.press("l");
  REQUIRE(drill.comes("说完按回车"));
  drill.press("\n");
  REQUIRE(drill.comes("有多大把握"));
  CHECK(drill.turns_raw());
  drill.press("5");
  REQUIRE(drill.comes("哪些要点你说到了"));
  drill.press("a\n");
  REQUIRE(drill.comes("[y/n]"));
  drill.press("y");
  REQUIRE(drill.comes("下一张", "致命错误"));
  if (!contains(drill.seen(), "下一张")) {  // this card has fatal errors to tick
    drill.press("\n");
    REQUIRE(drill.comes("下一张"));
  }
  CHECK(contains(drill.seen(), "评级"));
  drill.press("q");
  CHECK(drill.end() == 0);
  REQUIRE(records(scratch, "review").size() == 1);
  CHECK(records(scratch, "review")[0]["confidence"] == 90);
}

TEST_CASE("Ctrl-C ends the drill, keeps what was graded and leaves the terminal as it was") {
  const Scratch scratch;
  AtTerminal drill(scratch, {"drill", "--topic", "cost", "--lang", "en"});
  REQUIRE(drill.comes("[1/"));
  drill.press("\x03");
  CHECK(drill.end() == 130);
  CHECK(drill.cooked());
}

TEST_CASE("a mock interview that was ended early says so in every report: by Ctrl-C, or where the answers end; a whole one does not") {
  for (const std::string lang : {"en", "zh"}) {
    const std::string says = lang == "en" ? "Interrupted: " : "面试中断";
    const Scratch scratch;
    const auto reports = [&] { return std::vector{read_file(scratch / "r.md"), read_file(scratch / "r.html")}; };
    const std::vector<std::string> command{"mock", "--seed", "11", "--html", (scratch / "r.html").string(), "--markdown", (scratch / "r.md").string()};
    const auto whole = answered(scratch, command, many("t\n3\n1\nn\n\n", 120), lang);
    REQUIRE(whole.status == 0);
    for (const auto& report : reports()) CHECK((!report.empty() && !contains(report, says)));

    const auto ended = answered(scratch, command, many("t\n3\n1\nn\n\n", 2), lang);
    CHECK(ended.status == 0);
    CHECK(contains(ended.out, says));
    for (const auto& report : reports()) CHECK(contains(report, says));

    for (const char* file : {"r.md", "r.html"}) std::ofstream(scratch / file) << "an earlier interview";
    auto words = command;
    words.insert(words.end(), {"--lang", lang});
    AtTerminal interview(scratch, words);
    REQUIRE(interview.comes(lang == "en" ? "then press Enter" : "说完按回车"));
    for (const char* file : {"r.md", "r.html"}) CHECK_FALSE(fs::exists(scratch / file));  // who is killed now leaves no earlier one
    interview.press("\x03");
    CHECK(interview.comes(says));
    CHECK(interview.comes(lang == "en" ? "Wrote " : "已写入"));
    CHECK(interview.end() == 130);
    for (const auto& report : reports()) CHECK(contains(report, says));
    CHECK(contains(reports()[1], "</html>"));
  }
}

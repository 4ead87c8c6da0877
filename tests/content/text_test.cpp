// The texts: looked up, filled in, complete in both languages, and none missing that the code names.
#include "app/content/nearest.h"
#include "app/content/text.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <unistd.h>

#include "tests/support/catch.h"

using namespace p2plab;
using content::Language;
using content::Text;
namespace fs = std::filesystem;

namespace {

const fs::path kSource = P2PLAB_SOURCE_DIR;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::multiset<std::string> placeholders(const std::string& text) {
  std::multiset<std::string> out;
  static const std::regex pattern(R"(\{([A-Za-z0-9_]*)\})");
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) out.insert((*at)[1].str());
  return out;
}

bool has_cjk(const std::string& text) {
  // U+3000…U+9FFF and the full-width forms are three bytes that start with E3…E9 or EF.
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= 0xE3 && byte <= 0xE9) || byte == 0xEF) return true;
  }
  return false;
}

/// A folder with one text file, removed at the end.
struct TextDir {
  fs::path dir = fs::temp_directory_path() / ("p2plab-text-" + std::to_string(getpid()));
  explicit TextDir(const std::string& toml) {
    fs::create_directories(dir);
    std::ofstream(dir / "t.toml") << toml;
  }
  ~TextDir() { fs::remove_all(dir); }
};

}  // namespace

TEST_CASE("a word is guessed only when it is near one that exists") {
  const std::vector<std::string> words{"naive", "gpipe", "1f1b", "m"};
  CHECK(p2plab::content::nearest("gpip", words) == "gpipe");
  CHECK(p2plab::content::nearest("1fb1", words) == "1f1b");
  CHECK(p2plab::content::nearest("nope", words).empty());
  CHECK(p2plab::content::nearest("x", words).empty());  // a single letter for another has nothing in common
  CHECK(p2plab::content::nearest("", words).empty());
}

TEST_CASE("a text is looked up in the language in use and its parameters are filled in") {
  TextDir files("[a]\nb = { en = \"{x} of {y}\", zh = \"共 {y}，{x}\" }\n");
  Text text(files.dir);
  CHECK(text("a.b", {{"x", "1"}, {"y", "2"}}) == "1 of 2");
  text.use(Language::zh);
  CHECK(text("a.b", {{"x", "1"}, {"y", "2"}}) == "共 2，1");
}

TEST_CASE("a word follows its number") {
  TextDir files("[a]\nb = { en = \"{n} {n|rank is|ranks are} here\", zh = \"{n} 个 rank\" }\n");
  const Text text(files.dir);
  CHECK(text("a.b", {{"n", "1"}}) == "1 rank is here");
  CHECK(text("a.b", {{"n", "0"}}) == "0 ranks are here");
  CHECK(text("a.b", {{"n", "12"}}) == "12 ranks are here");
  CHECK(text("a.b") == "{n} {n|rank is|ranks are} here");
}

TEST_CASE("no text counts something in the plural alone") {
  // "1 bytes", "2 core(s)": a counted word is written {n} {n|byte|bytes}.
  static const std::regex plural(R"(\{([a-z_]+)\} (more )?(actions|activations|bytes|cores|iterations|messages|operations|ranks|records|runs|spans|stages|values)\b)");
  const Text text(kSource / "assets/text");
  for (const auto& [id, twins] : text.all()) {
    INFO(id << ": " << twins.at(Language::en));
    CHECK_FALSE(std::regex_search(twins.at(Language::en), plural));
    CHECK(twins.at(Language::en).find("(s)") == std::string::npos);
  }
}

TEST_CASE("a missing id and a missing parameter stay visible") {
  TextDir files("[a]\nb = { en = \"{x}!\", zh = \"{x}！\" }\n");
  const Text text(files.dir);
  CHECK(text("no.such", {{"k", "v"}}) == "[no.such] k=v");
  CHECK(text("a.b") == "{x}!");
}

TEST_CASE("a parameter's control characters are shown, and none reaches the terminal") {
  TextDir files("[a]\nb = { en = \"“{x}”\", zh = \"“{x}”\" }\n");
  const Text text(files.dir);
  CHECK(text("a.b", {{"x", "\x1b[31mred\a\r\x7F\xC2\x9B"}}) == "“\\x1b[31mred\\x07\\x0d\\x7f\\x9b”");
  CHECK(text("a.b", {{"x", "two\nlines\tof é"}}) == "“two\nlines\tof é”");
  CHECK(text("no.such", {{"x", "\x1b"}}) == "[no.such] x=\\x1b");
}

TEST_CASE("a parameter's value is not searched for placeholders again") {
  TextDir files("[a]\nb = { en = \"{x} {y}\", zh = \"值 {x} {y}\" }\n");
  CHECK(Text(files.dir)("a.b", {{"x", "{y}"}, {"y", "2"}}) == "{y} 2");
}

TEST_CASE("a text that reads otherwise in one place is read so there, and nowhere else") {
  TextDir files("[a]\nb = { en = \"use --x\", zh = \"用 --x\" }\n\"b@window\" = { en = \"press X\", zh = \"按 X\" }\n");
  Text text(files.dir);
  CHECK(text("a.b") == "use --x");
  text.use_place("check");
  CHECK(text("a.b") == "use --x");
  text.use_place("window");
  CHECK(text("a.b") == "press X");
  CHECK(text("a.none") == "[a.none]");
}

TEST_CASE("no text that the window shows advises an option of a command line") {
  // What stands in `…` is a whole command, which can be typed anywhere.
  static const std::regex commands("`[^`]*`"), option("(^|[^A-Za-z0-9-])--[a-z]");
  const std::set<std::string> shown{"run", "edges", "refuse", "why", "warning", "gpu", "evidence", "finding-detail", "verify-detail", "lab-detail", "kind", "gui", "labs", "metric", "how", "number"};
  // Only a command line can be wrong in these ways, or it repeats one.
  const std::set<std::string> typed{"run.bad_set", "run.bad_ranks", "run.bad_seed", "run.bad_timeout", "run.step_sim", "run.step_repeat", "run.bad_repeat", "run.again_verify",
                                    "gui.bad_size", "gui.size_out_of_range", "gui.bad_theme", "gui.bad_scale", "gui.set_of_what"};
  Text text(kSource / "assets/text");
  std::size_t own = 0;
  for (const auto& [id, twins] : text.all()) {
    if (id.find("@window") != std::string::npos) ++own;
    if (id.find('@') != std::string::npos || !shown.contains(id.substr(0, id.find('.'))) || typed.contains(id)) continue;
    const std::string here = text.has(id + "@window") ? id + "@window" : id;
    for (const auto& [language, words] : text.all().find(here)->second) {
      INFO(here << ": " << words);
      CHECK_FALSE(std::regex_search(std::regex_replace(words, commands, ""), option));
    }
  }
  CHECK(own > 10);
}

TEST_CASE("no text of a demo advises an option of a command line: the window shows it, too") {
  static const std::regex commands("`[^`]*`"), option("(^|[^A-Za-z0-9-])--[a-z]");
  int demos = 0;
  for (const auto& entry : fs::directory_iterator(kSource / "demos")) {
    std::ifstream in(entry.path() / "demo.toml");
    demos += in ? 1 : 0;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("#")) continue;
      INFO(entry.path().filename() << ": " << line);
      CHECK_FALSE(std::regex_search(std::regex_replace(line, commands, ""), option));
    }
  }
  CHECK(demos >= 15);
}

TEST_CASE("a text of one place stands for one that is there, and takes no more from it") {
  const Text text(kSource / "assets/text");
  for (const auto& [id, twins] : text.all()) {
    const std::size_t at = id.find('@');
    if (at == std::string::npos) continue;
    INFO(id);
    REQUIRE(text.has(id.substr(0, at)));
    const auto all = placeholders(text.all().find(id.substr(0, at))->second.at(Language::en));
    for (const std::string& name : placeholders(twins.at(Language::en))) CHECK(all.contains(name));
  }
}

TEST_CASE("a broken text file is refused and named") {
  for (const char* toml : {"[a]\nb = { en = \"only English\" }\n", "[a]\nb = 3\n", "[a\n"}) {
    TextDir files(toml);
    try {
      const Text text(files.dir);
      FAIL("accepted: " << toml);
    } catch (const Error& error) {
      CHECK(error.text().id == "text.broken");
      CHECK(std::string(error.what()).find("t.toml") != std::string::npos);
    }
  }
}

TEST_CASE("the language comes from LC_ALL, then LC_MESSAGES, then LANG, else it is English") {
  setenv("LC_ALL", "", 1);
  unsetenv("LC_MESSAGES");
  setenv("LANG", "zh_CN.UTF-8", 1);
  CHECK(content::language_from_environment() == Language::zh);
  setenv("LC_ALL", "C.UTF-8", 1);
  CHECK(content::language_from_environment() == Language::en);
  setenv("LC_ALL", "zh_TW", 1);
  CHECK(content::language_from_environment() == Language::zh);
  for (const char* name : {"LC_ALL", "LANG"}) unsetenv(name);
  CHECK(content::language_from_environment() == Language::en);
  CHECK_THROWS_AS(content::parse_language("fr"), Error);
}

TEST_CASE("every text has both languages with the same placeholders, and the Chinese one is Chinese") {
  const Text text(kSource / "assets/text");
  REQUIRE(text.all().size() > 20);
  // Offers of the other language speak that one, and who lacks the font for Chinese is told so in English.
  const std::set<std::string> other_language{"gui.language_tip", "gui.no_cjk_font"};
  for (const auto& [id, twins] : text.all()) {
    INFO(id);
    REQUIRE(twins.size() == 2);
    const std::string& en = twins.at(Language::en);
    const std::string& zh = twins.at(Language::zh);
    CHECK_FALSE(en.empty());
    CHECK(placeholders(en) == placeholders(zh));
    if (other_language.contains(id)) continue;
    CHECK_FALSE(has_cjk(std::regex_replace(en, std::regex("中文"), "")));  // a language names itself
    // A text of nothing but placeholders, symbols, code or a unit needs no Chinese character.
    static const std::regex words("[A-Za-z]{4,}.* [A-Za-z]{3,}");
    if (std::regex_search(std::regex_replace(en, std::regex(R"(\{[a-z_0-9]*\})"), ""), words)) CHECK(has_cjk(zh));
  }
}

TEST_CASE("every text id that the code names exists") {
  const Text text(kSource / "assets/text");
  // Error("area.key", …), text("area.key", …), TextRef{"area.key", …}: in the first argument, or anywhere where the
  // word before the dot is a section of the text files.
  static const std::regex named(R"re((?:Error|TextRef|[tT]ext_?|tr)\s*[({]\s*"([a-z][a-z0-9_-]*(?:\.[a-z0-9_-]*[a-z0-9])+)")re");
  std::size_t seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "app")) {
    const auto extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".h") continue;
    const std::string source = read(entry.path());
    for (std::sregex_iterator at(source.begin(), source.end(), named), end; at != end; ++at) {
      const std::string id = (*at)[1].str();
      INFO(fs::relative(entry.path(), kSource).string() << " names " << id);
      CHECK(text.has(id));
      ++seen;
    }
  }
  CHECK(seen >= 2);
}

TEST_CASE("window and terminal have one word for one thing") {
  const Text text(kSource / "assets/text", Language::zh);
  const std::vector<std::vector<std::string>> same{
      {"metric.step_ns", "summary.step"},           {"metric.detect_ns", "summary.detect"},   {"metric.corrupt_bytes", "summary.corrupt"},
      {"metric.peak_in_flight", "summary.in_flight", "sim.peak"}, {"metric.gain_over_blocking", "summary.gain"}, {"metric.grad_error", "summary.gradient"},
      {"gui.promise_kept", "summary.as_promised"},  {"cause.warm_up", "sim.warm_up"},         {"cause.drain", "sim.drain"},
      {"cause.upstream", "sim.upstream"},           {"cause.exposed_transfer", "sim.transfer"}, {"cause.straggler", "sim.straggler"},
      {"cause.unexplained", "sim.cause.unexplained"}, {"summary.bubble", "sim.bubble"},       {"summary.over_ideal", "sim.bubble_over_ideal"}};
  for (const auto& ids : same)
    for (const auto& id : ids) {
      INFO(id);
      CHECK(text(id) == text(ids.front()));
    }
  CHECK(text("summary.bubble").starts_with(text("metric.bubble_ratio")));
  CHECK(text("sim.cause.imbalance").starts_with(text("cause.imbalance")));
  for (const char* id : {"gui.as_promised", "gui.not_as_promised", "gui.promise_broken"}) CHECK(text(id).starts_with("与预期"));
}

TEST_CASE("the system's reasons have both languages, under the words of this C library") {
  const Text text(kSource / "assets/text", Language::zh);
  for (const int why : {EPERM, ENOENT, EIO, E2BIG, ENOEXEC, EAGAIN, ENOMEM, EACCES, EEXIST, ENOTDIR, EISDIR, EINVAL, ENFILE, EMFILE, ETXTBSY, EFBIG, ENOSPC, EROFS,
                        ENAMETOOLONG, ELOOP, EADDRINUSE, EDQUOT}) {
    const std::string words = std::strerror(why), said = text("file.unwritable", {{"path", "x"}, {"why", words}});
    INFO(words);
    CHECK(said.find(words) == std::string::npos);
  }
  CHECK(Text(kSource / "assets/text")("file.unwritable", {{"path", "x"}, {"why", "Is a directory"}}).find("Is a directory") != std::string::npos);
}

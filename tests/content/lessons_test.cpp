// The lessons as files: they load, both languages say the same, every link leads somewhere, every citation is listed.
#include "app/content/lesson.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "app/content/glossary.h"
#include "app/content/live_block.h"
#include "app/content/markdown.h"
#include "app/content/sources.h"
#include "app/content/structure.h"
#include "tests/support/catch.h"

using namespace p2plab;
using content::Block;
using content::Document;
using content::Language;
namespace fs = std::filesystem;

namespace {

const fs::path kTree = P2PLAB_SOURCE_DIR;
const fs::path kLessons = kTree / "assets/lessons";

/// What lessons link to and this version does not have yet. It is to become empty; anything else that is missing fails.
const std::set<std::string> kNotThereYet{};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// The Error's parameters for a text that is no lesson.
std::string refused(const std::string& markdown) {
  try {
    content::parse_markdown(markdown, "page.md");
  } catch (const Error& error) {
    CHECK(error.text().id == "lesson.broken");
    CHECK(error.exit_status() == 2);
    return error.what();
  }
  return "accepted";
}

/// Anything called `id` in the TOML files of a folder.
bool has_id(const fs::path& folder, const std::string& id) {
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string all = text_of(entry.path());
    if (all.find("id = \"" + id + "\"") != std::string::npos || entry.path().stem() == id) return true;
  }
  return false;
}

bool exists(const std::string& target) {
  const std::size_t colon = target.find(':');
  const std::string scheme = target.substr(0, colon), id = target.substr(colon + 1);
  if (scheme == "https") return true;
  if (scheme == "lesson") return fs::exists(kLessons / id / "lesson.toml");
  if (scheme == "demo") return fs::exists(kTree / "demos" / id / "demo.toml");
  if (scheme == "claim") return has_id(kTree / "assets/claims", id);
  if (scheme == "card") return has_id(kTree / "assets/drill", id);
  if (scheme == "source") return !content::cited(content::load_sources(kTree / "assets/sources.toml"), target).status.empty();
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(kTree / "labs", none))
    if (scheme == "lab" && entry.path().filename().string().starts_with(id)) return true;
  return false;
}

std::set<std::string> targets(const Document& document) {
  std::set<std::string> out;
  for (const std::string& link : content::links_of(document)) out.insert(link);
  content::each_block(document.blocks, [&](const Block& block) {
    if (block.kind == Block::Kind::live && !block.live.id.empty()) out.insert(std::string(to_string(block.live.kind)) + ":" + block.live.id);
  });
  return out;
}

int words(const Document& document, Language language) {
  std::string all;
  content::each_text(document, [&](const content::Inlines& inlines, const Block&) { all += content::plain_text(inlines) + " "; });
  content::each_block(document.blocks, [&](const Block& block) { all += block.live.ask + " " + block.live.why + " "; });
  int latin = 0, chinese = 0;
  bool inside = false;
  for (const char c : all) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = std::isalnum(byte) != 0;
    latin += letter && !inside ? 1 : 0;
    inside = letter;
    chinese += byte >= 0xE4 && byte <= 0xE9 ? 1 : 0;
  }
  return language == Language::zh ? chinese : latin;
}

}  // namespace

TEST_CASE("there are at least fifteen lessons, in order, each with its title at its head in both languages") {
  const auto lessons = content::load_lessons(kLessons);
  CHECK(lessons.size() >= 15);
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    INFO(lessons[i].id);
    CHECK(lessons[i].order == static_cast<int>(i) + 1);
    for (const auto language : {Language::en, Language::zh}) {
      const Document document = content::lesson_text(lessons[i], language);
      REQUIRE_FALSE(document.blocks.empty());
      CHECK(document.blocks[0].kind == Block::Kind::heading);
      CHECK(document.blocks[0].level == 1);
      CHECK(content::plain_text(document.blocks[0].inlines) == lessons[i].title.in(language));
      CHECK(words(document, language) >= 400);
    }
  }
}

TEST_CASE("the two languages of a lesson have the same headings, live blocks, tables, links and numbers") {
  for (const auto& lesson : content::load_lessons(kLessons)) {
    const auto en = content::structure(content::lesson_text(lesson, Language::en));
    const auto zh = content::structure(content::lesson_text(lesson, Language::zh));
    for (std::size_t i = 0; i < std::max(en.size(), zh.size()); ++i) {
      INFO(lesson.id << ", line " << i);
      const std::string one = i < en.size() ? en[i] : "(nothing)", other = i < zh.size() ? zh[i] : "(nothing)";
      CHECK(one == other);
      if (one != other) break;  // what follows is shifted
    }
  }
}

TEST_CASE("every sentence of the answer card has a lesson") {
  std::set<int> rows;
  for (const auto& lesson : content::load_lessons(kLessons)) rows.insert(lesson.rows.begin(), lesson.rows.end());
  for (int row = 1; row <= 38; ++row) {
    INFO("sentence " << row);
    CHECK(rows.count(row) == 1);
  }
  CHECK(*rows.rbegin() == 38);
}

TEST_CASE("every link of a lesson, and everything it runs, exists or is known to come later") {
  for (const auto& lesson : content::load_lessons(kLessons))
    for (const auto language : {Language::en, Language::zh})
      for (const std::string& target : targets(content::lesson_text(lesson, language))) {
        INFO(lesson.id << " leads to " << target);
        CHECK((exists(target) || kNotThereYet.count(target) == 1));
      }
  for (const std::string& target : kNotThereYet)
    if (exists(target)) WARN(target << " is there now: take it off the list in this test");
}

TEST_CASE("no mark of Markdown is left over in a lesson's text") {
  // ** beside Chinese punctuation is not always emphasis; then it would be shown as it is.
  for (const auto& lesson : content::load_lessons(kLessons))
    for (const auto language : {Language::en, Language::zh})
      content::each_text(content::lesson_text(lesson, language), [&](const content::Inlines& inlines, const Block& block) {
        for (const auto& piece : inlines) {
          if (piece.style & content::Inline::code) continue;
          INFO(lesson.id << ":" << block.line << ": " << piece.text);
          CHECK(piece.text.find("**") == std::string::npos);
          CHECK(piece.text.find("](") == std::string::npos);
          CHECK(piece.text.find('`') == std::string::npos);
          CHECK_FALSE(std::regex_search(piece.text, std::regex(R"((^|[^A-Za-z0-9])\*[A-Za-z])")));
        }
      });
}

TEST_CASE("questions and explanations of live blocks, which are shown as they are written, hold no marks of Markdown") {
  for (const auto& lesson : content::load_lessons(kLessons))
    for (const auto language : {Language::en, Language::zh})
      content::each_block(content::lesson_text(lesson, language).blocks, [&](const Block& block) {
        if (block.kind != Block::Kind::live) return;
        std::string all = block.live.ask + block.live.why;
        for (const std::string& answer : block.live.answers) all += answer;
        INFO(lesson.id << ":" << block.line << ": " << all);
        for (const char* mark : {"`", "**", "]("}) CHECK(all.find(mark) == std::string::npos);
        CHECK_FALSE(std::regex_search(all, std::regex(R"(\*[^ *0-9][^*]*\*)")));
      });
}

TEST_CASE("Chinese lessons use Chinese punctuation between Chinese characters") {
  static const std::regex wrong("[\xe4-\xe9][\x80-\xbf][\x80-\xbf][,;:?!]( |[\xe4-\xe9])");
  for (const auto& lesson : content::load_lessons(kLessons))
    content::each_text(content::lesson_text(lesson, Language::zh), [&](const content::Inlines& inlines, const Block& block) {
      const std::string text = content::plain_text(inlines);
      INFO(lesson.id << ":" << block.line << ": " << text);
      CHECK_FALSE(std::regex_search(text, wrong));
    });
}

TEST_CASE("what nobody has checked in the source itself is marked so where it is cited") {
  const auto sources = content::load_sources(kTree / "assets/sources.toml");
  CHECK(sources.size() >= 20);
  const content::Text text(kTree / "assets/text");
  int marked = 0;
  for (const auto& lesson : content::load_lessons(kLessons)) {
    Document document = content::lesson_text(lesson, Language::en);
    content::mark_citations(document, sources, text);
    content::each_text(document, [&](const content::Inlines& inlines, const Block&) {
      for (std::size_t i = 0; i < inlines.size(); ++i) {
        const auto cite = content::cited(sources, inlines[i].target);
        if (cite.status != "secondary" && cite.status != "recall") continue;
        REQUIRE(i + 1 < inlines.size());
        CHECK_FALSE(text("lesson." + cite.status).empty());
        CHECK(inlines[i + 1].text == text("lesson." + cite.status));
        ++marked;
      }
    });
  }
  CHECK(marked >= 3);
}

TEST_CASE("a lesson becomes headings, text of several looks, code, tables, lists, callouts and live blocks") {
  const Document page = content::parse_markdown(
      "# Title\n\nOne **strong** *slanted* `code` [link](demo:deadlock)\nand on.\n\n```cpp\nint a;\n\nint b;\n```\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n"
      "- one\n- two\n\n  more\n\n3. three\n\n> [!trap]\n> Mind *this*.\n\n```sim\ncommand = \"1f1b -p 2\"\nlook = \"metrics.makespan_ns\"\nvalue = \"9.000 ms\"\n```\n\n"
      "<!-- figure: sim 1f1b | metrics.messages -> 48 -->\n<!-- figure: sim gpipe | metrics.messages -> 49 -->\n",
      "page.md");
  using K = Block::Kind;
  std::vector<K> kinds;
  for (const Block& block : page.blocks) kinds.push_back(block.kind);
  CHECK(kinds == std::vector<K>{K::heading, K::paragraph, K::code, K::table, K::list, K::list, K::callout, K::live, K::figure, K::figure});
  const auto& text = page.blocks[1].inlines;
  CHECK(content::plain_text(text) == "One strong slanted code link and on.");
  CHECK(text[1].style == content::Inline::strong);
  CHECK(text[3].style == content::Inline::emphasis);
  CHECK(text[5].style == content::Inline::code);
  CHECK(text[7].target == "demo:deadlock");
  CHECK(page.blocks[2].word == "cpp");
  CHECK(page.blocks[2].text == "int a;\n\nint b;");
  REQUIRE(page.blocks[3].rows.size() == 2);
  CHECK(content::plain_text(page.blocks[3].rows[1][1]) == "2");
  REQUIRE(page.blocks[4].children.size() == 2);
  CHECK(page.blocks[4].children[1].children.size() == 2);
  CHECK(page.blocks[5].start == 3);
  CHECK(page.blocks[6].word == "trap");
  CHECK(content::plain_text(page.blocks[6].children[0].inlines) == "Mind this.");
  CHECK(page.blocks[7].live.command == std::vector<std::string>{"sim", "1f1b", "-p", "2"});
  CHECK(page.blocks[8].figure.value == "48");
  CHECK(page.blocks[9].figure.value == "49");
}

TEST_CASE("a line's end joins Chinese characters and separates words") {
  const auto text = [](const std::string& markdown) { return content::plain_text(content::parse_markdown(markdown, "page.md").blocks[0].inlines); };
  CHECK(text("中文\n中文\n") == "中文中文");
  CHECK(text("中文\nrank\n") == "中文 rank");
  CHECK(text("中文，\nrank\n") == "中文，rank");
  CHECK(text("one\ntwo\n") == "one two");
}

TEST_CASE("the blank of a line's end stands outside code and links") {
  const auto pieces = [](const std::string& markdown) { return content::parse_markdown(markdown, "page.md").blocks[0].inlines; };
  for (const char* markdown : {"中文\n`code`\n", "`code`\n中文\n", "one\n`code`\n", "one\n[link](demo:deadlock)\n", "[link](demo:deadlock)\none\n", "`a`\n`b`\n"}) {
    INFO(markdown);
    std::string all;
    for (const auto& piece : pieces(markdown)) {
      all += piece.text;
      if ((piece.style & content::Inline::code) == 0 && piece.target.empty()) continue;
      CHECK_FALSE(piece.text.starts_with(' '));
      CHECK_FALSE(piece.text.ends_with(' '));
    }
    CHECK(std::count(all.begin(), all.end(), ' ') == 1);
  }
  for (const auto& lesson : content::load_lessons(kLessons))
    for (const auto language : {Language::en, Language::zh})
      content::each_text(content::lesson_text(lesson, language), [&](const content::Inlines& inlines, const Block& block) {
        for (const auto& piece : inlines) {
          if ((piece.style & content::Inline::code) == 0) continue;
          INFO(lesson.id << ":" << block.line << ": `" << piece.text << "`");
          CHECK_FALSE(piece.text.starts_with(' '));
        }
      });
}

TEST_CASE("a size at which a message is buffered is said together with whose size that is") {
  static const std::regex buffered("[0-9] ?(KiB|MiB|B)[^.]*(buffered|work”)|[0-9] ?(KiB|MiB|B)[^。]*(缓存|能跑)"), whose("virtual|your|measured|here|虚拟|你的|实测|这里");
  for (const auto& lesson : content::load_lessons(kLessons))
    for (const auto language : {Language::en, Language::zh})
      content::each_block(content::lesson_text(lesson, language).blocks, [&](const Block& block) {
        if (block.kind != Block::Kind::live || !std::regex_search(block.live.why, buffered)) return;
        INFO(lesson.id << ":" << block.line << ": " << block.live.why);
        CHECK(std::regex_search(block.live.why, whose));
      });
}

TEST_CASE("texts cite one edition of the MPI standard, the one among the sources") {
  static const std::regex edition("MPI[ -]([0-9]\\.[0-9])[ ,]*(section|sections|第|§|[0-9])");
  int cited = 0;
  for (const char* folder : {"assets", "labs", "demos", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(kTree / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".toml" && extension != ".md" && extension != ".cpp" && extension != ".h") continue;
      const std::string all = text_of(entry.path());
      for (std::sregex_iterator at(all.begin(), all.end(), edition), end; at != end; ++at, ++cited) {
        INFO(entry.path() << ": " << at->str());
        CHECK((*at)[1] == "4.1");
      }
    }
  CHECK(cited >= 60);
}

TEST_CASE("what a lesson cannot show is refused with its line") {
  CHECK(refused("# T\n\n<b>x</b>\n").find("line=3") != std::string::npos);
  CHECK(refused("text <b>x</b>\n").find("raw HTML") != std::string::npos);
  CHECK(refused("![picture](x.png)\n").find("images") != std::string::npos);
  CHECK(refused("[x](http://example.org)\n").find("http://example.org") != std::string::npos);
  CHECK(refused("> just a quotation\n").find("[!note]") != std::string::npos);
  CHECK(refused("> [!hint] x\n").find("[!hint]") != std::string::npos);
  CHECK(refused("<!-- figure: sim 1f1b -->\n").find("figure") != std::string::npos);
  CHECK(refused("# T\n\n```sim\ncommand = \"1f1b\"\nlok = \"x\"\n```\n").find("meant \"look\"?") != std::string::npos);
  CHECK(refused("# T\n\n```sim\ncommand = \n```\n").find("line=4") != std::string::npos);
  CHECK(refused("```quiz\nquestion = \"q\"\nanswers = [\"a\", \"b\"]\nright = 3\nwhy = \"w\"\n```\n").find("right") != std::string::npos);
  CHECK(refused("- ```demo\n  demo = \"x\"\n  ```\n").find("by itself") != std::string::npos);
}

TEST_CASE("a lesson that is not there is refused with what was probably meant; an empty folder says so") {
  const auto lessons = content::load_lessons(kLessons);
  try {
    content::find_lesson(lessons, "deadlok");
    FAIL("found");
  } catch (const Error& error) {
    CHECK(error.text().id == "lesson.unknown");
    CHECK(std::string(error.what()).find("nearest=deadlock") != std::string::npos);
  }
  CHECK_THROWS_AS(content::load_lessons(kTree / "no such folder"), Error);
}

TEST_CASE("numbers in digits are found, names with digits are not") {
  using V = std::vector<std::string>;
  CHECK(content::numbers_in("from 27.27 % to 40 %, 1 024 stages") == V{"1024", "27.27", "40"});
  CHECK(content::numbers_in("1F1B, ZB-H1, arXiv 2401x and 2pc").empty());
  CHECK(content::numbers_in("第 3 个，共 4。") == V{"3", "4"});
}

TEST_CASE("the glossary explains at least sixty terms in both languages, each under one name") {
  const content::Glossary glossary(kTree / "assets/glossary.toml");
  CHECK(glossary.terms().size() >= 60);
  std::set<std::string> names;
  for (const auto& term : glossary.terms()) {
    INFO(term.name.en);
    CHECK(names.insert(term.name.en).second);
    CHECK(term.says.en.ends_with('.'));
    CHECK(term.says.zh.ends_with("。"));
    const bool latin = std::any_of(term.name.zh.begin(), term.name.zh.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
    const bool also = std::any_of(term.name.zh.begin(), term.name.zh.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xE0; });
    CHECK((latin || also));
  }
}

TEST_CASE("a term is found as a whole word, the longest of several, in either language") {
  const content::Glossary glossary(kTree / "assets/glossary.toml");
  const auto found = [&](std::string_view text) {
    std::vector<std::string> out;
    for (const auto& each : glossary.find(text)) out.push_back(each.term->name.en);
    return out;
  };
  using V = std::vector<std::string>;
  CHECK(found("the eager limit of MPI") == V{"eager limit", "MPI"});
  CHECK(found("ranks and a crank") == V{"rank"});
  CHECK(found("死锁与气泡") == V{"deadlock", "bubble"});
  CHECK(found("two deadlocks, one deadlock") == V{"deadlock"});
}

// The drill cards that are shipped: complete, in two languages, none a copy of another, and what the loader refuses.
#include "app/content/card.h"

#include <unistd.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "app/content/stepper.h"
#include "app/trace/error.h"
#include "tests/content/formula.h"
#include "tests/support/catch.h"

using namespace p2plab;
using content::Card;
using content::CardKind;
using content::Cards;
namespace fs = std::filesystem;

namespace {

const fs::path kDrill = fs::path(P2PLAB_SOURCE_DIR) / "assets/drill";

const Cards& shipped() {
  static const Cards cards(kDrill);
  return cards;
}

struct Deck {
  fs::path dir = fs::temp_directory_path() / ("p2plab-drill-" + std::to_string(getpid()));
  explicit Deck(const std::string& cards) {
    fs::create_directories(dir);
    std::ofstream(dir / "t.toml") << "title = { en = \"T\", zh = \"题\" }\n" << cards;
  }
  ~Deck() { fs::remove_all(dir); }
};

/// Why a file of cards is refused; "" when it is not.
std::string refusal(const std::string& cards) {
  const Deck deck(cards);
  try {
    Cards read(deck.dir);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string card(const std::string& more, const std::string& kind = "pitfall") {
  return "[[card]]\nid = \"a\"\nkind = \"" + kind + "\"\nsource = \"s\"\nevidence = [\"demo:deadlock\"]\nquestion = { en = \"Q 1\", zh = \"问 1\" }\n"
         "points = [{ en = \"x\", zh = \"甲\" }, { en = \"y\", zh = \"乙\" }]\n" + more;
}
const std::string kAnswer = "answer = { en = \"A\", zh = \"答\" }\n";

}  // namespace

TEST_CASE("there are at least 130 cards of nine kinds, at most 30 after a pattern") {
  std::set<CardKind> kinds;
  int patterned = 0;
  for (const Card& each : shipped().all()) {
    kinds.insert(each.kind);
    patterned += each.family.empty() ? 0 : 1;
  }
  CHECK(shipped().all().size() >= 130);
  CHECK(kinds.size() == content::kCardKinds);
  CHECK(patterned <= 30);
}

TEST_CASE("no two cards have the same key points, and no card says one twice") {
  std::map<std::set<std::string>, std::string> seen;
  for (const Card& each : shipped().all())
    for (const bool zh : {false, true}) {
      std::set<std::string> points;
      for (const auto& point : each.points) points.insert(zh ? point.text.zh : point.text.en);
      INFO(each.id);
      CHECK(points.size() == each.points.size());
      const auto [same, fresh] = seen.emplace(points, each.id);
      INFO("as " << same->second);
      CHECK(fresh);
    }
}

TEST_CASE("every sentence and every section of the answer card is drilled") {
  std::set<int> sentences, sections;
  for (const Card& each : shipped().all()) {
    sentences.insert(each.sentences.begin(), each.sentences.end());
    sections.insert(each.sections.begin(), each.sections.end());
  }
  for (int i = 1; i <= 38; ++i) {
    INFO("sentence " << i);
    CHECK(sentences.contains(i));
  }
  for (int i = 1; i <= 6; ++i) {
    INFO("section " << i);
    CHECK(sections.contains(i));
  }
  CHECK(*sentences.rbegin() == 38);
}

TEST_CASE("the answer card's three follow-ups and at least twelve more lead on to further questions") {
  int trees = 0;
  for (const Card& each : shipped().all())
    if (each.kind == CardKind::follow_up)
      for (const auto& point : each.points)
        if (!point.ask.empty()) {
          ++trees;
          break;
        }
  CHECK(trees >= 15);
  // Every follow-up is led to from somewhere, or stands for itself in a topic.
  for (const Card& each : shipped().all())
    for (const auto& point : each.points)
      if (!point.ask.empty()) CHECK(shipped().find(point.ask)->kind == CardKind::follow_up);
}

TEST_CASE("what a card corrects stands beside the correction, and no correction repeats it") {
  int corrected = 0;
  for (const Card& each : shipped().all()) {
    INFO(each.id);
    if (each.kind == CardKind::pitfall) CHECK((!each.says.empty() || each.question.en.find("\u201c") != std::string::npos));
    if (each.says.empty()) continue;
    ++corrected;
    CHECK(each.answer.en.find(each.says.en) == std::string::npos);
    CHECK(each.answer.zh.find(each.says.zh) == std::string::npos);
  }
  CHECK(corrected >= 25);
}

TEST_CASE("true and false are both asked, and every kind of candidate has sentences") {
  int right = 0, wrong = 0;
  std::map<content::Candidate, int> candidates;
  for (const Card& each : shipped().all()) {
    if (each.kind == CardKind::true_false) ++(each.holds ? right : wrong);
    if (each.kind == CardKind::resume) ++candidates[each.candidate];
  }
  CHECK(right >= 8);
  CHECK(wrong >= 20);
  for (const auto candidate : {content::Candidate::project, content::Candidate::single_gpu, content::Candidate::graduate}) CHECK(candidates[candidate] >= 2);
}

TEST_CASE("every number that comes from a formula is what the formula yields") {
  int seen = 0;
  for (const Card& each : shipped().all()) {
    if (each.kind != CardKind::predict || each.prediction.formula.empty()) continue;
    INFO(each.id << ": " << each.prediction.formula);
    CHECK(content_test::Formula(each.prediction.formula, each.prediction.given).value() == Approx(each.prediction.value).epsilon(1e-3));
    ++seen;
  }
  CHECK(seen >= 10);
}

TEST_CASE("every program to be stepped can be driven into a deadlock by hand") {
  int avoidable = 0;
  for (const Card& each : shipped().all()) {
    if (each.kind != CardKind::cause_bug) continue;
    INFO(each.id);
    content::Stepper stepper(each.ranks, each.slots);
    const auto way = stepper.way_to_deadlock();
    REQUIRE(way);
    for (const int rank : *way) stepper.step(rank);
    CHECK(stepper.deadlocked());
    avoidable += content::Stepper(each.ranks, each.slots).way_to_end() ? 1 : 0;
  }
  CHECK(avoidable >= 1);  // at least one hangs only in some orders
}

TEST_CASE("what a card cites is named with its section or page, and what was read at second hand says so") {
  // Books and papers have sections, manuals have pages; only in the list of papers by date the paper itself is what is cited.
  static const std::regex whole(R"((MPI|arXiv|GPipe|Tutel|NCCL user guide|CUDA runtime|DeepSeek)[^,;(]*(,| \(at second hand\)).*)");
  static const std::regex second_hand("SOSP'19|Patarasuk|OSDI|2211\\.05322|1806\\.03377");
  int cites = 0;
  for (const Card& card : shipped().all()) {
    std::istringstream in(card.source);
    for (std::string cite; std::getline(in, cite, ';');) {
      cite.erase(0, cite.find_first_not_of(' '));
      INFO(card.id << ": " << cite);
      const bool needs = std::regex_search(cite, std::regex("^(MPI|arXiv|GPipe|Tutel|NCCL user guide|CUDA runtime|DeepSeek)"));
      if (needs) CHECK(std::regex_match(cite, whole));
      if (std::regex_search(cite, second_hand)) CHECK(cite.find("(at second hand)") != std::string::npos);
      cites += needs;
    }
  }
  CHECK(cites >= 80);
}

TEST_CASE("a pitch in 30 s can be spoken in 30 s, and is shorter than its longer versions") {
  for (const Card& each : shipped().all()) {
    if (each.kind != CardKind::pitch) continue;
    INFO(each.id);
    const auto words = [](const std::string& text) { return std::count(text.begin(), text.end(), ' ') + 1; };
    CHECK(words(each.answer.en) <= 125);  // 250 words a minute is fast speech
    CHECK(each.answer.zh.size() / 3 <= 250);
    CHECK_FALSE(each.two_minutes.empty());
    CHECK_FALSE(each.five_minutes.empty());
  }
}

TEST_CASE("a card that is not whole is refused with file, card and reason") {
  CHECK(refusal(card(kAnswer)).empty());
  const std::vector<std::pair<std::string, std::string>> cases{
      {card(""), "\"answer\" is missing"},
      {card("answer = { en = \"A\" }\n"), "\"zh\" is missing"},
      {card("answer = { en = \"A 33\", zh = \"答 27\" }\n"), "numbers"},
      {card("answer = { en = \"A\\nB\", zh = \"答\" }\n"), "lines"},
      {card("answer = { en = \"A {x}\", zh = \"答\" }\n"), "{blanks}"},
      {card(kAnswer + "anwser = 1\n"), "meant \"answer\"?"},
      {card(kAnswer + "holds = true\n"), "belongs to a card of kind true-false"},
      {card(kAnswer, "true-false"), "\"holds\" is missing"},
      {card(kAnswer, "riddle"), "unknown kind"},
      {card(kAnswer + "predict = { value = 3 }\n", "predict"), "a command or a formula"},
      {card(kAnswer + "ranks = [\"send 9\", \"recv 0\"]\nslots = 0\n", "cause-bug"), "names no other rank"},
      {card(kAnswer + "code = \"\"\"a\nb\n\"\"\"\nline = 7\n", "spot-bug"), "not a line of the code"},
      {card(kAnswer) + card(kAnswer), "another card of this id"},
      {"[[card]]\nid = 3\n", "\"id\" must be a text"},
  };
  for (const auto& [text, reason] : cases) {
    INFO(text);
    const std::string why = refusal(text);
    INFO(why);
    CHECK(why.find(reason) != std::string::npos);
    CHECK(why.find("t.toml") != std::string::npos);
  }
  CHECK(refusal("[[card]]\nid = \"a\"\nkind = \"pitfall\"\nsource = \"s\"\nevidence = [\"demo:d\"]\nquestion = { en = \"Q\", zh = \"问\" }\n" + kAnswer +
                "points = [{ en = \"x\", zh = \"甲\", ask = \"nobody\" }, { en = \"y\", zh = \"乙\" }]\n")
            .find("\"nobody\" is no card") != std::string::npos);
}

// The claims as files: they load, say the same in both languages, cite what is listed, and cover the answer card.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "app/content/claim.h"
#include "app/content/sources.h"
#include "app/trace/error.h"
#include "tests/support/catch.h"

using namespace p2plab;
using content::Claim;
using content::ClaimOutcome;
namespace fs = std::filesystem;

namespace {

const fs::path kTree = P2PLAB_SOURCE_DIR;
const fs::path kCard = kTree.parent_path() / "shared/answer-card.md";

/// What claims wait for. It is to become empty, and holds at most 6 claims.
const std::set<std::string> kAwaited{};

const content::Claims& claims() {
  static const content::Claims all(kTree / "assets/claims");
  return all;
}

std::string file_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// One row of the table in assets/claims/README.md.
struct Row {
  int section = 0;
  std::string says, shown;
  std::vector<std::string> ids;
};

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const auto begin = cell.find_first_not_of(' '), end = cell.find_last_not_of(' ');
    out.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
  }
  return out;
}

std::vector<Row> table_rows() {
  std::vector<Row> out;
  std::istringstream in(file_text(kTree / "assets/claims/README.md"));
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("|---")) inside = true;
    else if (inside && line.starts_with("| ")) {
      const auto row = cells(line);
      REQUIRE(row.size() == 4);
      Row& each = out.emplace_back();
      each.section = row[0].empty() ? 0 : std::stoi(row[0]);
      each.says = row[1];
      each.shown = row[3];
      static const std::regex id("`([a-z0-9-]+)`");
      for (auto at = std::sregex_iterator(row[2].begin(), row[2].end(), id); at != std::sregex_iterator(); ++at) each.ids.push_back((*at)[1]);
    }
  }
  return out;
}

/// The sentences of the card: a line ends one, so does 。
std::vector<std::string> sentences_of(const std::string& card) {
  std::vector<std::string> out;
  std::istringstream in(card);
  for (std::string line; std::getline(in, line);) {
    for (std::size_t at = 0; at < line.size();) {
      const auto stop = line.find("。", at);
      const auto end = stop == std::string::npos ? line.size() : stop + std::string("。").size();
      std::string one = line.substr(at, end - at);
      one.erase(0, one.find_first_not_of(' ') == std::string::npos ? one.size() : one.find_first_not_of(' '));
      if (one.starts_with("- ")) one.erase(0, 2);
      while (!one.empty() && (one.back() == ' ' || one.back() == '\r')) one.pop_back();
      if (!one.empty()) out.push_back(one);
      at = end;
    }
  }
  return out;
}

/// "demo deadlock", "sim 1f1b", "sources", "awaits demo moe".
std::string shown_by(const Claim& claim) {
  if (!claim.awaits.empty()) return "awaits " + claim.awaits;
  if (!claim.experiment) return "sources";
  std::vector<std::string> seen;
  for (const auto& words : claim.experiment->runs) {
    const std::string one = (words[0] == "run" ? "demo " : "sim ") + words[1];
    if (std::find(seen.begin(), seen.end(), one) == seen.end()) seen.push_back(one);
  }
  std::string out;
  for (const auto& one : seen) out += (out.empty() ? "" : ", ") + one;
  return out;
}

/// A folder with one file of claims, removed at the end.
class OneFile {
 public:
  explicit OneFile(const std::string& claim) : folder_(fs::temp_directory_path() / ("p2plab claims 测试 " + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "a.toml") << "title = { en = \"T\", zh = \"题\" }\n" << claim;
  }
  ~OneFile() { fs::remove_all(folder_); }
  /// What was refused, or "" when the file is fine.
  std::string refused() const {
    try {
      const content::Claims read(folder_);
    } catch (const Error& error) {
      CHECK(error.text().id == "manifest.broken");
      CHECK(error.exit_status() == 2);
      return error.what();
    }
    return "";
  }

 private:
  fs::path folder_;
};

const std::string kHead =
    "[[claim]]\nid = \"x\"\nsentences = [1]\nsections = []\nwho = \"misconception\"\nverdict = \"false\"\n"
    "claim = { en = \"A 1.\", zh = \"甲 1。\" }\nwhy = { en = \"B.\", zh = \"乙。\" }\nbetter = { en = \"C.\", zh = \"丙。\" }\n";
const std::string kRun =
    "[claim.experiment]\nrun = \"sim 1f1b -p 4\"\nmetric = \"metrics.bubble_ratio\"\nunit = \"%\"\npredicts = \"< 0.2\"\n"
    "shows = { en = \"{number}\", zh = \"{number}\" }\n";
const std::string kCounter = "[claim.counter]\nrun = \"sim 1f1b -p 1\"\nshows = { en = \"{number}\", zh = \"{number}\" }\n";

}  // namespace

TEST_CASE("there are at least sixty claims, each with a verdict, a better sentence and a way to see it") {
  CHECK(claims().all().size() >= 60);
  std::map<ClaimOutcome, int> declared;
  for (const Claim& claim : claims().all()) {
    INFO(claim.id);
    ++declared[claim.declared()];
    CHECK(claim.claim.en != claim.better.en);
    CHECK((claim.experiment.has_value() || !claim.sources.empty()));
  }
  CHECK(declared[ClaimOutcome::confirmed] >= 15);
  CHECK(declared[ClaimOutcome::refuted] >= 25);
  CHECK(declared[ClaimOutcome::not_shown_here] <= 6);
}

TEST_CASE("all 38 sentences and all six sections of the card have a claim; what is often heard and in print has, too") {
  std::set<int> sentences, sections;
  std::map<std::string, int> who;
  for (const Claim& claim : claims().all()) {
    ++who[claim.who];
    if (claim.who != "card") continue;
    sentences.insert(claim.sentences.begin(), claim.sentences.end());
    sections.insert(claim.sections.begin(), claim.sections.end());
  }
  for (int each = 1; each <= 38; ++each) {
    INFO("sentence " << each);
    CHECK(sentences.count(each) == 1);
  }
  CHECK(*sentences.rbegin() == 38);
  CHECK(sections == std::set<int>{1, 2, 3, 4, 5, 6});
  CHECK(who["misconception"] >= 15);
  CHECK(who["circulating"] >= 5);
}

TEST_CASE("every claim names its authority, also where an experiment shows it") {
  for (const Claim& claim : claims().all()) {
    INFO(claim.id);
    CHECK_FALSE(claim.sources.empty());
  }
}

TEST_CASE("what a claim cites is listed among the sources") {
  const auto sources = content::load_sources(kTree / "assets/sources.toml");
  for (const Claim& claim : claims().all())
    for (const std::string& target : claim.sources) {
      INFO(claim.id << " cites " << target);
      CHECK_FALSE(content::cited(sources, target).status.empty());
    }
}

TEST_CASE("a claim that waits for its demo waits for one that is not there") {
  for (const Claim& claim : claims().all()) {
    if (claim.awaits.empty()) continue;
    INFO(claim.id);
    CHECK(kAwaited.count(claim.awaits) == 1);
    const auto words = claim.awaits.substr(5);  // after "demo "
    if (words.find(' ') == std::string::npos && fs::exists(kTree / "demos" / words / "demo.toml")) WARN(claim.id << ": " << claim.awaits << " is there now, give it an experiment");
  }
}

TEST_CASE("the table of assets/claims fits the claims") {
  std::set<std::string> named, sections;
  for (const Row& row : table_rows()) {
    INFO(row.says);
    std::set<std::string> shown;
    for (const std::string& id : row.ids) {
      const Claim& claim = claims().at(id);
      named.insert(id);
      CHECK(claim.who == "card");
      CHECK(std::count(claim.sections.begin(), claim.sections.end(), row.section) == 1);
      CHECK(row.shown.find(shown_by(claim)) != std::string::npos);
    }
    CHECK((row.ids.empty()) == (row.shown == "—"));
  }
  for (const Claim& claim : claims().all())
    if (claim.who == "card") {
      INFO(claim.id);
      CHECK(named.count(claim.id) == 1);
    }
}

TEST_CASE("what is wrong in print is listed with its claims, and each claim from print stands in that list") {
  const std::string readme = file_text(kTree / "assets/claims/README.md");
  const auto at = readme.find("## In circulation");
  REQUIRE(at != std::string::npos);
  const std::string list = readme.substr(at);
  std::set<std::string> named;
  static const std::regex id("`([a-z0-9-]+)`");
  for (auto each = std::sregex_iterator(list.begin(), list.end(), id); each != std::sregex_iterator(); ++each) named.insert((*each)[1]);
  for (const std::string& one : named) CHECK_NOTHROW(claims().at(one));
  for (const Claim& claim : claims().all())
    if (claim.who == "circulating") {
      INFO(claim.id);
      CHECK(named.count(claim.id) == 1);
    }
}

TEST_CASE("the table of assets/claims has every sentence of the answer card") {
  std::vector<std::string> listed;
  for (const Row& row : table_rows()) listed.push_back(row.says);
  // Where the card is not there: the table is what it was when it was last compared with the card (FNV-1a of its lines).
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::string& line : listed)
    for (const char c : line + "\n") hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  CHECK(hash == 0x3f355d9cf21126d3);
  if (!fs::exists(kCard)) {
    WARN("skipped: " << kCard.string() << " is not there");
    return;
  }
  CHECK(listed == sentences_of(file_text(kCard)));
}

TEST_CASE("a claims file that cannot be right is refused with file, line and claim") {
  CHECK(OneFile(kHead + kRun + kCounter).refused().empty());
  CHECK(OneFile(kHead + kRun).refused().find("counter-setting") != std::string::npos);
  CHECK(OneFile(kHead).refused().find("source") != std::string::npos);
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
    return OneFile(text).refused();
  };
  const std::string whole = kHead + kRun + kCounter;
  CHECK(with(whole, "verdict = \"false\"", "verdict = \"wrong\"").find("misleading") != std::string::npos);
  CHECK(with(whole, "verdict", "verdikt").find("meant \"verdict\"?") != std::string::npos);
  CHECK(with(whole, "甲 1。", "甲 2。").find("numbers") != std::string::npos);
  CHECK(with(whole, "< 0.2", "below 0.2").find("\"below\"") != std::string::npos);
  CHECK(with(whole, "< 0.2", "< small").find("no number") != std::string::npos);
  CHECK(with(whole, "sim 1f1b -p 4", "doctor").find("run DEMO") != std::string::npos);
  CHECK(with(whole, "sim 1f1b -p 4", "run deadlock --seed 2").find("--seed") != std::string::npos);
  CHECK(with(whole, "unit = \"%\"", "unit = \"miles\"").find("\"miles\"") != std::string::npos);
  CHECK(with(whole, "{number}\", zh", "none\", zh").find("shows") != std::string::npos);
  CHECK(with(whole, "unit = \"%\"", "unit = \"%\"\nalso = { total = { metric = \"metrics.messages\" } }").find("does not quote") != std::string::npos);
  CHECK(with(whole, "sections = []", "sections = [2]").find("sections") != std::string::npos);
  CHECK(with(whole, "who = ", "who ! ").find("a.toml line=6") != std::string::npos);
  CHECK(OneFile(whole + whole).refused().find("another claim") != std::string::npos);
}

TEST_CASE("a counter-setting speaks of the claim only if it is the claim's own number of the same programs; else it says which sentence it decides") {
  const auto counter = [](const std::string& text) { return OneFile(kHead + kRun + "[claim.counter]\n" + text + "shows = { en = \"{number}\", zh = \"{number}\" }\n").refused(); };
  const std::string other = "says = { en = \"D.\", zh = \"丁。\" }\n", predicts = "predicts = \"> 0\"\n";
  CHECK(counter("run = \"sim 1f1b -p 9\"\n").empty());
  CHECK(counter("run = \"sim 1f1b -p 9\"\npredicts = \"< 0.3\"\n").empty());  // the same sentence, as it reads at this setting
  for (const std::string& something_else : {std::string("run = \"sim gpipe -p 4\"\n"), std::string("metric = \"metrics.messages\"\n"), std::string("run = \"sim 1f1b -p 9\"\npredicts = \"> 0.2\"\n"),
                                            std::string("run = \"sim 1f1b -p 9 --set variant=other\"\n"), std::string("run = \"sim 1f1b -p 9\"\nunit = \"times\"\n")}) {
    INFO(something_else);
    CHECK(counter(something_else).find("says") != std::string::npos);
  }
  CHECK(counter("").find("experiment itself") != std::string::npos);
  CHECK(counter("run = \"sim gpipe -p 4\"\n" + other + predicts).empty());
  CHECK(counter("run = \"sim gpipe -p 4\"\n" + other).find("predicts") != std::string::npos);
}

TEST_CASE("of what holds when a condition is met, the counter-setting may be the variant that breaks it, under the claim's own prediction") {
  const auto refused = [](std::string head, const std::string& counter) {
    const std::string from = "verdict = \"false\"", to = "verdict = \"holds-when\"";
    if (head.empty()) head = std::string(kHead).replace(kHead.find(from), from.size(), to);
    return OneFile(head + kRun + "[claim.counter]\n" + counter + "shows = { en = \"{number}\", zh = \"{number}\" }\n").refused();
  };
  const std::string variant = "run = \"sim 1f1b -p 9 --set variant=other\"\n";
  CHECK(refused("", variant).empty());
  CHECK(refused(kHead, variant).find("says") != std::string::npos);  // of a claim of another verdict it is another program
  CHECK(refused("", variant + "predicts = \"< 0.3\"\n").find("says") != std::string::npos);
  CHECK(refused("", variant + "metric = \"metrics.messages\"\n").find("says") != std::string::npos);
  CHECK(refused("", "run = \"sim gpipe -p 9\"\n").find("says") != std::string::npos);
}

TEST_CASE("the claims whose counter-setting decides another sentence are those of which the README says why") {
  const std::string readme = file_text(kTree / "assets/claims/README.md");
  const auto begin = readme.find("## What no setting turns"), end = readme.find("\n## ", begin + 1);
  REQUIRE(begin != std::string::npos);
  const std::string list = readme.substr(begin, end - begin);
  std::set<std::string> named, other;
  static const std::regex id("\n- `([a-z0-9-]+)`: [A-Z]");
  for (auto each = std::sregex_iterator(list.begin(), list.end(), id); each != std::sregex_iterator(); ++each) named.insert((*each)[1]);
  int turned = 0;
  for (const Claim& claim : claims().all()) {
    if (!claim.counter) continue;
    if (claim.counter->says.empty()) ++turned;
    else other.insert(claim.id);
  }
  CHECK(named == other);
  CHECK(list.find(std::to_string(turned) + " of " + std::to_string(turned + static_cast<int>(other.size()))) != std::string::npos);
}

TEST_CASE("every number that a claim shows has a noun, and a unit where it is no count") {
  // What stands in for a number when its unit is printed with it ("1.94 ×", "27.3 %", "33 ms"), and when it is not.
  const std::regex bare_en("(^|[:;,.] )\\{[a-z]+\\}[.;,]"), bare_zh("(^|[：；，。])\\{[a-z]+\\}[。；，]");
  for (const Claim& claim : claims().all())
    for (const auto* setting : {&claim.experiment, &claim.counter}) {
      if (!*setting || (*setting)->unit == "word") continue;
      const auto& shows = (*setting)->shows;
      INFO(claim.id << ": " << shows.en << " / " << shows.zh);
      CHECK_FALSE(std::regex_search(shows.en, bare_en));
      CHECK_FALSE(std::regex_search(shows.zh, bare_zh));
      std::map<std::string, std::string> units{{"number", (*setting)->unit}};
      for (const auto& [name, number] : (*setting)->also) units[name] = number.unit;
      for (const auto& [name, unit] : units) {
        if (unit != "count" && unit != "bytes") continue;
        const std::string noun = unit == "bytes" ? "bytes" : "[a-z]+", zh_noun = unit == "bytes" ? " ?字节" : " ?(个|条|次|对|份|microbatch)";
        CHECK(std::regex_search(shows.en, std::regex("\\{" + name + "\\} " + noun)));
        CHECK(std::regex_search(shows.zh, std::regex("\\{" + name + "\\}" + zh_noun)));
      }
    }
}

TEST_CASE("a claim about a pipeline's blocking calls runs them, and names the protocol of what it times") {
  // Not "nonblocking". The simulator shows no blocking call: its senders go on.
  const std::regex blocking("(^|[^-a-z])blocking");
  int seen = 0;
  for (const Claim& claim : claims().all())
    for (const auto* setting : {&claim.experiment, &claim.counter}) {
      if (!*setting || !std::regex_search((*setting)->shows.en, blocking)) continue;
      const auto& shows = (*setting)->shows;
      const auto is_pipeline = [](const std::vector<std::string>& words) { return words[0] == "sim" || words[1] == "pipeline"; };
      const auto& runs = (*setting)->runs;
      if (std::none_of(runs.begin(), runs.end(), is_pipeline)) continue;
      INFO(claim.id << ": " << shows.en << " / " << shows.zh);
      const bool beside = (*setting)->metric == "metrics.gain_over_blocking";  // the demo runs a blocking step beside its own
      CHECK((beside || std::any_of(runs.begin(), runs.end(), [](const auto& words) {
               return std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("communication=blocking"); });
             })));
      CHECK(std::none_of(runs.begin(), runs.end(), [](const auto& words) { return words[0] == "sim"; }));
      ++seen;
      if ((*setting)->unit == "word") continue;
      const auto& named = claim.experiment->shows;  // a counter-setting may say "the same calls"
      for (const std::string& words : {shows.en + named.en, shows.zh + named.zh}) CHECK((words.find("eager") != std::string::npos || words.find("rendezvous") != std::string::npos));
    }
  CHECK(seen >= 6);
  for (const char* id : {"blocking-grows-bubble", "must-be-nonblocking"})
    for (const auto* setting : {&claims().at(id).experiment, &claims().at(id).counter})
      for (const auto& words : (*setting)->runs) CHECK(std::find(words.begin(), words.end(), "communication=blocking") != words.end());
}

TEST_CASE("a prediction is right or wrong about a number, or about a word") {
  const content::ClaimPrediction below{"<", "", 1, 0.01}, near{"=", "", 2, 0.01}, not_near{"!=", "", 2, 0.01}, none{"=", "", 0, 0.01}, word{"!=", "deadlock", 0, 0.01};
  CHECK(below.right(0.5));
  CHECK_FALSE(below.right(1.0));
  CHECK(near.right(2.01));
  CHECK_FALSE(near.right(2.1));
  CHECK(not_near.right(2.1));
  CHECK(none.right(0.005));
  CHECK_FALSE(none.right(1.0));
  CHECK(word.right("pass"));
  CHECK_FALSE(word.right("deadlock"));
}

TEST_CASE("a claim that is not there is refused with what was probably meant") {
  try {
    claims().at("send-first-deadlock");
    FAIL("found");
  } catch (const Error& error) {
    CHECK(error.text().id == "claim.unknown");
    CHECK(std::string(error.what()).find("nearest=send-first-deadlocks") != std::string::npos);
  }
}

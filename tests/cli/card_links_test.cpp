// Every proof that a card names is there, and every number that a command can produce is what the command produces.
#include <algorithm>
#include <set>

#include "app/check/demo_run.h"
#include "app/content/card.h"
#include "app/report/saved_runs.h"
#include "tests/cli/process.h"
#include "tests/support/catch.h"
#include <nlohmann/json.hpp>

using namespace p2plab;
using content::Card;
namespace fs = std::filesystem;

namespace {

const fs::path kSource = P2PLAB_SOURCE_DIR;

/// Named by cards and not there yet. Take an entry out when its target has come.
const std::set<std::string> kNotThereYet{};

const content::Cards& cards() {
  static const content::Cards all(kSource / "assets/drill");
  return all;
}

/// What is wrong with a demo, its knobs or options; "" when nothing is.
std::string fault_of_demo(const content::Evidence& evidence) {
  const auto demos = check::load_demos(fs::path(P2PLAB_BUILD_DIR) / "share/p2plab/demos");
  const auto demo = std::find_if(demos.begin(), demos.end(), [&](const auto& each) { return each.id == evidence.target; });
  if (demo == demos.end()) return "no such demo";
  check::RunRequest request;
  request.demo = demo->id;
  for (std::size_t i = 0; i < evidence.arguments.size(); ++i) {
    const std::string& word = evidence.arguments[i];
    if (word == "--strict") request.strict = true;
    else if (word == "--semantics") request.semantics = evidence.arguments.at(++i);
    else if (word == "--link") request.link = evidence.arguments.at(++i);
    else if (word == "--backend") request.backend = evidence.arguments.at(++i);
    else if (const auto equals = word.find('='); equals != std::string::npos) request.knobs[word.substr(0, equals)] = word.substr(equals + 1);
    else return "unknown option " + word;
  }
  try {
    check::complete(*demo, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool claim_exists(const std::string& id) {
  if (!fs::exists(kSource / "assets/claims")) return false;
  for (const auto& entry : fs::directory_iterator(kSource / "assets/claims")) {
    if (entry.path().extension() != ".toml") continue;
    if (cli_test::read_file(entry.path()).find("\"" + id + "\"") != std::string::npos || entry.path().stem() == id) return true;
  }
  return false;
}

std::string fault_of(const content::Evidence& evidence) {
  if (evidence.kind == "demo") return fault_of_demo(evidence);
  if (evidence.kind == "lesson") return fs::exists(kSource / "assets/lessons" / evidence.target / "lesson.toml") || fs::exists(kSource / "assets/lessons" / (evidence.target + ".en.md")) ? "" : "no such lesson";
  if (evidence.kind == "lab") return fs::exists(kSource / "labs" / evidence.target / "lab.toml") ? "" : "no such lab";
  if (evidence.kind == "claim") return claim_exists(evidence.target) ? "" : "no such claim";
  return "";  // sim: run below
}

std::string text_of(const content::Evidence& evidence) {
  std::string out = evidence.kind + ":" + evidence.target;
  for (const auto& word : evidence.arguments) out += " " + word;
  return out;
}

nlohmann::ordered_json json_of(std::vector<std::string> words) {
  words.insert(words.end(), {"--json", "-"});
  const auto ended = cli_test::p2plab(words);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  return nlohmann::ordered_json::parse(ended.out);
}

}  // namespace

TEST_CASE("every demo, lab, claim and lesson that a card names is there, with its knobs") {
  for (const Card& card : cards().all())
    for (const auto& evidence : card.evidence) {
      INFO(card.id << ": " << text_of(evidence));
      const std::string fault = fault_of(evidence);
      INFO(fault);
      if (kNotThereYet.contains(text_of(evidence)) || kNotThereYet.contains(evidence.kind + ":" + evidence.target)) {
        if (fault.empty()) WARN(text_of(evidence) << " is there now: take it out of kNotThereYet");
        continue;
      }
      CHECK(fault.empty());
    }
}

TEST_CASE("every number to predict that a command can produce is what it produces") {
  int seen = 0;
  for (const Card& card : cards().all()) {
    const auto& prediction = card.prediction;
    if (prediction.command.empty()) continue;
    std::string words;
    for (const auto& word : prediction.command) words += word + " ";
    INFO(card.id << ": " << words);
    const auto number = report::number_at(json_of(prediction.command), prediction.metric);
    REQUIRE(number);
    CHECK(*number * prediction.scale == Approx(prediction.value).epsilon(std::min(prediction.tolerance, 1e-3)));
    ++seen;
  }
  CHECK(seen >= 14);
}

TEST_CASE("every simulation that proves a card runs") {
  std::set<std::string> done;
  for (const Card& card : cards().all())
    for (const auto& evidence : card.evidence) {
      if (evidence.kind != "sim" || !done.insert(text_of(evidence)).second) continue;
      INFO(card.id << ": " << text_of(evidence));
      json_of(evidence.command());
    }
  CHECK(done.size() >= 10);
}

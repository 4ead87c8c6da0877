// The page of claims: one style for all pictures, no tooltips, and a shared run drawn once.
#include "app/report/claim_report.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/content/spacing.h"
#include "tests/report/support.h"
#include "tests/support/catch.h"

using namespace p2plab;

namespace {

int count(const std::string& text, const std::string& word) {
  int out = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++out;
  return out;
}

}  // namespace

TEST_CASE("a page of claims has each picture once, without the tooltips of its spans, and one style for all") {
  content::Claim one, other;
  one.id = "one";
  other.id = "other";
  one.who = other.who = "misconception";
  const std::string svg = "<?xml version=\"1.0\"?>\n<svg aria-labelledby=\"p2plab-about\"><title id=\"p2plab-about\">Whole</title><style>.a{}</style><defs><pattern/></defs><g>\n<title>span 1\nlong</title><rect class=\"p2plab-send\"/></g><g><title>span 2</title><rect/></g></svg>\n";
  check::ClaimResult first, second;
  first.claim = &one;
  first.outcome = second.outcome = content::ClaimOutcome::documented;
  first.commands = {"p2plab run a", "p2plab run b"};
  first.pictures = {svg, svg};
  second.claim = &other;
  second.commands = {"p2plab run a"};
  second.pictures = {svg};
  const std::string page = report::claim_page({first, second}, {}, tests::text(), "");
  CHECK(count(page, "Interrupted") == 0);
  CHECK(count(page, "<svg ") == 2);  // the run that both share is drawn at the first
  for (const std::string number : {"0", "1"}) {  // what each picture shows, under an id of its own
    CHECK(count(page, "<title id=\"p-about-" + number + "\">Whole</title>") == 1);
    CHECK(count(page, "aria-labelledby=\"p-about-" + number + "\"") == 1);
  }
  CHECK(count(page, "span ") == 0);
  CHECK(count(page, "<rect/>") == 2);
  CHECK(count(page, "<rect class=\"p-send\"/>") == 2);
  CHECK(count(page, "<g>") + count(page, "</g>") == 0);
  CHECK(count(page, ".a{}") == 1);
  CHECK(count(page, "<pattern/>") == 1);
  CHECK(count(page, "href=\"#one\"") == 1);
  CHECK(count(page, "<?xml") == 0);
}

TEST_CASE("a report on real MPI marks each experiment that stayed on the virtual clock or is a schedule, and says once how many and why") {
  content::Claim one, other, third, fourth;
  one.id = "one", other.id = "other", third.id = "third", fourth.id = "fourth";
  one.who = other.who = third.who = fourth.who = "misconception";
  one.experiment = other.experiment = fourth.experiment = content::Experiment{};
  check::ClaimResult real, virtual_clock, documented, schedule;
  real.claim = &one, virtual_clock.claim = &other, documented.claim = &third, schedule.claim = &fourth;
  real.asked = virtual_clock.asked = documented.asked = schedule.asked = "host";
  real.backend = "host", virtual_clock.backend = "sim";  // of a schedule: none
  real.runs = virtual_clock.runs = schedule.runs = {nlohmann::ordered_json::object()};
  documented.outcome = documented.wanted = content::ClaimOutcome::documented;
  for (const auto language : {content::Language::en, content::Language::zh}) {
    const auto text = tests::text(language);
    CHECK(report::claim_world(real, text).empty());
    CHECK(report::claim_world(virtual_clock, text) == text("claim.on_sim"));
    CHECK(report::claim_world(documented, text).empty());  // nothing ran
    CHECK(report::claim_world(schedule, text) == text("claim.schedule_only"));
    const std::vector all{real, virtual_clock, documented, schedule};
    const std::string worlds = report::claim_worlds(all, text), page = report::claim_page(all, {}, text, "");
    CHECK(worlds == text("claim.worlds", {{"host", "1"}, {"sim", "1"}, {"schedules", "1"}}));
    CHECK(count(page, "<b>" + text("claim.schedule_only") + "</b>") == 1);
    CHECK(count(page, worlds) == 1);
    CHECK(count(page, "<b>" + text("claim.on_sim") + "</b>") == 1);
  }
  virtual_clock.asked = "sim";
  CHECK(report::claim_worlds({virtual_clock}, tests::text()).empty());
  CHECK(report::claim_world(virtual_clock, tests::text()).empty());
}

TEST_CASE("a page of fewer claims than were asked for says first why") {
  content::Claim claim;
  claim.id = "one";
  claim.who = "misconception";
  check::ClaimResult result;
  result.claim = &claim;
  result.outcome = result.wanted = content::ClaimOutcome::documented;
  const std::string page = report::claim_page({result}, {}, tests::text(), "Interrupted & so on.");
  CHECK(page.find("Interrupted &amp; so on.") < page.find("<article"));
}

TEST_CASE("every number of a claim has a name in both languages, and what is said of it is in words") {
  const content::Claims claims(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/claims");
  for (const auto language : {content::Language::en, content::Language::zh}) {
    const auto text = tests::text(language);
    for (const content::Claim& claim : claims.all())
      for (const auto* setting : {&claim.experiment, &claim.counter}) {
        if (!*setting) continue;
        const std::string said = report::claim_predicts(**setting, text);
        INFO(claim.id << ": " << said);
        for (const char* symbol : {"metrics", "claim.", "_ns", "_bytes", "[", "<", ">", "!="}) CHECK(said.find(symbol) == std::string::npos);
      }
  }
}

TEST_CASE("what is said of a claim's number reads as Chinese: no chain of 的, a space beside Latin letters, none behind a mark") {
  const content::Claims claims(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/claims");
  const auto text = tests::text(content::Language::zh);
  for (const content::Claim& claim : claims.all()) {
    const std::string verdict = report::claim_verdict(claim, text);
    CHECK(verdict.find("。 ") == std::string::npos);
    for (const auto* setting : {&claim.experiment, &claim.counter}) {
      if (!*setting) continue;
      const std::string said = report::claim_predicts(**setting, text);
      INFO(claim.id << ": " << said);
      const std::size_t sign = std::min({said.find("÷"), said.find("−"), said.size()});
      CHECK(count(said.substr(0, sign), "的") <= 1);
      CHECK(count(said.substr(sign), "的") <= 1);
      for (const char* mark : {"， ", "。 ", "： ", "） ", "  "}) CHECK(said.find(mark) == std::string::npos);
      for (std::size_t at = 1; at < said.size(); ++at) CHECK_FALSE(content::wants_space(std::string_view(said).substr(0, at), std::string_view(said).substr(at)));
    }
  }
}

TEST_CASE("the outcome of a counter-setting is that of the sentence that it decides, and never the claim's") {
  const content::Claims claims(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/claims");
  int own = 0, other = 0;
  for (const content::Claim& claim : claims.all()) {
    if (!claim.counter) continue;
    check::ClaimResult result;
    result.claim = &claim;
    result.counter = true;
    result.outcome = content::ClaimOutcome::confirmed;
    const std::string said = report::claim_outcome(result, tests::text());
    INFO(claim.id << ": " << said);
    ++(result.other_sentence() ? other : own);
    CHECK(said.find(result.other_sentence() ? claim.counter->says.en : "As claimed, at this setting") != std::string::npos);
    CHECK(said != tests::text()("claim.outcome_confirmed"));
  }
  CHECK(own > 0);
  CHECK(other > 0);
}

TEST_CASE("what came of a run never stands without the claim's own verdict, and the summary counts every verdict that the list has") {
  const content::Claims claims(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/claims");
  for (const auto language : {content::Language::en, content::Language::zh}) {
    const auto text = tests::text(language);
    std::vector<check::ClaimResult> results;
    std::map<content::ClaimVerdict, int> listed;
    for (const content::Claim& claim : claims.all()) {
      results.emplace_back();
      results.back().claim = &claim;
      results.back().outcome = content::ClaimOutcome::documented;
      ++listed[claim.verdict];
    }
    REQUIRE(listed.size() == content::kClaimVerdicts.size());
    Params counts;
    for (const auto& [verdict, n] : listed) counts.emplace_back(to_string(verdict), std::to_string(n));
    const std::string summary = text("claim.counts_verdicts", counts), page = report::claim_page(results, {}, text, "");
    CHECK(summary.find('{') == std::string::npos);
    CHECK(report::claim_counts(results, text).find(summary) != std::string::npos);
    CHECK(count(page, summary) == 1);
    for (const auto verdict : content::kClaimVerdicts)
      CHECK(count(page, text("claim.own_verdict", {{"verdict", text("claim.verdict_" + std::string(to_string(verdict)))}})) == listed[verdict]);
  }
}

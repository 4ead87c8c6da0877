// The drill as the window knows it: its phases, what keys may do in each, and what is kept.
#include "app/gui/model/drill.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "app/report/card_heading.h"
#include "tests/gui/temporary.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;

namespace {

const std::filesystem::path kCards = std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/drill";

struct Fixture {
  Temporary folder;
  Drill drill;
  Fixture() { drill.open(kCards, folder.path / "progress.jsonl"); }
  std::vector<content::Progress::Record> kept(const char* kind) const { return content::Progress(folder.path / "progress.jsonl").records(kind); }
};

/// Answers the card that is shown, all points said or none.
void answer(Drill& drill, bool well) {
  const content::Card& card = drill.card();
  drill.say(well == card.holds);
  if (drill.stepper()) {
    const auto way = content::Stepper(card.ranks, card.slots).way_to_deadlock();
    if (well)
      for (const int rank : *way) drill.step(rank);
  }
  REQUIRE(drill.give(10));
  drill.be_sure(70);
  REQUIRE(drill.phase() == DrillPhase::answer);
  if (well) {
    for (std::size_t i = 0; i < card.points.size(); ++i) drill.toggle_point(i);
    drill.toggle_proof();
  }
  drill.finish();
}

}  // namespace

TEST_CASE("a card goes from question to confidence to answer to grade, and is kept") {
  Fixture f;
  REQUIRE(f.drill.start_card("fu-why-p2p", 0));
  CHECK(f.drill.phase() == DrillPhase::ask);
  f.drill.be_sure(90);  // not yet
  CHECK(f.drill.phase() == DrillPhase::ask);
  answer(f.drill, true);
  CHECK(f.drill.phase() == DrillPhase::graded);
  CHECK(f.drill.grade().letter == 'A');
  CHECK(f.drill.due() > content::today());
  REQUIRE(f.kept("review").size() == 1);
  CHECK(f.kept("review")[0]["confidence"] == 70);
  f.drill.next(20);
  CHECK(f.drill.phase() == DrillPhase::home);
}

TEST_CASE("what was not said is asked next") {
  Fixture f;
  REQUIRE(f.drill.start_card("fu-why-p2p", 0));
  answer(f.drill, false);
  f.drill.next(0);
  REQUIRE(f.drill.phase() == DrillPhase::ask);
  CHECK(f.drill.card().id == "fu-allreduce-bubble");
  CHECK(f.drill.is_follow_up());
}

TEST_CASE("the line above a card is in one language, and says no name twice") {
  Fixture f;
  content::Text text(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/text", content::Language::zh);
  REQUIRE(f.drill.start_card("rs-project", 0));
  CHECK(report::card_heading(f.drill.cards(), f.drill.card(), text) == "简历");
  REQUIRE(f.drill.start_card("pr-gpipe", 0));
  CHECK(report::card_heading(f.drill.cards(), f.drill.card(), text).find(" · ") != std::string::npos);
  f.drill.start_mock(0);
  CHECK(f.drill.heading(text).find("min") == std::string::npos);
  CHECK(f.drill.heading(text).find("分钟") != std::string::npos);
}

TEST_CASE("a number is typed, mended and read") {
  Fixture f;
  REQUIRE(f.drill.start_card("pr-gpipe", 0));
  for (const char32_t c : U"3毫") f.drill.type(c);
  CHECK_FALSE(f.drill.give(5));
  CHECK(f.drill.refused());
  f.drill.erase();
  CHECK(f.drill.typed() == "3");
  CHECK_FALSE(f.drill.refused());
  for (const char32_t c : U"３　ｍs") f.drill.type(c);
  CHECK(f.drill.typed() == "33 ms");
  REQUIRE(f.drill.give(5));
  f.drill.be_sure(0);
  f.drill.finish();
  CHECK(f.drill.grade().letter == 'A');
  CHECK_FALSE(f.kept("review")[0].contains("confidence"));
}

TEST_CASE("an answer that is not complete is not taken") {
  Fixture f;
  REQUIRE(f.drill.start_card("tf-jax", 0));
  CHECK_FALSE(f.drill.give(1));
  REQUIRE(f.drill.start_card("or-ring", 0));
  f.drill.type('a');
  CHECK_FALSE(f.drill.give(1));
  REQUIRE(f.drill.start_card("pr-gpipe", 0));
  f.drill.type('/');
  CHECK_FALSE(f.drill.give(1));
}

TEST_CASE("steps to be put in order are shown in another order, each letter once") {
  Fixture f;
  REQUIRE(f.drill.start_card("or-ring", 0));
  CHECK_FALSE(std::is_sorted(f.drill.shuffled().begin(), f.drill.shuffled().end()));
  for (std::size_t step = 0; step < f.drill.shuffled().size(); ++step)
    for (std::size_t shown = 0; shown < f.drill.shuffled().size(); ++shown)
      if (f.drill.shuffled()[shown] == static_cast<int>(step)) {
        f.drill.type(static_cast<char32_t>('a' + shown));
        f.drill.type(static_cast<char32_t>('a' + shown));
      }
  REQUIRE(f.drill.give(1));
  f.drill.be_sure(90);
  f.drill.finish();
  CHECK(f.drill.grade().letter == 'A');
}

TEST_CASE("every kind of card can be answered to its end, well and badly") {
  for (const bool well : {true, false}) {
    std::set<content::CardKind> seen;
    Fixture f;
    for (const auto& card : f.drill.cards().all()) {
      if (card.kind == content::CardKind::predict || card.kind == content::CardKind::order || !seen.insert(card.kind).second) continue;
      INFO(card.id << (well ? " well" : " badly"));
      REQUIRE(f.drill.start_card(card.id, 0));
      answer(f.drill, well);
      CHECK(f.drill.phase() == DrillPhase::graded);
      if (!well) CHECK(f.drill.grade().letter == 'D');
    }
  }
}

TEST_CASE("opening the proof is noted") {
  Fixture f;
  REQUIRE(f.drill.start_card("fu-eager", 0));
  CHECK(f.drill.prove() == nullptr);  // not before the answer is shown
  answer(f.drill, false);
  REQUIRE(f.drill.prove() != nullptr);
  CHECK(f.kept("proved").size() == 1);
}

TEST_CASE("what proves a card in place goes with the card") {
  Fixture f;
  REQUIRE(f.drill.start_card("fu-eager", 0));
  f.drill.proof = content::Live();
  REQUIRE(f.drill.start_card("fu-why-p2p", 0));
  CHECK_FALSE(f.drill.proof);
}

TEST_CASE("a resume card is filled from a measured run, never from a simulated one, and what was typed is kept and wins") {
  Fixture f;
  const auto runs = f.folder.path / "runs";
  std::filesystem::create_directories(runs);
  const auto write = [&](const char* name, const char* backend, const char* step) {
    std::ofstream(runs / name) << R"({"schema":"p2plab.run/1","demo":"pipeline","backend":")" << backend << R"(","ranks":4,"link":"raw","compute":"paced","seed":1,"metrics":{"step_ns":)" << step << "}}";
  };
  const auto step = [&] {
    for (const auto& each : f.drill.filled())
      if (each.blank->name == "step") return each;
    return report::FilledBlank();
  };
  write("a.json", "sim", "11000000");
  REQUIRE(f.drill.start_card("rs-project", 0));
  CHECK(step().value.empty());
  write("b.json", "host", "22000000");
  REQUIRE(f.drill.start_card("rs-project", 0));
  CHECK(step().value == "22.000 ms");
  REQUIRE(step().run);
  CHECK(step().run->conditions.find("host") != std::string::npos);
  const auto sentence = report::resume_sentence(f.drill.card(), f.drill.filled(), content::Language::en);
  CHECK(sentence.find("22.000 ms") != std::string::npos);
  CHECK(sentence.find("___ (GPUs, link, p and m)") != std::string::npos);
  f.drill.blanks["step"] = "7 ms";
  f.drill.blanks["where"] = "two cores, p = 4";
  f.drill.save_blanks();
  REQUIRE(f.drill.start_card("fu-eager", 0));
  CHECK(f.drill.blanks.empty());
  REQUIRE(f.drill.start_card("rs-project", 0));
  CHECK(step().value == "7 ms");
  CHECK(step().run == nullptr);
  CHECK(report::resume_sentence(f.drill.card(), f.drill.filled(), content::Language::zh).find("two cores, p = 4") != std::string::npos);
}

TEST_CASE("a longer drill plans more cards, and a mock interview follows its seed") {
  Fixture f;
  f.drill.minutes = 10;
  const auto few = f.drill.plan("").cards.size();
  f.drill.take_minutes(+20);
  CHECK(f.drill.minutes == 30);
  CHECK(f.drill.plan("").cards.size() > few);
  f.drill.take_minutes(-1000);
  CHECK(f.drill.minutes == 5);
  std::set<std::string> asked;
  for (const std::uint64_t seed : {3, 3, 4, 5}) {
    f.drill.seed = seed;
    f.drill.start_mock(0);
    std::string ids;
    for (int i = 0; i < 6 && f.drill.phase() == DrillPhase::ask; ++i) {
      ids += f.drill.card().id + " ";
      answer(f.drill, true);
      f.drill.next(0);
    }
    asked.insert(ids);
  }
  CHECK(asked.size() >= 2);
  CHECK(asked.size() <= 3);
}

TEST_CASE("an interview date is set by days, kept, and taken back") {
  Fixture f;
  f.drill.set_interview_in(5);
  CHECK(*f.drill.interview() == content::today() + std::chrono::days(5));
  Drill again;
  again.open(kCards, f.folder.path / "progress.jsonl");
  CHECK(again.interview() == f.drill.interview());
  f.drill.set_interview_in(0);
  CHECK_FALSE(f.drill.interview());
}

TEST_CASE("a mock interview ends in a report, also when it is left early") {
  Fixture f;
  f.drill.start_mock(0);
  REQUIRE(f.drill.phase() == DrillPhase::ask);
  CHECK(f.drill.card().kind == content::CardKind::pitch);
  answer(f.drill, false);
  f.drill.next(0);
  f.drill.leave();
  CHECK(f.drill.phase() == DrillPhase::report);
  f.drill.leave();
  CHECK(f.drill.phase() == DrillPhase::home);
}

TEST_CASE("progress that cannot be written is said, and the card is graded all the same") {
  Temporary folder;
  std::ofstream(folder.path / "file") << "no folder";
  Drill drill;
  drill.open(kCards, folder.path / "file" / "progress.jsonl");
  REQUIRE(drill.start_card("fu-eager", 0));
  answer(drill, true);
  CHECK(drill.grade().letter == 'A');
  CHECK(drill.not_saved());
}

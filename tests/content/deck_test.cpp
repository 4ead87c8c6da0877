// What is due, towards a date and without one; leeches, families, calibration; and the mock interview.
#include "app/content/deck.h"

#include <algorithm>
#include <set>

#include "app/content/mock.h"
#include "app/trace/error.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::content;
using std::chrono::days;

namespace {

const Cards& cards() {
  static const Cards all(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/drill");
  return all;
}

const Day kMonday = std::chrono::year{2026} / 6 / 1;

Progress::Record review(const Card& card, Day day, int rating, int confidence = 0) {
  Progress::Record out{{"kind", "review"}, {"card", card.id}, {"day", to_string(day)}, {"at", to_string(day) + "T10:00:00Z"}, {"rating", rating},
                       {"grade", rating == 1 ? "D" : rating == 2 ? "C" : rating == 3 ? "B" : "A"}};
  if (confidence > 0) out["confidence"] = confidence;
  return out;
}

PlanOptions on(Day day, double minutes = 20) {
  PlanOptions out;
  out.today = day;
  out.minutes = minutes;
  return out;
}

/// A learner who does all that is asked, day after day, until the interview; how often each card came in the last days.
std::map<std::string, int> towards(Day interview, Day from, int rating, std::vector<int>* loads = nullptr) {
  std::vector<Progress::Record> log;
  std::map<std::string, int> last_days;
  for (Day day = from; day < interview; day += days(1)) {
    PlanOptions options = on(day, 100000);
    options.interview = interview;
    const auto plan = Deck(cards(), log).plan(options);
    for (const Card* card : plan.cards) {
      log.push_back(review(*card, day, rating));
      if (day >= interview - days(kLastDays)) ++last_days[card->id];
    }
    if (loads) loads->push_back(static_cast<int>(plan.cards.size()));
  }
  return last_days;
}

}  // namespace

TEST_CASE("days are read and written, and what is no day is refused") {
  CHECK(to_string(*parse_day("2026-06-01")) == "2026-06-01");
  CHECK(parse_day("2028-02-29"));
  for (const char* none : {"2026-02-29", "2026-13-01", "2026-6-1", "01.06.2026", "", "2026-06-0x"}) CHECK_FALSE(parse_day(none));
}

TEST_CASE("a card comes back on the day that FSRS says, and not before") {
  const Card& card = cards().all().front();
  const std::vector<Progress::Record> log{review(card, kMonday, 3)};
  const Deck deck(cards(), log);
  CHECK(deck.state(card).due == kMonday + days(2));  // a first "good" has a stability of 2.3 days
  const auto asks = [&](Day day) {
    const auto plan = deck.plan(on(day, 100000));
    return std::find(plan.cards.begin(), plan.cards.end(), &card) != plan.cards.end();
  };
  CHECK_FALSE(asks(kMonday + days(1)));
  CHECK(asks(kMonday + days(2)));
}

TEST_CASE("the log decides whatever order its lines came in") {
  const Card& card = cards().all().front();
  std::vector<Progress::Record> log{review(card, kMonday, 3), review(card, kMonday + days(2), 1), review(card, kMonday + days(5), 3)};
  const auto due = Deck(cards(), log).state(card).due;
  std::reverse(log.begin(), log.end());
  CHECK(Deck(cards(), log).state(card).due == due);
}

TEST_CASE("records of other parts, of lost cards and of later versions are passed over") {
  std::vector<Progress::Record> log{{{"kind", "lab"}, {"card", 3}}, {{"kind", "review"}, {"card", "no-such-card"}, {"rating", 3}, {"day", "2026-06-01"}},
                                    {{"kind", "review"}, {"card", cards().all().front().id}, {"rating", 9}, {"day", "2026-06-01"}},
                                    {{"kind", "review"}, {"card", cards().all().front().id}, {"rating", 3}, {"day", "someday"}}};
  CHECK_FALSE(Deck(cards(), log).state(cards().all().front()).memory);
}

TEST_CASE("with a date every card comes exactly once in the last three days, and the load is spread") {
  for (const int ahead : {4, 9, 30}) {
    INFO(ahead << " days ahead");
    std::vector<int> loads;
    const auto last_days = towards(kMonday + days(ahead), kMonday, 3, &loads);
    for (const Card& card : cards().all()) {
      INFO(card.id);
      const auto found = last_days.find(card.id);
      CHECK((found != last_days.end() && found->second == 1));
    }
    const std::vector<int> three(loads.end() - 3, loads.end());
    CHECK(*std::max_element(three.begin(), three.end()) - *std::min_element(three.begin(), three.end()) <= 1);
  }
}

TEST_CASE("with few days left no day has more than a third of the cards, and the outlook says what comes") {
  const int third = static_cast<int>(cards().all().size() + kLastDays - 1) / kLastDays;
  for (const int ahead : {4, 5}) {  // with more of them reviews come back before the last three days, too
    INFO(ahead << " days ahead");
    std::vector<int> loads;
    towards(kMonday + days(ahead), kMonday, 3, &loads);
    CHECK(*std::max_element(loads.begin(), loads.end()) <= third + 1);
    const auto outlook = Deck(cards(), {}).load(kMonday, ahead, kMonday + days(ahead), kMonday);
    REQUIRE(outlook.size() == loads.size());
    for (std::size_t i = loads.size() - kLastDays; i < loads.size(); ++i) CHECK(outlook[i] == loads[i]);
    CHECK(outlook.front() >= loads.front());  // one card of a family a day
  }
}

TEST_CASE("a learner who starts within the last three days still gets every card, and a missed card once more") {
  for (const int ahead : {1, 2, 3}) {
    INFO(ahead << " days ahead");
    CHECK(towards(kMonday + days(ahead), kMonday, 3).size() == cards().all().size());
  }
  const Day interview = kMonday + days(4);
  const Card& card = cards().all().front();
  const Deck deck(cards(), {review(card, interview - days(3), 1)});
  CHECK(*deck.due(card, interview, interview - days(3)) == interview - days(2));
}

TEST_CASE("a date that has passed and a topic that is none are refused") {
  const Deck deck(cards(), {});
  PlanOptions options = on(kMonday);
  options.interview = kMonday - days(1);
  CHECK_THROWS_AS(deck.plan(options), Error);
  options.interview.reset();
  options.topic = "astronomy";
  CHECK_THROWS_AS(deck.plan(options), Error);
}

TEST_CASE("a card missed four times is a leech: its evidence is named, it is not asked, until it was proven") {
  const Card& card = cards().all().front();
  std::vector<Progress::Record> log;
  for (int i = 0; i < kLeechLapses; ++i) log.push_back(review(card, kMonday + days(i), 1));
  const auto plan = Deck(cards(), log).plan(on(kMonday + days(10), 100000));
  CHECK(std::find(plan.leeches.begin(), plan.leeches.end(), &card) != plan.leeches.end());
  CHECK(std::find(plan.cards.begin(), plan.cards.end(), &card) == plan.cards.end());
  CHECK_FALSE(card.evidence.empty());
  auto proved = proved_record(card);
  proved["day"] = to_string(kMonday + days(10));
  proved["at"] = to_string(kMonday + days(10)) + "T11:00:00Z";
  log.push_back(proved);
  const auto after = Deck(cards(), log).plan(on(kMonday + days(10), 100000));
  CHECK(after.leeches.empty());
  CHECK(std::find(after.cards.begin(), after.cards.end(), &card) != after.cards.end());
}

TEST_CASE("cards of one family do not meet on one day, and minutes cut the plan") {
  PlanOptions options = on(kMonday, 100000);
  options.topic = "pipeline";
  std::set<std::string> families;
  for (const Card* card : Deck(cards(), {}).plan(options).cards)
    if (!card->family.empty()) CHECK(families.insert(card->family).second);
  CHECK(families.size() >= 3);
  CHECK(Deck(cards(), {}).plan(on(kMonday, 5)).cards.size() < Deck(cards(), {}).plan(on(kMonday, 30)).cards.size());
}

TEST_CASE("a topic of which nothing is due gives its weakest cards all the same") {
  std::vector<Progress::Record> log;
  for (const Card& card : cards().all())
    if (card.topic == "moe") log.push_back(review(card, kMonday, card.id == "fu-moe" ? 2 : 4));
  PlanOptions options = on(kMonday + days(1), 100000);
  CHECK(Deck(cards(), log).plan(options).cards.size() > 0);  // other topics
  options.topic = "moe";
  const auto plan = Deck(cards(), log).plan(options);
  CHECK(plan.due + plan.fresh <= 1);
  REQUIRE_FALSE(plan.cards.empty());
  CHECK(plan.cards.front()->id == "fu-moe");
}

TEST_CASE("the same seed plans the same drill, another one another") {
  const auto ids = [](std::uint64_t seed) {
    PlanOptions options = on(kMonday, 40);
    options.seed = seed;
    std::string out;
    for (const Card* card : Deck(cards(), {}).plan(options).cards) out += card->id + " ";
    return out;
  };
  CHECK(ids(1) == ids(1));
  CHECK(ids(1) != ids(2));
}

TEST_CASE("calibration counts how often who was that sure was right") {
  std::vector<Progress::Record> log;
  for (int i = 0; i < 10; ++i) log.push_back(review(cards().all()[static_cast<std::size_t>(i)], kMonday, i < 6 ? 3 : 1, 90));
  log.push_back(review(cards().all()[11], kMonday, 1, 10));
  const auto rows = Deck(cards(), log).calibration();
  REQUIRE(rows.size() == 2);
  CHECK((rows[0].confidence == 10 && rows[0].answers == 1 && rows[0].right == 0));
  CHECK((rows[1].confidence == 90 && rows[1].answers == 10 && rows[1].right == 6));
}

namespace {

/// An interview in which every answer has the same shape.
std::string interview(std::uint64_t seed, bool good) {
  Mock mock(cards(), seed);
  std::string ids;
  while (const Card* card = mock.next()) {
    Attempt attempt;
    if (good) {
      attempt.points.assign(card->points.size(), true);
      attempt.proof = true;
      attempt.said_true = card->holds;
      attempt.number = card->prediction.value;
      attempt.line = card->line;
      attempt.deadlocked = true;
      for (std::size_t i = 0; i < card->steps.size(); ++i) attempt.order.push_back(static_cast<int>(i));
    }
    mock.answered(attempt);
    ids += card->id + " ";
  }
  return ids;
}

}  // namespace

TEST_CASE("a mock interview is the same for the same seed and answers, and another otherwise") {
  CHECK(interview(7, true) == interview(7, true));
  CHECK(interview(7, true) != interview(8, true));
  CHECK(interview(7, true) != interview(7, false));
}

TEST_CASE("a mock interview opens with a pitch, asks nothing twice, and ends with its time") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Mock mock(cards(), seed);
    std::set<std::string> asked;
    while (const Card* card = mock.next()) {
      CHECK(asked.insert(card->id).second);
      if (asked.size() == 1) CHECK(card->kind == CardKind::pitch);
      mock.answered({});
    }
    CHECK(mock.minutes_gone() >= 25);
    CHECK(mock.minutes_gone() < 30);
    CHECK(asked.size() >= 8);
  }
}

TEST_CASE("what an answer lacks is asked next, three deep at most") {
  Mock mock(cards(), 3);
  int deepest = 0;
  while (const Card* card = mock.next()) {
    const Asked& now = mock.asked().back();
    deepest = std::max(deepest, now.depth);
    if (now.depth > 0) {
      const Card* before = cards().find(now.because);
      CHECK(std::any_of(before->points.begin(), before->points.end(), [&](const KeyPoint& point) { return point.ask == card->id; }));
    }
    mock.answered({});
  }
  CHECK(deepest >= 1);
  CHECK(deepest <= Mock::kMostFollowUps);
}

TEST_CASE("the result names the fatal errors, the heaviest missing points and what to do again") {
  Mock mock(cards(), 5);
  while (const Card* card = mock.next()) {
    Attempt attempt;
    attempt.fatal.assign(card->fatal.size(), true);
    mock.answered(attempt);
  }
  const auto result = result_of(mock);
  CHECK_FALSE(result.fatal.empty());
  CHECK(result.missed.size() == 10);
  CHECK(std::is_sorted(result.missed.begin(), result.missed.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; }));
  CHECK(result.redo.size() == mock.asked().size());
  CHECK(result.letters.at('D') == static_cast<int>(mock.asked().size()));
}

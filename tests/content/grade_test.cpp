// Grades follow the rule, and nothing but what was ticked, typed or done.
#include "app/content/grade.h"

#include "app/content/stepper.h"
#include "tests/support/catch.h"

using namespace p2plab::content;

namespace {

Card card_of(CardKind kind) {
  Card card;
  card.id = "c";
  card.kind = kind;
  card.points = {{{"a", "甲"}, 3, "next"}, {{"b", "乙"}, 2, ""}, {{"c", "丙"}, 1, ""}};
  card.fatal = {{"wrong", "错"}};
  return card;
}

Attempt said(std::vector<bool> points, bool proof = false) {
  Attempt attempt;
  attempt.points = std::move(points);
  attempt.proof = proof;
  return attempt;
}

}  // namespace

TEST_CASE("points count by weight, and an A takes all of them with proof") {
  const Card card = card_of(CardKind::follow_up);
  CHECK(grade(card, said({true, true, true}, true)).letter == 'A');
  CHECK(grade(card, said({true, true, true})).letter == 'B');
  CHECK(grade(card, said({true, true, false}, true)).letter == 'B');   // 5/6
  CHECK(grade(card, said({true, false, false}, true)).letter == 'C');  // 3/6
  CHECK(grade(card, said({false, true, false}, true)).letter == 'D');  // 2/6
  CHECK(grade(card, {}).letter == 'D');
}

TEST_CASE("a fatal error is a D whatever else was said") {
  Attempt attempt = said({true, true, true}, true);
  attempt.fatal = {true};
  const Grade out = grade(card_of(CardKind::pitfall), attempt);
  CHECK(out.letter == 'D');
  CHECK(out.rating() == fsrs::Rating::again);
  CHECK(out.score == Approx(1));
}

TEST_CASE("the heaviest missing point comes first, for the follow-up") {
  const Grade out = grade(card_of(CardKind::follow_up), said({false, false, true}));
  REQUIRE(out.missed.size() == 2);
  CHECK(out.missed.front() == 0);
}

TEST_CASE("a wrong true or false is a D, a right one counts half") {
  Card card = card_of(CardKind::true_false);
  card.holds = false;
  Attempt attempt = said({true, true, true}, true);
  attempt.said_true = true;
  CHECK(grade(card, attempt).letter == 'D');
  attempt.said_true = false;
  CHECK(grade(card, attempt).letter == 'A');
  attempt.points.clear();
  CHECK(grade(card, attempt).score == Approx(0.5));
}

TEST_CASE("a number is scored by its error") {
  Card card = card_of(CardKind::predict);
  card.prediction.value = 33;
  card.prediction.tolerance = 0.01;
  const auto letter = [&](double number) {
    Attempt attempt;
    attempt.number = number;
    return grade(card, attempt).letter;
  };
  CHECK(letter(33) == 'A');
  CHECK(letter(33.33) == 'A');   // 1 %
  CHECK(letter(34) == 'B');      // 3 %
  CHECK(letter(37) == 'B');      // 12 %: 0.76
  CHECK(letter(27) == 'C');      // 18 %: 0.64
  CHECK(letter(96) == 'D');
  CHECK(grade(card, {}).letter == 'D');
}

TEST_CASE("an order scores its pairs, and only the whole order is an A") {
  Card card = card_of(CardKind::order);
  card.steps.resize(4);
  Attempt attempt;
  attempt.order = {0, 1, 2, 3};
  CHECK(grade(card, attempt).letter == 'A');
  attempt.order = {1, 0, 2, 3};
  CHECK(grade(card, attempt).score == Approx(5.0 / 6));
  attempt.order = {3, 2, 1, 0};
  CHECK(grade(card, attempt).score == 0);
  attempt.order = {0, 0, 2, 3};
  CHECK(grade(card, attempt).score == 0);
}

TEST_CASE("numbers are read as people type them") {
  CHECK(*parse_number("33") == 33);
  CHECK(*parse_number(" 3/11 ") == Approx(3.0 / 11));
  CHECK(*parse_number("27.3 %") == Approx(0.273));
  CHECK(*parse_number("1,000") == 1000);
  CHECK(*parse_number("1.5e3") == 1500);
  for (const char* none : {"", "about 3", "1/0", "3 apples", "inf"}) CHECK_FALSE(parse_number(none));
}

TEST_CASE("stepped ranks follow the matching rules") {
  Stepper strict({"send 1; recv 1", "send 0; recv 0"}, 0);
  CHECK(strict.step(0) == Stepper::Moved::blocked);
  CHECK_FALSE(strict.deadlocked());
  CHECK(strict.step(1) == Stepper::Moved::blocked);
  CHECK(strict.deadlocked());
  CHECK_FALSE(Stepper({"send 1; recv 1", "send 0; recv 0"}, 1).way_to_deadlock());  // buffered: it ends
  CHECK(Stepper({"send 1; recv 1", "send 0; recv 0"}, 1).way_to_end());
  CHECK(Stepper({"ssend 1", "recv 0"}, 0).way_to_end());
  CHECK(Stepper({"ssend 1; recv 1", "ssend 0; recv 0"}, 9).way_to_deadlock());  // a synchronous send is never buffered
  for (const auto& bad : std::vector<std::vector<std::string>>{{"send 0", "recv 0"}, {"shout 1", "recv 0"}, {"send any", "recv 0"}, {"send 1"}, {"send 1 2", "recv 0"}})
    CHECK_THROWS_AS(Stepper(bad, 0), std::invalid_argument);
}

TEST_CASE("a number may have its unit or another of the same kind, full-width digits and commas between thousands") {
  for (const char* typed : {"112", "112 MB", "112MB", "112 mb", "0.112 GB", "112,000 KB", "１１２", "１１２ ＭＢ", " 112　MB ", "+112", "1.12e2", "224/2 MB", "112000000 B"}) {
    INFO(typed);
    REQUIRE(parse_answer(typed, "MB"));
    CHECK(*parse_answer(typed, "MB") == Approx(112));
  }
  for (const char* typed : {"27.3", "27.3 %", "27.3％", "27.3%", "273/1000", "２７．３％"}) {
    INFO(typed);
    REQUIRE(parse_answer(typed, "%"));
    CHECK(*parse_answer(typed, "%") == Approx(27.3));
  }
  for (const char* typed : {"1500 µs", "1500μs", "1500us", "1,500 微秒", "1.5 ms", "1.5 毫秒", "0.0015 s"}) {
    INFO(typed);
    REQUIRE(parse_answer(typed, "µs"));
    CHECK(*parse_answer(typed, "µs") == Approx(1500));
  }
  for (const char* typed : {"1.5", "1.5×", "1.5x", "1.5 倍", "３／２"}) {
    INFO(typed);
    REQUIRE(parse_answer(typed, "×"));
    CHECK(*parse_answer(typed, "×") == Approx(1.5));
  }
  CHECK(*parse_answer("1,024", "") == 1024);
  CHECK(*parse_answer("1,234,567.5", "KB") == 1234567.5);
  CHECK(*parse_answer("1 GiB", "MiB") == 1024);
}

TEST_CASE("what is no number in the unit asked for is refused, not read as another one") {
  for (const char* typed : {"", "MB", "112 ms", "112 %", "1,5", "12,34", "1,0000", ",112", "0x10", "1e", "nan", "112 MB or so", "1/0", "--1"}) {
    INFO(typed);
    CHECK_FALSE(parse_answer(typed, "MB"));
  }
}

TEST_CASE("a number within its tolerance, the line and the verdict are right; what was not answered is neither") {
  Card card;
  card.kind = CardKind::predict;
  card.prediction = {100, 0.02, "MB", {}, {}, 1, {}, {}};
  Attempt attempt;
  CHECK_FALSE(is_right(card, attempt));
  attempt.number = 101;
  CHECK(is_right(card, attempt) == true);
  attempt.number = 103;
  CHECK(is_right(card, attempt) == false);
  card.kind = CardKind::spot_bug;
  card.line = 4;
  attempt.line = 4;
  CHECK(is_right(card, attempt) == true);
  card.kind = CardKind::true_false;
  attempt.said_true = true;
  CHECK(is_right(card, attempt) == false);
  card.kind = CardKind::pitch;
  CHECK_FALSE(is_right(card, attempt));
}

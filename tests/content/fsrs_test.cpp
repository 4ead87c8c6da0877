// FSRS-6 and SM-2: right values for given histories.
#include "app/content/fsrs.h"

#include <vector>

#include "app/content/sm2.h"
#include "tests/support/catch.h"

using namespace p2plab::content;

namespace {

struct Step {
  int day, rating;
  double stability, difficulty;
  int interval;
};

}  // namespace

// The values come from a second implementation, written in another language from the published formulae (default weights,
// w20 the decay, factor 0.9^(−1/w20) − 1), and agree to six places with py-fsrs 6.3.2 without steps and without fuzz:
//   R = (1 + f t/S)^(−w20);  S0 = w[g−1];  D0 = w4 − e^(w5 (g−1)) + 1
//   D' = w7 D0(4) + (1 − w7)(D − w6 (g−3)(10−D)/9)
//   recalled: S' = S (1 + e^w8 (11−D) S^−w9 (e^(w10 (1−R)) − 1) · w15 if hard · w16 if easy)
//   forgotten: S' = min(w11 D^−w12 ((S+1)^w13 − 1) e^(w14 (1−R)), S / e^(w17 w18))
//   same day: S' = S e^(w17 (g − 3 + w18)) S^−w19, at least S unless forgotten
TEST_CASE("FSRS-6 gives the published values for four histories") {
  const std::vector<std::vector<Step>> histories{
      {{0, 3, 2.3065, 2.118104, 2}, {2, 3, 10.964332, 2.111214, 11}, {9, 3, 36.123636, 2.104331, 36}, {30, 4, 154.396529, 1.0, 154}},
      {{0, 1, 0.212, 6.4133, 1}, {1, 3, 1.886788, 6.402115, 2}, {4, 1, 0.531382, 8.802628, 1}, {5, 3, 1.592904, 8.789054, 2}, {10, 2, 3.731059, 9.181346, 4}},
      {{0, 4, 8.2956, 1.0, 8}, {0, 3, 8.2956, 1.0, 8}, {8, 2, 26.704183, 4.010609, 27}, {20, 1, 2.079217, 8.016556, 2}, {20, 3, 2.081945, 8.003768, 2}},
      {{0, 2, 1.2931, 5.112171, 1}, {1, 2, 3.249412, 6.74046, 3}, {2, 2, 4.682642, 7.821393, 5}, {4, 3, 7.876499, 7.8088, 8}}};
  for (const auto& history : histories) {
    fsrs::Memory memory;
    int last = 0;
    for (std::size_t i = 0; i < history.size(); ++i) {
      const Step& step = history[i];
      const auto rating = static_cast<fsrs::Rating>(step.rating);
      memory = i == 0 ? fsrs::first(rating) : fsrs::next(memory, step.day - last, rating);
      last = step.day;
      INFO("day " << step.day << " rating " << step.rating);
      CHECK(memory.stability == Approx(step.stability).margin(2e-6));
      CHECK(memory.difficulty == Approx(step.difficulty).margin(2e-6));
      CHECK(fsrs::interval(memory) == step.interval);
    }
  }
}

TEST_CASE("the chance of recall is 90 % after as many days as the stability says") {
  for (const double stability : {0.5, 3.0, 40.0, 900.0}) {
    const fsrs::Memory memory{stability, 5};
    CHECK(fsrs::retrievability(memory, 0) == Approx(1));
    CHECK(fsrs::retrievability(memory, stability) == Approx(0.9));
    CHECK(fsrs::retrievability(memory, 2 * stability) < 0.9);
  }
}

TEST_CASE("a higher retention asks for shorter intervals, and no interval is shorter than a day") {
  const fsrs::Memory memory{30, 5};
  CHECK(fsrs::interval(memory, 0.95) < fsrs::interval(memory, 0.9));
  CHECK(fsrs::interval(memory, 0.8) > fsrs::interval(memory, 0.9));
  CHECK(fsrs::interval({0.001, 10}) == 1);
}

// By hand: EF' = EF + 0.1 − (5−q)(0.08 + 0.02 (5−q)); q=5: +0.1, q=4: 0, q=3: −0.14. Intervals 1, 6, then ⌈I·EF⌉ with the
// ease before the answer.
TEST_CASE("SM-2 gives Woźniak's values") {
  sm2::Memory memory;
  memory = sm2::next(memory, 5);
  CHECK((memory.interval == 1 && memory.ease == Approx(2.6)));
  memory = sm2::next(memory, 4);
  CHECK((memory.interval == 6 && memory.ease == Approx(2.6)));
  memory = sm2::next(memory, 3);  // 6 × 2.6 = 15.6
  CHECK((memory.interval == 16 && memory.ease == Approx(2.46)));
  memory = sm2::next(memory, 4);  // 16 × 2.46 = 39.36
  CHECK((memory.interval == 40 && memory.repetitions == 4));
  memory = sm2::next(memory, 1);  // starts again, ease untouched
  CHECK((memory.interval == 1 && memory.repetitions == 0 && memory.ease == Approx(2.46)));
  for (int i = 0; i < 20; ++i) memory = sm2::next(memory, 3);
  CHECK(memory.ease == Approx(1.3));  // the floor
}

TEST_CASE("both algorithms agree on which of two cards is the older one") {
  for (const int good : {2, 3, 4, 5}) {
    fsrs::Memory strong = fsrs::first(fsrs::Rating::good), weak = strong;
    sm2::Memory strong2 = sm2::next({}, 4), weak2 = strong2;
    for (int i = 1; i < good; ++i) {
      const int days = fsrs::interval(strong);
      strong = fsrs::next(strong, days, fsrs::Rating::good);
      strong2 = sm2::next(strong2, 4);
      weak = fsrs::next(weak, fsrs::interval(weak), i % 2 == 0 ? fsrs::Rating::good : fsrs::Rating::again);
      weak2 = sm2::next(weak2, i % 2 == 0 ? 4 : 1);
    }
    CHECK(fsrs::interval(strong) > fsrs::interval(weak));
    CHECK(strong2.interval > weak2.interval);
  }
}

// What the generators promise besides numbers: names, orders, streams, and refusals that say what would be legal.
#include "app/trace/error.h"
#include "tests/schedule/support.h"
#include "tests/support/catch.h"

using namespace p2plab::test;

namespace {

std::string order(std::string_view id, const Problem& what, int stage) { return text(stage_order(generator(id), what, stage)); }

/// "id name=value …" of what is thrown.
template <class What>
std::string refusal(What what) {
  try {
    what();
  } catch (const p2plab::Error& error) {
    CHECK(error.exit_status() == 2);
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("schedules are listed in the order in which they are taught") {
  std::string ids;
  for (const Generator& generator : generators()) ids += std::string(generator.id) + " ";
  CHECK(ids == "naive gpipe 1f1b eager-1f1b interleaved-1f1b zb-h1 zb-h2 zb-v zb-auto allreduce-gpipe allreduce-1f1b ");
  CHECK(find_generator("unknown") == nullptr);
}

TEST_CASE("the first stage of 1F1B warms up with p-1 forwards and then alternates") {
  CHECK(order("1f1b", problem(3, 4), 0) == "F0 F1 F2 B0 F3 B1 B2 B3 ");
  CHECK(order("1f1b", problem(3, 4), 2) == "F0 B0 F1 B1 F2 B2 F3 B3 ");
}

TEST_CASE("interleaved stages take microbatches in groups of p through chunk after chunk") {
  CHECK(order("interleaved-1f1b", problem(2, 2, 2), 0) == "F0 F1 F0.1 F1.1 B0.1 B1.1 B0 B1 ");
  CHECK(order("interleaved-1f1b", problem(2, 2, 2), 1) == "F0 F1 F0.1 B0.1 F1.1 B1.1 B0 B1 ");
}

TEST_CASE("ZB-H1 holds back one W more on each later stage") {
  CHECK(order("zb-h1", problem(3, 4), 0) == "F0 F1 F2 B0 W0 F3 B1 W1 B2 W2 B3 W3 ");
  CHECK(order("zb-h1", problem(3, 4), 2) == "F0 B0 F1 B1 F2 B2 W0 F3 B3 W1 W2 W3 ");
}

TEST_CASE("a stream read in pieces is the order read at once") {
  for (const Generator& one : generators()) {
    if (one.fill == nullptr) continue;
    const Shape shape{4, 8, one.chunks};
    for (int stage = 0; stage < 4; ++stage) {
      const StageOrder whole = stage_order(one, {.shape = shape}, stage);
      StageOrder pieces;
      for (std::int64_t from = 0; from < one.count(shape, stage);) {
        StageOrder piece(static_cast<std::size_t>(std::min<std::int64_t>(5, one.count(shape, stage) - from)));
        one.fill(shape, stage, from, piece);
        pieces.insert(pieces.end(), piece.begin(), piece.end());
        from += static_cast<std::int64_t>(piece.size());
      }
      CHECK(pieces == whole);
    }
  }
}

TEST_CASE("a shape out of range is refused with the rule and the nearest legal value") {
  CHECK(refusal([] { require_legal(generator("1f1b"), {0, 4}); }) == "schedule.bad_stages schedule=1f1b value=0 min=1 max=65536 nearest=1");
  CHECK(refusal([] { require_legal(generator("1f1b"), {70000, 4}); }) == "schedule.bad_stages schedule=1f1b value=70000 min=1 max=65536 nearest=65536");
  CHECK(refusal([] { require_legal(generator("1f1b"), {4, -3}); }) == "schedule.bad_microbatches schedule=1f1b value=-3 min=1 max=4194304 nearest=1");
  CHECK(refusal([] { require_legal(generator("1f1b"), {4, 8, 2}); }) == "schedule.bad_chunks_only schedule=1f1b value=2 min=1 max=1 nearest=1");
  CHECK(refusal([] { require_legal(generator("zb-v"), {4, 8, 3}); }) == "schedule.bad_chunks_only schedule=zb-v value=3 min=2 max=2 nearest=2");
  CHECK(refusal([] { require_legal(generator("interleaved-1f1b"), {4, 10, 2}); }) ==
        "schedule.not_a_multiple schedule=interleaved-1f1b p=4 m=10 nearest=8, 12");
  CHECK(refusal([] { require_legal(generator("interleaved-1f1b"), {4, 3, 2}); }) ==
        "schedule.not_a_multiple schedule=interleaved-1f1b p=4 m=3 nearest=4");
  CHECK(refusal([] { require_legal(generator("interleaved-1f1b"), {65536, 65536, 1024}); }) == "schedule.too_many_parts p=65536 v=1024 max=1048576");
}

TEST_CASE("an unknown schedule is refused with the nearest name") {
  CHECK(refusal([] { generator("1f1v"); }).starts_with("schedule.unknown value=1f1v nearest=1f1b known=naive, gpipe, "));
}

TEST_CASE("a stage that does not exist has no order") {
  CHECK_THROWS_AS(stage_order(generator("gpipe"), problem(4, 4), 4), std::invalid_argument);
  CHECK_THROWS_AS(stage_order(generator("gpipe"), problem(4, 4), -1), std::invalid_argument);
}

TEST_CASE("parts lie in a loop, in a V, or where a table says") {
  const Layout loop({3, 1, 2}, Placement::loop), vee({3, 1, 2}, Placement::vee);
  for (int part = 0; part < 6; ++part) {
    CHECK(loop.stage_of(part) == part % 3);
    CHECK(vee.stage_of(part) == (part < 3 ? part : 5 - part));
    CHECK(vee.part_of(vee.stage_of(part), vee.chunk_of(part)) == part);
  }
  const std::vector<int> table{1, 0, 1};
  const Layout hand(2, table);
  CHECK(hand.chunks() == 2);
  CHECK(hand.part_of(1, 1) == 2);
  CHECK(hand.part_of(0, 1) == -1);
  CHECK(hand.chunks_on(0) == 1);
}

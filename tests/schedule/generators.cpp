// Each generator against golden numbers (facts of the papers) and over a grid of shapes.
#include "app/schedule/order.h"
#include "tests/schedule/event_simulation.h"
#include "tests/support/catch.h"

using namespace p2plab::schedule;
using p2plab::test::simulate;

namespace {
std::vector<StageOrder> orders(std::string_view id, Shape shape) { return all_stages(*find_generator(id), shape); }
}  // namespace

TEST_CASE("four stages and eight microbatches take the golden time and memory") {
  const Shape shape{4, 8};
  const auto naive = simulate(orders("naive", shape), 1, 2);
  CHECK(naive.makespan == 96);
  CHECK(naive.peak_in_flight == std::vector<int>{1, 1, 1, 1});
  const auto gpipe = simulate(orders("gpipe", shape), 1, 2);
  CHECK(gpipe.makespan == 33);
  CHECK(gpipe.peak_in_flight == std::vector<int>{8, 8, 8, 8});
  const auto one_f_one_b = simulate(orders("1f1b", shape), 1, 2);
  CHECK(one_f_one_b.makespan == 33);
  CHECK(one_f_one_b.peak_in_flight == std::vector<int>{4, 3, 2, 1});
}

TEST_CASE("eight stages and thirty-two microbatches take 117 under GPipe and 1F1B") {
  CHECK(simulate(orders("gpipe", {8, 32}), 1, 2).makespan == 117);
  CHECK(simulate(orders("1f1b", {8, 32}), 1, 2).makespan == 117);
}

TEST_CASE("over a grid of shapes every schedule is legal and GPipe and 1F1B take (m+p-1)(F+B)") {
  for (int p = 1; p <= 9; ++p) {
    for (int m = 1; m <= 20; ++m) {
      const Shape shape{p, m};
      for (const Generator& generator : generators()) {
        INFO(generator.id << " p=" << p << " m=" << m);
        CHECK(find_fault(shape, all_stages(generator, shape)) == "");
      }
      const auto gpipe = simulate(orders("gpipe", shape), 1, 2), one_f_one_b = simulate(orders("1f1b", shape), 1, 2);
      CHECK(gpipe.makespan == (m + p - 1) * 3);
      CHECK(one_f_one_b.makespan == (m + p - 1) * 3);
      CHECK(simulate(orders("naive", shape), 1, 2).makespan == m * p * 3);
      for (int s = 0; s < p; ++s) CHECK(one_f_one_b.peak_in_flight[static_cast<std::size_t>(s)] == std::min(m, p - s));
    }
  }
}

TEST_CASE("a latency of one unit costs GPipe 2(p-1) and 1F1B its steady state") {
  const Shape shape{4, 16};
  CHECK(simulate(orders("gpipe", shape), 1, 2, 1).makespan == 63);
  CHECK(simulate(orders("1f1b", shape), 1, 2, 1).makespan == 85);
}

TEST_CASE("the first stage of 1F1B warms up with p-1 forwards and then alternates") {
  std::string text;
  for (const Action& action : find_generator("1f1b")->stage({3, 4}, 0)) text += to_string(action) + " ";
  CHECK(text == "F0 F1 F2 B0 F3 B1 B2 B3 ");
}

TEST_CASE("schedules are listed in the order in which they are taught") {
  std::string ids;
  for (const Generator& generator : generators()) ids += std::string(generator.id) + " ";
  CHECK(ids == "naive gpipe 1f1b ");
  CHECK(find_generator("unknown") == nullptr);
}

TEST_CASE("a shape without stages, microbatches or the stage asked for is refused") {
  for (const Generator& generator : generators()) {
    CHECK_THROWS_AS(generator.stage({4, 0}, 0), std::invalid_argument);
    CHECK_THROWS_AS(generator.stage({0, 4}, 0), std::invalid_argument);
    CHECK_THROWS_AS(generator.stage({4, 4}, 4), std::invalid_argument);
    CHECK_THROWS_AS(generator.stage({4, 4}, -1), std::invalid_argument);
  }
}

TEST_CASE("an action that is missing, doubled or out of range is a fault") {
  const Shape shape{2, 2};
  auto doubled = orders("gpipe", shape);
  doubled[1][1] = doubled[1][0];
  CHECK(find_fault(shape, doubled) == "F0 on stage 1 occurs twice");
  auto missing = orders("gpipe", shape);
  missing[0].pop_back();
  CHECK(find_fault(shape, missing) == "stage 0 leaves out an action");
  auto foreign = orders("gpipe", shape);
  foreign[0][0].microbatch = 7;
  CHECK(find_fault(shape, foreign) == "F7 on stage 0 has no such microbatch");
}

TEST_CASE("orders that wait for each other in a circle are a fault") {
  const Shape shape{2, 2};
  auto backward_first = orders("gpipe", shape);
  std::swap(backward_first[0][0], backward_first[0][2]);  // B0 before F0
  CHECK(find_fault(shape, backward_first) == "B0 on stage 0 waits for what never comes");
  auto crossed = orders("naive", shape);
  std::swap(crossed[1][0], crossed[1][2]);  // stage 1 wants F1 first, stage 0 finishes B0 first
  CHECK_FALSE(find_fault(shape, crossed).empty());
}

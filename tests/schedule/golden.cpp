// The golden numbers: makespan, bubble and memory of each schedule, in units of one forward.
#include "tests/schedule/support.h"
#include "tests/support/catch.h"

using namespace p2plab::test;

namespace {
std::vector<std::int64_t> all(int p, std::int64_t peak) { return std::vector<std::int64_t>(static_cast<std::size_t>(p), peak); }
}  // namespace

TEST_CASE("four stages and eight microbatches, F 1 and B 2, take the golden time and memory") {
  const auto naive = run("naive", 4, 8, 1, 2);
  CHECK(naive.makespan == 96);
  CHECK(naive.bubble_ratio() == Approx(0.75));
  CHECK(peaks(naive) == all(4, 1));
  const auto gpipe = run("gpipe", 4, 8, 1, 2);
  CHECK(gpipe.makespan == 33);
  CHECK(gpipe.bubble_ratio() == Approx(3.0 / 11));
  CHECK(peaks(gpipe) == all(4, 8));
  const auto one_f_one_b = run("1f1b", 4, 8, 1, 2);
  CHECK(one_f_one_b.makespan == 33);
  CHECK(one_f_one_b.bubble_ratio() == Approx(3.0 / 11));
  CHECK(peaks(one_f_one_b) == std::vector<std::int64_t>{4, 3, 2, 1});
}

TEST_CASE("interleaving divides the ramp by v and costs memory") {
  const auto two = run("interleaved-1f1b", 4, 8, 4, 8, 0, 0, 2), four = run("interleaved-1f1b", 4, 8, 4, 8, 0, 0, 4);
  CHECK(two.makespan == 114);   // 28.5 units of 4
  CHECK(four.makespan == 105);  // 26.25
  CHECK(two.bubble_ratio() == Approx(0.1579).margin(5e-5));
  CHECK(four.bubble_ratio() == Approx(0.0857).margin(5e-5));
  CHECK(peaks(two) == std::vector<std::int64_t>{11, 9, 7, 5});     // halves: 5.5 4.5 3.5 2.5
  CHECK(peaks(four) == std::vector<std::int64_t>{19, 17, 15, 13});  // quarters: 4.75 4.25 3.75 3.25
  CHECK(run("interleaved-1f1b", 4, 16, 4, 8, 0, 0, 4).makespan == 201);  // 50.25
  CHECK(run("interleaved-1f1b", 8, 16, 4, 8, 0, 0, 2).makespan == 234);  // 58.5
}

TEST_CASE("with F, B and W equal ZB-H1 keeps a third of the bubble and the memory of 1F1B") {
  const auto h1 = run("zb-h1", 4, 8, 1, 1, 1);
  CHECK(h1.makespan == 27);
  CHECK(h1.bubble_ratio() == Approx(3.0 / 27));
  CHECK(peaks(h1) == all(4, 4));
  CHECK(h1.stages[0].end - h1.stages[0].begin - h1.stages[0].busy == 3);
  CHECK(run("1f1b", 4, 8, 1, 1, 1).makespan == 33);
  CHECK(run("zb-h1", 8, 16, 1, 1, 1).makespan == 55);
}

TEST_CASE("with F, B and W equal no stage of ZB-H2 idles within its own window") {
  const auto h2 = run("zb-h2", 4, 8, 1, 1, 1);
  std::vector<Ns> ends;
  for (const auto& stage : h2.stages) {
    ends.push_back(stage.end);
    CHECK(stage.end - stage.begin == stage.busy);
  }
  CHECK(ends == std::vector<Ns>{24, 25, 26, 27});
  CHECK(peaks(h2) == all(4, 7));
}

TEST_CASE("without a global sync an iteration of ZB-H1 takes 27 and one of ZB-H2 24") {
  const auto h1 = run("zb-h1", 4, 8, 1, 1, 1, 0, 1, 3), h2 = run("zb-h2", 4, 8, 1, 1, 1, 0, 1, 3);
  CHECK(h1.iteration_end[2] - h1.iteration_end[1] == 27);
  CHECK(h2.iteration_end[2] - h2.iteration_end[1] == 24);
}

TEST_CASE("eight stages and thirty-two microbatches take 117 under GPipe and 1F1B") {
  for (const char* id : {"gpipe", "1f1b"}) {
    const auto simulated = run(id, 8, 32, 1, 2);
    CHECK(simulated.makespan == 117);
    CHECK(simulated.bubble_ratio() == Approx(0.1795).margin(5e-5));
  }
  CHECK(peaks(run("1f1b", 8, 32, 1, 2)) == std::vector<std::int64_t>{8, 7, 6, 5, 4, 3, 2, 1});
}

TEST_CASE("latency costs GPipe its ramps, 1F1B every microbatch, and eager 1F1B memory") {
  const std::vector<std::pair<const char*, std::vector<Ns>>> golden{
      {"gpipe", {114, 120, 126}}, {"1f1b", {114, 142, 170}}, {"eager-1f1b", {114, 120, 126}}};  // in halves
  for (const auto& [id, wanted] : golden)
    for (int latency = 0; latency <= 2; ++latency) {
      INFO(id << " latency " << latency << "/2");
      CHECK(run(id, 4, 16, 2, 4, 0, latency).makespan == wanted[static_cast<std::size_t>(latency)]);
    }
  CHECK(peaks(run("eager-1f1b", 4, 16, 2, 4)) == std::vector<std::int64_t>{7, 5, 3, 1});
  CHECK(peaks(run("eager-1f1b", 3, 16, 2, 4)) == std::vector<std::int64_t>{5, 3, 1});
}

TEST_CASE("meeting after every slot costs GPipe nothing and 1F1B seven units") {
  const auto gpipe = run("allreduce-gpipe", 4, 8, 1, 2), one_f_one_b = run("allreduce-1f1b", 4, 8, 1, 2);
  CHECK(gpipe.makespan == 33);
  CHECK(one_f_one_b.makespan == 40);
  CHECK(one_f_one_b.bubble_ratio() == Approx(0.4));
  CHECK(run("allreduce-1f1b", 4, 8, 1, 1).makespan == run("1f1b", 4, 8, 1, 1).makespan);
}

TEST_CASE("a stage that is slower by a fifth slows the whole pipeline") {
  Costs costs;
  costs.times.assign(4, {10, 20, 0});
  costs.times[2] = {12, 24, 0};
  const auto simulated = simulate(Program(generator("1f1b"), problem(4, 16)), costs);
  CHECK(simulated.makespan == 660);  // 57 without
  for (const int s : {0, 1, 3}) CHECK(simulated.makespan - simulated.stages[static_cast<std::size_t>(s)].busy == 180);
}

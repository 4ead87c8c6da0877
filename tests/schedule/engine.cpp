// The engine against a plain reference on random schedules, and against what must hold whatever the numbers.
#include <random>

#include "app/trace/error.h"
#include "tests/schedule/reference.h"
#include "tests/support/catch.h"

using namespace p2plab::test;

namespace {

using Random = std::mt19937_64;
std::int64_t pick(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

/// A legal schedule in an order that nobody would choose: a random walk through what may run next.
Schedule random_schedule(Random& random) {
  const int p = static_cast<int>(pick(random, 1, 5)), m = static_cast<int>(pick(random, 1, 5));
  std::vector<int> stage_of_part;
  const int parts = static_cast<int>(pick(random, p, 2 * p));
  for (int part = 0; part < parts; ++part) stage_of_part.push_back(part < p ? part : static_cast<int>(pick(random, 0, p - 1)));
  Schedule out{"random", m, Layout(p, stage_of_part), std::vector<StageOrder>(static_cast<std::size_t>(p))};
  // 0: nothing, 1: F done, 2: B done, 3: W done; 4 stands for a whole backward
  std::vector<int> state(static_cast<std::size_t>(parts * m), 0);
  const auto at = [&](int part, int i) -> int& { return state[static_cast<std::size_t>(part * m + i)]; };
  const bool split = pick(random, 0, 1) == 1;
  for (;;) {
    std::vector<std::pair<int, Action>> can;
    for (int part = 0; part < parts; ++part)
      for (int i = 0; i < m; ++i) {
        const int chunk = out.layout.chunk_of(part);
        if (at(part, i) == 0 && (part == 0 || at(part - 1, i) > 0)) can.emplace_back(part, forward(i, chunk));
        if (at(part, i) == 1 && (part + 1 == parts || at(part + 1, i) > 1)) can.emplace_back(part, split ? input(i, chunk) : backward(i, chunk));
        if (at(part, i) == 2 && split) can.emplace_back(part, weight(i, chunk));
      }
    if (can.empty()) return out;
    const auto& [part, action] = can[static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(can.size()) - 1))];
    out.stages[static_cast<std::size_t>(out.layout.stage_of(part))].push_back(action);
    ++at(part, action.microbatch);
  }
}

Costs random_costs(Random& random, const Schedule& schedule) {
  Costs costs;
  const int p = schedule.layout.stages();
  const auto kind = pick(random, 0, 2);
  const auto times = static_cast<std::size_t>(kind == 0 ? 1 : kind == 1 ? p : p * schedule.microbatches);
  costs.times.clear();
  for (std::size_t i = 0; i < times; ++i) costs.times.push_back({pick(random, 0, 20), pick(random, 0, 20), pick(random, 0, 20)});
  costs.link.latency_ns = pick(random, 0, 1) * pick(random, 0, 30);
  costs.link.hop_ns = pick(random, 0, 1) * pick(random, 0, 5);
  costs.link.bytes = static_cast<std::uint64_t>(pick(random, 0, 20));
  costs.link.bytes_per_s = pick(random, 0, 1) == 1 ? 1e9 : 0;  // a byte a nanosecond
  costs.link.ports = pick(random, 0, 1) == 1;
  return costs;
}

void check_sums(const Simulated& simulated) {
  for (const StageTotals& stage : simulated.stages) {
    Ns sum = stage.busy;
    for (const Ns ns : stage.idle) sum += ns;
    CHECK(sum == simulated.makespan);
  }
}

}  // namespace

TEST_CASE("the engine equals the plain reference on ten thousand random schedules") {
  Random random(1);
  int asking = 0, standing_still = 0;
  for (int n = 0; n < 10'000; ++n) {
    const Schedule schedule = random_schedule(random);
    Costs costs = random_costs(random, schedule);
    if (n % 4 == 0) costs.link.eager_limit = 8;
    const bool asks = costs.link.bytes > costs.link.eager_limit;
    const Reference wanted = asks ? reference_asking(schedule, costs) : reference(schedule, costs);
    asking += asks;
    if (asks && wanted.stuck) {  // one stream's first message stands behind another's
      ++standing_still;
      REQUIRE_THROWS_AS(simulate(Program(schedule), costs), p2plab::Error);
      continue;
    }
    const Simulated got = simulate(Program(schedule), costs, 1, true);
    std::vector<std::pair<Ns, Ns>> spans;
    for (const Ran& ran : got.ran) spans.emplace_back(ran.begin, ran.end);
    bool same = !wanted.stuck && got.makespan == wanted.makespan && spans == wanted.spans;
    for (std::size_t s = 0; s < got.stages.size(); ++s) {
      Ns sum = got.stages[s].busy;
      for (const Ns ns : got.stages[s].idle) sum += ns;
      same = same && got.stages[s].busy == wanted.busy[s] && sum == got.makespan;
    }
    if (!same) {
      INFO("schedule " << n << ", " << got.makespan << " instead of " << wanted.makespan);
      REQUIRE(same);
    }
  }
  CHECK(asking > 1000);
  CHECK(standing_still > 10);
  CHECK(asking - standing_still > 300);
}

TEST_CASE("a random schedule is free of faults, and each of its stages runs the order it was given") {
  Random random(2);
  for (int n = 0; n < 300; ++n) {
    const Schedule schedule = random_schedule(random);
    CHECK(text(find_fault(schedule)) == "");
    const Simulated simulated = simulate(Program(schedule), random_costs(random, schedule), 2, true);
    std::vector<StageOrder> ran(schedule.stages.size());
    for (const Ran& one : simulated.ran)
      if (one.iteration == 1) ran[static_cast<std::size_t>(one.stage)].push_back(one.action);
    CHECK(ran == schedule.stages);
  }
}

TEST_CASE("the same program on the same costs gives the same result, span by span") {
  Random random(3);
  const Schedule schedule = random_schedule(random);
  const Costs costs = random_costs(random, schedule);
  const Simulated a = simulate(Program(schedule), costs, 3, true), b = simulate(Program(schedule), costs, 3, true);
  REQUIRE(a.ran.size() == b.ran.size());
  for (std::size_t i = 0; i < a.ran.size(); ++i) CHECK((a.ran[i].begin == b.ran[i].begin && a.ran[i].action == b.ran[i].action));
}

TEST_CASE("scaling all times scales the makespan") {
  Random random(4);
  for (int n = 0; n < 200; ++n) {
    const Schedule schedule = random_schedule(random);
    Costs costs = random_costs(random, schedule);
    // Shares of a chunk are rounded, so the times are multiples of all numbers of chunks.
    for (StageTime& t : costs.times) t = {t.forward * 60, t.input * 60, t.weight * 60};
    Costs scaled = costs;
    for (StageTime& t : scaled.times) t = {t.forward * 7, t.input * 7, t.weight * 7};
    scaled.link.latency_ns *= 7;
    scaled.link.hop_ns *= 7;
    scaled.link.bytes_per_s /= 7;
    CHECK(simulate(Program(schedule), scaled).makespan == 7 * simulate(Program(schedule), costs).makespan);
  }
}

TEST_CASE("another microbatch never makes a schedule shorter") {
  for (const Generator& generator : generators()) {
    if (generator.needs_multiple) continue;
    for (int p : {1, 2, 3, 5}) {
      Ns before = 0;
      for (int m = 1; m <= 12; ++m) {
        INFO(generator.id << " p=" << p << " m=" << m);
        const Ns now = run(generator.id, p, m, 30, 20, 10, 4, generator.chunks).makespan;
        CHECK(now >= before);
        before = now;
      }
    }
  }
}

TEST_CASE("another microbatch never makes a schedule shorter, whatever F, B, W and the latency are") {
  Random random(20261202);
  for (const Generator& generator : generators()) {
    if (generator.needs_multiple) continue;
    for (int round = 0; round < 40; ++round) {
      const int p = static_cast<int>(pick(random, 1, 6));
      const Ns f = pick(random, 0, 40), b = pick(random, 0, 40), w = pick(random, 0, 40), latency = pick(random, 0, 1) * pick(random, 0, 30);
      Ns before = 0;
      for (int m = 1; m <= 9; ++m) {
        INFO(generator.id << " p=" << p << " m=" << m << " F=" << f << " B=" << b << " W=" << w << " latency=" << latency);
        const Ns now = run(generator.id, p, m, f, b, w, latency, generator.chunks).makespan;
        CHECK(now >= before);
        before = now;
      }
    }
  }
}

TEST_CASE("permuting microbatches of equal length changes nothing") {
  const Generator& one_f_one_b = generator("1f1b");
  Schedule schedule = make_schedule(one_f_one_b, problem(4, 8)), renamed = schedule;
  for (StageOrder& order : renamed.stages)
    for (Action& action : order) action.microbatch = (action.microbatch * 5 + 3) % 8;
  CHECK(text(find_fault(renamed)) == "");
  Costs costs;
  costs.times = {{3, 4, 2}};
  costs.link.latency_ns = 2;
  CHECK(simulate(Program(renamed), costs).makespan == simulate(Program(schedule), costs).makespan);
}

TEST_CASE("which of equal stages is called first does not matter: times per stage that are equal are one time for all") {
  Costs one, each;
  one.times = {{3, 4, 2}};
  each.times.assign(5, {3, 4, 2});
  one.link.latency_ns = each.link.latency_ns = 1;
  for (const Generator& generator : generators()) {
    const Program program(generator, problem(5, 10, generator.chunks));
    CHECK(simulate(program, one).makespan == simulate(program, each).makespan);
  }
}

TEST_CASE("a port carries one message at a time") {
  // Both neighbours of stage 1 are ready at 10 and send it 100 bytes; the second one has to wait for the first.
  const Schedule schedule{"hand", 1, Layout({3, 1, 1}, Placement::loop), {{forward(0), backward(0)}, {forward(0), backward(0)}, {forward(0), backward(0)}}};
  Costs costs;
  costs.times = {{10, 10, 0}};
  costs.link.bytes = 100;
  costs.link.bytes_per_s = 1e9;
  CHECK(simulate(Program(schedule), costs).makespan == 60 + 4 * 100);
  // GPipe over a slow wire: F i leaves stage 0 every 100, not every 10.
  const Program gpipe(generator("gpipe"), problem(2, 4));
  CHECK(simulate(gpipe, costs).makespan == 10 + 4 * 100 + 10 + 10 + 4 * 100 + 10);
  costs.link.ports = false;
  CHECK(simulate(gpipe, costs).makespan == 10 + 100 + 4 * 10 + 4 * 10 + 100 + 10);
}

TEST_CASE("a message above the eager limit asks first, and costs two latencies more") {
  Costs costs;
  costs.times = {{10, 10, 0}};
  costs.link.latency_ns = 5;
  costs.link.bytes = 100;
  const Program program(generator("gpipe"), problem(2, 1));
  CHECK(simulate(program, costs).makespan == 50);
  costs.link.eager_limit = 99;
  CHECK(simulate(program, costs).makespan == 50 + 4 * 5);
  costs.link.eager_limit = 100;
  CHECK(simulate(program, costs).makespan == 50);
}

TEST_CASE("above the eager limit a message waits until its receive is posted, below it does not") {
  Costs costs;
  costs.times = {{1, 2, 0}};
  costs.link.latency_ns = 1;
  costs.link.bytes = 2;
  const Program program(generator("gpipe"), problem(2, 2));
  // F0 is made at 1, there at 4 (three latencies). F1 is made at 2, its receive is posted at 4: there at 7, and done at 8.
  // B0 and B1 end at 10 and 12. B0 is there at 13, B1 (posted at 13) at 16: 18. In time they would be there at 5 and 15: 15.
  costs.link.eager_limit = 1;
  CHECK(simulate(program, costs).makespan == 18);
  costs.link.eager_limit = 2;
  CHECK(simulate(program, costs).makespan == 11);  // one latency each way
  // With a wire of 2: F0 leaves at 1 and is there at 1 + 3 + 2 = 6, F1 is asked for only then: 11. B0 and B1 end at 14 and
  // 16, are there at 19 and 24; B1 of stage 0 ends at 26.
  costs.link.bytes_per_s = 1e9;
  costs.link.eager_limit = 1;
  CHECK(simulate(program, costs).makespan == 26);
}

TEST_CASE("a message that waits for its receive is idle time of the transfer, and the causes still sum") {
  Costs costs;
  costs.times = {{1, 2, 0}};
  costs.link.latency_ns = 1;
  costs.link.bytes = 2;
  costs.link.eager_limit = 1;
  const Simulated simulated = simulate(Program(generator("gpipe"), problem(2, 2)), costs, 1, true);
  check_sums(simulated);
  CHECK(idle(simulated.stages[1], Idle::transfer) == 2);  // F1 was made before stage 1 was free at 5, and came at 7
  REQUIRE(simulated.moved.size() == 4);
  for (const Moved& one : simulated.moved)
    if (one.microbatch == 1 && one.forward) CHECK((one.sent == 2 && one.left == 4 && one.arrived == 7));
}

TEST_CASE("two stages whose streams have crossing messages in front stand still, and it is said which") {
  Costs costs;
  costs.times = {{10, 10, 10}};
  costs.link.bytes = 2;
  costs.link.eager_limit = 1;
  try {
    simulate(Program(generator("zb-v"), problem(2, 8, 2)), costs);
    FAIL("zb-v crosses");
  } catch (const p2plab::Error& error) {
    CHECK(error.text().id == "sim.streams_cross");
    CHECK(text(error.text()).find("sends=F2") != std::string::npos);
  }
}

TEST_CASE("a longer way costs a hop for each stage in between") {
  Costs costs;
  costs.times = {{12, 12, 0}};
  costs.link.hop_ns = 1;
  // Interleaved on three stages: from stage 2 back to stage 0 there is one stage in between.
  const Program program(generator("interleaved-1f1b"), problem(3, 3, 2));
  const Ns without = simulate(program, Costs{.times = {{12, 12, 0}}, .link = {}}).makespan;
  CHECK(simulate(program, costs).makespan == without + 2);
}

TEST_CASE("iterations follow each other, with a sync they wait for the slowest stage") {
  Costs costs;
  costs.times = {{1, 2, 0}};
  const Program program(generator("1f1b"), problem(4, 8));
  const Simulated free_running = simulate(program, costs, 3);
  CHECK(free_running.iteration_end[0] == 33);
  costs.optimizer_sync = true;
  costs.optimizer_ns = 5;
  const Simulated synced = simulate(program, costs, 3);
  CHECK(synced.iteration_end == std::vector<Ns>{33, 33 + 38, 33 + 76});
  CHECK(synced.makespan == 3 * 38);
  check_sums(free_running);
  check_sums(synced);
}

TEST_CASE("waiting that a message on its way causes is told from waiting for what is not made") {
  const Simulated simulated = run("1f1b", 2, 1, 10, 10, 0, 3);
  CHECK(idle(simulated.stages[0], Idle::upstream) == 3 + 20);
  CHECK(idle(simulated.stages[0], Idle::transfer) == 3);
  CHECK(idle(simulated.stages[1], Idle::warm_up) == 13);
  CHECK(idle(simulated.stages[1], Idle::drain) == 13);
}

TEST_CASE("explicit messages leave where the list says so") {
  Schedule schedule{"hand", 2, Layout({2, 1, 1}, Placement::loop), {}};
  const auto message = [](Op op, int i) { return Action{i, 0, op}; };
  // Both activations leave only after the second forward.
  schedule.stages = {{forward(0), forward(1), message(Op::send_forward, 0), message(Op::send_forward, 1), message(Op::receive_backward, 0),
                      backward(0), message(Op::receive_backward, 1), backward(1)},
                     {message(Op::receive_forward, 0), forward(0), backward(0), message(Op::send_backward, 0),
                      message(Op::receive_forward, 1), forward(1), backward(1), message(Op::send_backward, 1)}};
  CHECK(text(find_fault(schedule)) == "");
  Costs costs;
  costs.times = {{10, 10, 0}};
  CHECK(simulate(Program(schedule), costs).makespan == 20 + 4 * 10 + 10);
}

TEST_CASE("a time that leaves 64 bits is an error, not a wrong number") {
  const Ns year = 31'557'600'000'000'000;
  CHECK_THROWS_AS(run("naive", 4, 100, year, year), p2plab::Error);
  CHECK(run("naive", 4, 10, year, year).makespan == 80 * year);
}

TEST_CASE("a pipeline of one stage never idles") {
  for (const Generator& generator : generators()) {
    const Simulated simulated = run(generator.id, 1, 3, 6, 4, 2, 5, generator.chunks);
    CHECK(simulated.makespan == 36);
    CHECK(simulated.messages == 0);
  }
}

// Thousands of random programs: matching, the stuck set and the strict verdict against a machine that runs them.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "app/analysis/matching.h"
#include "app/analysis/strict.h"
#include "app/analysis/wait_for.h"
#include "tests/analysis/random_program.h"
#include "tests/support/catch.h"

using namespace hand_made;
using namespace p2plab::analysis;
using random_program::Machine;
using random_program::Program;

namespace {

constexpr int kPrograms = 3000;

// P2PLAB_SEED repeats a run; otherwise each run tries other programs.
std::uint32_t first_seed() {
  const char* given = std::getenv("P2PLAB_SEED");
  return given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
}

std::set<TrackId> as_set(const std::vector<TrackId>& tracks) { return {tracks.begin(), tracks.end()}; }

struct Counts {
  int finished = 0, stuck = 0, unsafe = 0, messages = 0, graphs = 0;
};

// The program as its strict run must go: wildcards as they were answered, and every send waits for its receive, except
// those that the run never received at all.
Program strict_version(const Program& program, const Machine& ran) {
  Program strict = program;
  for (std::size_t i = 0; i < strict.ops.size(); ++i) {
    const int partner = ran.partner(static_cast<int>(i));
    random_program::OpText& op = strict.ops[i];
    op.eager = op.send && partner < 0;
    if (op.send) continue;
    if (partner < 0) {
      op.tag = 1'000'000;  // it takes nothing this time either
      continue;
    }
    op.peer = program.ops[static_cast<std::size_t>(partner)].rank;
    op.tag = program.ops[static_cast<std::size_t>(partner)].tag;
  }
  return strict;
}

// One program from its seed: what disagreed, empty if nothing did.
std::string disagreement(std::uint32_t seed, Counts& counts) {
  std::mt19937 random(seed);
  const Program program = random_program::make_program(random);
  Machine machine(program, true);
  Trace& trace = machine.run().trace;
  Matcher matcher;
  DeadlockWatch watch;
  std::vector<std::pair<std::size_t, std::size_t>> held;  // lanes once called stuck, and where they stood

  const auto check_graph = [&]() -> std::string {
    machine.sample();
    watch.update(trace);
    const WaitForGraph graph = wait_for_graph(trace);
    ++counts.graphs;
    if (graph.stuck != watch.graph().stuck || graph.cycle != watch.graph().cycle) return "following the trace";
    const std::set<TrackId> stuck = as_set(graph.stuck);
    if (stuck != machine.stuck_by_brute_force()) return "stuck set";
    for (const TrackId track : graph.cycle) {
      if (stuck.count(track) == 0) return "cycle outside the stuck set";
    }
    for (std::size_t lane = 0; lane < machine.lanes(); ++lane) {
      if (stuck.count(machine.track(lane)) != 0) held.emplace_back(lane, machine.progress()[lane]);
    }
    return {};
  };

  do {
    if (random() % 4 == 0) {
      if (const std::string what = check_graph(); !what.empty()) return what;
    }
    if (random() % 4 == 0) matcher.update(trace);
  } while (machine.step(random));
  if (const std::string what = check_graph(); !what.empty()) return what;
  matcher.update(trace);

  // Whoever was called stuck has never moved; at the end all that have not left are stuck.
  for (const auto& [lane, where] : held) {
    if (machine.progress()[lane] != where) return "a stuck lane moved";
  }
  if (machine.finished() != watch.graph().stuck.empty()) return "standing at the end";

  std::set<std::pair<SpanId, SpanId>> expected, found;
  for (int op = 0; op < static_cast<int>(program.ops.size()); ++op) {
    if (program.ops[static_cast<std::size_t>(op)].send && machine.partner(op) >= 0) {
      expected.emplace(machine.flight(op), machine.flight(machine.partner(op)));
    }
  }
  for (const Message& message : trace.messages()) found.emplace(message.send, message.receive);
  if (expected != found || trace.messages().size() != found.size()) return "matching";
  counts.messages += static_cast<int>(found.size());

  if (!machine.finished()) {
    ++counts.stuck;
    return {};
  }
  ++counts.finished;
  Machine strict(strict_version(program, machine), false);
  while (strict.step(random)) {
  }
  if (!strict.finished()) ++counts.unsafe;
  const auto finding = strict_replay(trace);
  if (finding.has_value() == strict.finished()) return finding ? "strict: accused wrongly" : "strict: not found";
  if (finding && finding->sites.empty()) return "strict: no sites";
  return {};
}

}  // namespace

TEST_CASE("Random programs match, stand still and depend on buffering as a simulation of them does") {
  const std::uint32_t first = first_seed();
  std::cout << "random programs: P2PLAB_SEED=" << first << '\n';
  Counts counts;
  for (int i = 0; i < kPrograms; ++i) {
    const std::uint32_t seed = first + static_cast<std::uint32_t>(i);
    INFO("P2PLAB_SEED=" << seed << " repeats this program first");
    REQUIRE(disagreement(seed, counts) == "");
  }
  std::cout << "random programs: " << counts.finished << " ended, " << counts.unsafe << " of them by buffering alone, "
            << counts.stuck << " stood still, " << counts.messages << " messages, " << counts.graphs << " graphs\n";
  // The programs are worth something only if every outcome is among them.
  CHECK(counts.finished > kPrograms / 10);
  CHECK(counts.unsafe > kPrograms / 100);
  CHECK(counts.stuck > kPrograms / 10);
}

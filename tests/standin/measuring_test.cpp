// The demos that measure, on the backends cuda and nccl against the stand-in: every variant runs and checks its bytes. What
// they measure there are the times of threads, so no number but those that do not depend on time is looked at.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/standin/stand_in.h"
#include "tests/support/catch.h"

using p2plab::analysis::Verdict;
using p2plab::test::describe;
using p2plab::test::on_stand_in;

namespace {

using Knobs = std::map<std::string, std::string>;

std::unique_ptr<p2plab::check::DemoRun> runs(const std::string& demo, const std::string& backend, const Knobs& knobs, Verdict verdict = Verdict::pass,
                                             const std::string& semantics = "mpi", bool strict = false, int ranks = 0, const Knobs& environment = {}) {
  auto run = on_stand_in(demo, backend, knobs, semantics, strict, ranks, environment);
  INFO(demo << "\n" << describe(*run));
  CHECK(run->result().verdict == verdict);
  CHECK(run->result().as_promised);
  return run;
}

/// nccl has the one set of rules, cuda both.
struct World {
  std::string backend, semantics;
};
const std::vector<World> kWorlds{{"cuda", "mpi"}, {"cuda", "nccl"}, {"nccl", "nccl"}};

}  // namespace

TEST_CASE("latency-bandwidth on GPUs: every size arrives whole, under every variant") {
  for (const auto& [backend, semantics] : kWorlds) {
    for (const std::string variant : {"ping-pong", "window", "both-ways", "late-receiver", "late-isend"}) {
      const auto run = runs("latency-bandwidth", backend, {{"variant", variant}, {"max_bytes", "128K"}, {"iterations", "3"}, {"receiver_delay_ms", "1"}}, Verdict::pass, semantics);
      CHECK(run->result().metrics["table"].size() >= 18);
    }
  }
}

TEST_CASE("straggler on GPUs: all variants") {
  for (const auto& [backend, semantics] : kWorlds) {
    for (const std::string variant : {"all-reduce", "broadcast", "chain", "pairs"}) {
      const auto run = runs("straggler", backend, {{"variant", variant}, {"steps", "3"}, {"compute_us", "2000"}}, Verdict::pass, semantics);
      CHECK(run->result().metrics["ranks"].size() == 4);
    }
  }
}

TEST_CASE("p2p-vs-collective on GPUs: the sums are right") {
  for (const auto& [backend, semantics] : kWorlds) {
    runs("p2p-vs-collective", backend, {{"max_bytes", "64K"}, {"iterations", "2"}}, Verdict::pass, semantics);
  }
}

TEST_CASE("matching on GPUs: by tag under MPI's rules, by order under NCCL's") {
  for (const auto& [backend, semantics] : kWorlds) {
    const bool tags = semantics == "mpi";
    runs("matching", backend, {{"variant", "two-ranks"}}, Verdict::corrupt, semantics);
    runs("matching", backend, {{"variant", "two-ranks"}}, Verdict::pass, semantics, false, 3);
    runs("matching", backend, {{"variant", "two-ranks-tagged"}}, tags ? Verdict::pass : Verdict::corrupt, semantics);
    runs("matching", backend, {{"variant", "tags"}}, tags ? Verdict::pass : Verdict::corrupt, semantics);
    for (const std::string variant : {"two-ranks-ordered", "order", "any"}) runs("matching", backend, {{"variant", variant}}, Verdict::pass, semantics);
  }
}

TEST_CASE("topology on GPUs: every message of every graph arrives") {
  for (const auto& [backend, semantics] : kWorlds) {
    for (const std::string variant : {"chain", "ring", "star", "tree", "grid", "random", "moe"}) {
      const auto run = runs("topology", backend, {{"variant", variant}, {"bytes", variant == "moe" ? "512" : "16K"}, {"iterations", "1"}}, Verdict::pass, semantics, false, 4);
      CHECK(run->result().metrics["ports"].size() == 4);
    }
  }
}

TEST_CASE("overlap on GPUs: all variants, and the bytes are right") {
  for (const auto& [backend, semantics] : kWorlds) {
    const auto run = runs("overlap", backend, {{"bytes", "256K"}, {"iterations", "1"}}, Verdict::pass, semantics);
    CHECK(run->result().metrics["table"].size() == 28);  // seven ratios, the bound and three variants each
  }
}

TEST_CASE("on GPUs each way alone, and a graph of one's own, run as they do among all") {
  const std::string graph = (std::filesystem::temp_directory_path() / ("p2plab-graph-" + std::to_string(::getpid()))).string();
  std::ofstream(graph) << "0 1 4096\n1 2 4096\n2 0 64\n";
  for (const std::string variant : {"isend", "polling", "comm-stream"}) runs("overlap", "cuda", {{"variant", variant}, {"bytes", "64K"}, {"iterations", "1"}});
  for (const std::string variant : {"send", "broadcast", "gather-broadcast", "ring", "doubling", "all-reduce"}) {
    runs("p2p-vs-collective", "nccl", {{"variant", variant}, {"max_bytes", "16K"}, {"iterations", "1"}});
  }
  for (const std::string backend : {"cuda", "nccl"}) runs("topology", backend, {{"variant", "file"}, {"file", graph}, {"iterations", "1"}}, Verdict::pass, "mpi", false, 3);
  std::filesystem::remove(graph);
}

TEST_CASE("many ranks on one GPU: long messages go from memory to memory, whatever the others do meanwhile") {
  const Knobs one{{"P2PLAB_STANDIN_DEVICES", "1"}};
  for (const std::string semantics : {"mpi", "nccl"}) {
    for (const std::string variant : {"moe", "star", "grid"}) {
      runs("topology", "cuda", {{"variant", variant}, {"bytes", "128K"}, {"iterations", "1"}, {"tokens", "8"}}, Verdict::pass, semantics, false, 6, one);
    }
    runs("p2p-vs-collective", "cuda", {{"max_bytes", "256K"}, {"iterations", "1"}}, Verdict::pass, semantics, false, 0, one);
    runs("matching", "cuda", {{"variant", "order"}, {"bytes", "1M"}}, Verdict::pass, semantics, false, 0, one);
    runs("straggler", "cuda", {{"variant", "chain"}, {"bytes", "256K"}, {"steps", "2"}}, Verdict::pass, semantics, false, 0, one);
  }
}

TEST_CASE("demos whose data is a file of the host's, or whose server is the host, are refused on a GPU before anything starts") {
  for (const std::string backend : {"cuda", "nccl"})
    for (const std::string demo : {"prefetch", "parameter-server"}) {
      try {
        on_stand_in(demo, backend, {});
        FAIL("it ran");
      } catch (const p2plab::Error& error) {
        CHECK(error.text().id == "run.backend_not_supported");
        CHECK(error.exit_status() == 2);
      }
    }
}

// The demos that cut a model over the ranks, on the backends cuda and nccl against the stand-in: kernels, collectives and
// messages come to what one rank alone computes.
#include <nlohmann/json.hpp>

#include "tests/standin/stand_in.h"
#include "tests/support/catch.h"

using p2plab::analysis::Verdict;
using p2plab::test::describe;
using p2plab::test::on_stand_in;
using p2plab::test::run_demo;

namespace {

using Knobs = std::map<std::string, std::string>;

std::unique_ptr<p2plab::check::DemoRun> runs(const std::string& demo, const std::string& backend, const std::string& semantics, const Knobs& knobs,
                                             Verdict verdict = Verdict::pass, int ranks = 0, const Knobs& environment = {}) {
  auto run = on_stand_in(demo, backend, knobs, semantics, false, ranks, environment);
  INFO(demo << " on " << backend << "\n" << describe(*run));
  CHECK(run->result().verdict == verdict);
  CHECK(run->result().as_promised);
  return run;
}

/// nccl has the one set of rules, cuda both; there also with all ranks on one GPU.
struct World {
  std::string backend, semantics;
  Knobs environment;
};
const std::vector<World> kWorlds{{"cuda", "mpi", {}}, {"cuda", "nccl", {}}, {"cuda", "mpi", {{"P2PLAB_STANDIN_DEVICES", "1"}}}, {"nccl", "nccl", {}}};

}  // namespace

TEST_CASE("tensor-parallel on GPUs: every cut comes to what one rank computes, with the bytes and calls of the host") {
  const Knobs small{{"hidden", "16"}, {"max_tokens", "16"}, {"iterations", "1"}, {"compute_us", "100"}};
  p2plab::check::RunRequest request;
  request.demo = "tensor-parallel";
  request.backend = "host";
  request.knobs = small;
  request.timeout_s = p2plab::test::kLongest;
  const auto host = run_demo(std::move(request));
  for (const auto& [backend, semantics, environment] : kWorlds) {
    const auto all = runs("tensor-parallel", backend, semantics, small, Verdict::pass, 0, environment);
    CHECK(all->result().metrics["grad_error"].get<double>() <= 1e-5);
    CHECK(all->result().metrics["ways"] == host->result().metrics["ways"]);
    Knobs no_sum = small;
    no_sum["variant"] = "forgotten";
    const auto forgotten = runs("tensor-parallel", backend, semantics, no_sum, Verdict::fail, 0, environment);
    CHECK(forgotten->result().metrics["grad_error"].get<double>() > 0.01);
  }
}

TEST_CASE("tensor-parallel on GPUs: each way alone, on an odd number of ranks and with longer messages") {
  for (const auto& [backend, semantics, environment] : kWorlds)
    for (const std::string variant : {"megatron", "gather", "p2p"})
      runs("tensor-parallel", backend, semantics, {{"variant", variant}, {"hidden", "64"}, {"min_tokens", "256"}, {"max_tokens", "256"}, {"iterations", "1"}, {"compute_us", "0"}},
           Verdict::pass, 3, environment);
}

TEST_CASE("moe on GPUs: every way brings each token to its experts and back, in the messages of the host") {
  const Knobs small{{"tokens", "6"}, {"hidden", "12"}, {"iterations", "1"}, {"node_size", "2"}};
  p2plab::check::RunRequest request;
  request.demo = "moe";
  request.backend = "host";
  request.knobs = small;
  request.ranks = 4;
  request.timeout_s = p2plab::test::kLongest;
  const auto host = run_demo(std::move(request));
  for (const auto& [backend, semantics, environment] : kWorlds) {
    const auto all = runs("moe", backend, semantics, small, Verdict::pass, 4, environment);
    REQUIRE(all->result().metrics["ways"].size() == 5);
    for (std::size_t way = 0; way < 5; ++way)
      for (const char* count : {"way", "message_count", "between_count", "sent_bytes"})
        CHECK(all->result().metrics["ways"][way][count] == host->result().metrics["ways"][way][count]);
  }
}

TEST_CASE("moe on GPUs: each way alone, with tokens dropped, ranks without any, and several messages under way") {
  for (const auto& [backend, semantics, environment] : kWorlds)
    for (const std::string variant : {"per-token", "per-expert", "all-to-all", "two-level", "padded"})
      runs("moe", backend, semantics,
           {{"variant", variant}, {"tokens", "8"}, {"hidden", "16"}, {"iterations", "1"}, {"node_size", "2"}, {"window", "3"}, {"skew_percent", "50"},
            {"capacity_percent", "120"}, {"empty_ranks", "1"}}, Verdict::pass, 3, environment);
}

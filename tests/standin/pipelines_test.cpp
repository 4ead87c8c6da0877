// Pipelines beyond the demo `pipeline`, on the backends cuda and nccl against the stand-in: stage boundaries as broadcasts in
// groups of two ranks and as an all-reduce after every slot, and one schedule after the other.
#include <nlohmann/json.hpp>

#include "tests/standin/stand_in.h"
#include "tests/support/catch.h"

using p2plab::analysis::Verdict;
using p2plab::test::describe;
using p2plab::test::on_stand_in;

namespace {

using Knobs = std::map<std::string, std::string>;

/// nccl has the one set of rules, cuda both; there also with all ranks on one GPU.
struct World {
  std::string backend, semantics;
  Knobs environment;
};
const std::vector<World> kWorlds{{"cuda", "mpi", {}}, {"cuda", "nccl", {}}, {"cuda", "mpi", {{"P2PLAB_STANDIN_DEVICES", "1"}}}, {"nccl", "nccl", {}}};

/// Only what does not depend on time is looked at: the stand-in's GPUs share the machine's cores.
std::unique_ptr<p2plab::check::DemoRun> computes(const std::string& demo, const World& world, const Knobs& knobs, int ranks = 0) {
  auto run = on_stand_in(demo, world.backend, knobs, world.semantics, false, ranks, world.environment);
  INFO(demo << " on " << world.backend << ", " << world.semantics << "\n" << describe(*run));
  const auto& error = run->result().metrics["grad_error"];
  REQUIRE(error.is_number());
  CHECK(error.get<double>() <= 1e-5);
  CHECK(run->result().verdict == Verdict::pass);
  CHECK(run->result().findings.empty());
  return run;
}

}  // namespace

TEST_CASE("the pipeline on GPUs over broadcasts of two ranks, and over one all-reduce of all") {
  for (const World& world : kWorlds) {
    for (const std::string schedule : {"1f1b", "zb-h1"}) computes("pipeline", world, {{"schedule", schedule}, {"transport", "bcast2"}, {"microbatches", "4"}});
    for (const std::string schedule : {"1f1b", "gpipe"}) computes("pipeline", world, {{"schedule", schedule}, {"transport", "allreduce"}, {"microbatches", "4"}});
    computes("pipeline", world, {{"transport", "bcast2"}, {"microbatches", "4"}, {"bytes", "512K"}}, 2);
  }
}

TEST_CASE("the pipeline on GPUs under the schedules with several chunks a stage or a backward pass in halves") {
  for (const World& world : {kWorlds.front(), kWorlds.back()}) {
    for (const std::string schedule : {"interleaved-1f1b", "zb-h2", "zb-v"}) {
      if (schedule == "zb-v" && world.semantics == "nccl") continue;  // it needs tags
      computes("pipeline", world, {{"schedule", schedule}, {"microbatches", "4"}, {"forward_us", "500"}, {"backward_us", "1000"}});
    }
  }
}

TEST_CASE("real computation on GPUs: the products run on the streams, and the gradients stay right") {
  for (const World& world : {kWorlds.front(), kWorlds.back()}) {
    for (const std::string demo : {"pipeline", "tensor-parallel"}) {
      const Knobs knobs = demo == "pipeline" ? Knobs{{"microbatches", "4"}} : Knobs{{"hidden", "16"}, {"max_tokens", "16"}, {"iterations", "1"}};
      const auto run = on_stand_in(demo, world.backend, knobs, world.semantics, false, 2, world.environment, "real");
      INFO(demo << " on " << world.backend << ", " << world.semantics << "\n" << describe(*run));
      CHECK(run->result().verdict == Verdict::pass);
      CHECK(run->result().metrics["grad_error"].get<double>() <= 1e-5);
    }
  }
}

TEST_CASE("why-not-allreduce on GPUs: one transport alone") {
  for (const std::string variant : {"p2p", "bcast2"}) {
    computes("why-not-allreduce", kWorlds.front(), {{"variant", variant}, {"microbatches", "4"}, {"forward_us", "500"}, {"backward_us", "1000"}});
  }
}

TEST_CASE("why-not-allreduce on GPUs: every transport computes what one process computes") {
  for (const World& world : kWorlds) {
    const auto run = computes("why-not-allreduce", world, {{"microbatches", "4"}, {"forward_us", "500"}, {"backward_us", "1000"}});
    CHECK(run->result().metrics["table"].size() == 3 * 6);  // 1, 2 and 4 microbatches, six cases each
  }
}

TEST_CASE("schedules on GPUs: every schedule computes what one process computes, with latency and without") {
  for (const World& world : kWorlds) {
    const bool tags = world.semantics == "mpi";  // zb-v needs them
    const auto run = computes("schedules", world, {{"microbatches", "4"}, {"forward_us", "500"}, {"backward_us", "1000"}});
    CHECK(run->result().metrics["table"].size() == (tags ? 16 : 14));
    for (const auto& row : run->result().metrics["table"]) CHECK(row["step_ns"].get<double>() > 0);
  }
  computes("schedules", kWorlds.back(), {{"variant", "interleaved-1f1b"}, {"microbatches", "4"}, {"forward_us", "500"}, {"backward_us", "1000"}}, 2);
  try {
    on_stand_in("schedules", "nccl", {{"variant", "zb-v"}});
    FAIL("it ran");
  } catch (const p2plab::Error& error) {
    CHECK(error.text().id == "refuse.vee_nccl");
  }
}

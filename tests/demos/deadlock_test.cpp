// The demo deadlock, run for real: every variant, below and above the eager limit.
#include "tests/demos/run_demo.h"
#include "tests/support/catch.h"

using p2plab::analysis::Verdict;
using p2plab::test::describe;
using p2plab::test::run_demo;

namespace {

std::unique_ptr<p2plab::check::DemoRun> deadlock(const std::string& variant, const std::string& bytes,
                                                 const std::string& semantics = "mpi", bool strict = false, int ranks = 2,
                                                 const std::string& nccl_buffer = "0") {
  p2plab::check::RunRequest request;
  request.demo = "deadlock";
  request.ranks = ranks;
  request.semantics = semantics;
  request.strict = strict;
  request.knobs = {{"variant", variant}, {"bytes", bytes}, {"nccl_buffer", nccl_buffer}};
  request.timeout_s = 20;
  return run_demo(std::move(request));
}

}  // namespace

TEST_CASE("sending first passes below the eager limit only thanks to buffering") {
  const auto run = deadlock("send-first", "64");
  INFO(describe(*run));
  CHECK(run->result().verdict == Verdict::unsafe);
  CHECK(run->result().as_promised);
  CHECK(run->result().metrics["eager_limit_bytes"].get<std::int64_t>() > 64);
}

TEST_CASE("sending first hangs above the eager limit, and the cycle is named") {
  const int ranks = GENERATE(2, 3, 4);
  const auto run = deadlock("send-first", "1M", "mpi", false, ranks);
  INFO(describe(*run));
  REQUIRE(run->result().verdict == Verdict::deadlock);
  CHECK(run->result().as_promised);
  REQUIRE(run->result().findings.size() == 1);
  const auto& sites = run->result().findings.front().sites;
  REQUIRE(sites.size() == static_cast<std::size_t>(ranks));
  for (const auto& site : sites) {
    CHECK(site.call == "MPI_Send");
    CHECK(site.peer == (site.rank + 1) % ranks);
    CHECK(site.tag == 0);
    CHECK(site.bytes == 1 << 20);
    CHECK(site.file == "demos/deadlock/deadlock.cpp");
    CHECK(site.line > 0);
  }
  CHECK(run->result().metrics["detect_ns"].get<std::int64_t>() > 0);
}

TEST_CASE("under --strict sending first hangs at any size") {
  const auto run = deadlock("send-first", "1", "mpi", true);
  INFO(describe(*run));
  CHECK(run->result().verdict == Verdict::deadlock);
  CHECK(run->result().as_promised);
}

TEST_CASE("the fixes of the deadlock pass at any size, strict or not") {
  const std::string variant = GENERATE("ordered", "sendrecv", "nonblocking");
  const std::string bytes = GENERATE("64", "1M");
  const bool strict = GENERATE(false, true);
  const auto run = deadlock(variant, bytes, "mpi", strict);
  INFO(describe(*run));
  CHECK(run->result().verdict == Verdict::pass);
  CHECK(run->result().as_promised);
}

TEST_CASE("under NCCL's rules nonblocking calls outside a group hang, in a group they do not") {
  const std::string bytes = GENERATE("64", "1M");
  for (const std::string variant : {"unfused", "nonblocking", "send-first"}) {
    const auto run = deadlock(variant, bytes, "nccl");
    INFO(describe(*run));
    CHECK(run->result().verdict == Verdict::deadlock);
    CHECK(run->result().as_promised);
  }
  for (const std::string variant : {"grouped", "sendrecv", "ordered"}) {
    const auto run = deadlock(variant, bytes, "nccl");
    INFO(describe(*run));
    CHECK(run->result().verdict == Verdict::pass);
    CHECK(run->result().as_promised);
  }
}

// A rank whose sends lie in the hidden buffer may be done long before its neighbour receives: what it left behind must
// stay until then.
TEST_CASE("what lies in NCCL's hidden buffer arrives whole although its sender is already done") {
  const int ranks = GENERATE(3, 4);
  const std::string bytes = GENERATE("64", "1M");
  const std::string variant = GENERATE("send-first", "nonblocking", "unfused");
  const auto run = deadlock(variant, bytes, "nccl", false, ranks, "4M");
  INFO(describe(*run));
  CHECK(run->result().verdict == Verdict::unsafe);
  CHECK(run->result().as_promised);
}

// The runtime on the backend `host`: answers, and what it records.
#include <unistd.h>

#include <algorithm>

#include "tests/demos/job_of_ranks.h"
#include "tests/demos/run_demo.h"
#include "tests/support/catch.h"

using namespace p2plab;
using test::ranks_of;
using test::run_ranks;
using trace::Kind;

TEST_CASE("messages arrive in order by peer and tag, alone, in batches and with wait_all") {
  const auto job = run_ranks(ranks_of("messages", {}));
  INFO(job.text());
  CHECK_FALSE(job.failed());
}

TEST_CASE("collectives give the right sums, maxima and parts on two to five ranks") {
  const int ranks = GENERATE(2, 3, 5);
  const auto job = run_ranks(ranks_of("collectives", {}, ranks));
  INFO(job.text());
  CHECK_FALSE(job.failed());
  int sequence = 0;
  for (const auto& span : job.spans(0, "host")) {
    if (span.kind != Kind::collective) continue;
    CHECK(span.sequence == sequence++);
    CHECK(job.trace.name(span.comm) == "WORLD");
    CHECK((span.flags & trace::kBlocking) != 0);
  }
  CHECK(sequence == 7);
}

TEST_CASE("idle cores stay awake while ranks run on the real clock, where the system lets us ask for it") {
  if (::access("/dev/cpu_dma_latency", R_OK | W_OK) != 0) {
    WARN("skipped: /dev/cpu_dma_latency may not be opened here");
    return;
  }
  const auto job = run_ranks(ranks_of("awake", {}));
  INFO(job.text());
  CHECK_FALSE(job.failed());
}

TEST_CASE("a stream that was given work never looks idle, so that nobody who waits for it is thought to be in a deadlock") {
  const auto job = run_ranks(ranks_of("given-work", {}, 1));
  INFO(job.text());
  CHECK_FALSE(job.failed());
}

TEST_CASE("streams and events order work across lanes and ranks") {
  const auto job = run_ranks(ranks_of("streams", {}));
  INFO(job.text());
  CHECK_FALSE(job.failed());
  const auto forward = job.spans(0, "compute");
  REQUIRE(forward.size() == 1);
  CHECK(forward[0].kind == Kind::forward);
  CHECK(forward[0].microbatch == 3);
  CHECK(job.trace.name(forward[0].name) == "F3");
  CHECK((forward[0].flags & trace::kPaced) != 0);
  CHECK(forward[0].end - forward[0].begin >= 5'000'000);
  // The send stands on the lane that runs it, behind the wait for compute's event.
  const auto comm = job.spans(0, "comm");
  REQUIRE(comm.size() == 2);
  CHECK(comm[0].kind == Kind::wait);
  CHECK(comm[1].kind == Kind::send);
  CHECK((comm[1].flags & trace::kBlocking) != 0);
  bool waits_for_compute = false;
  for (const auto& target : job.trace.wait_targets()) {
    if (job.trace.rank_of(target.wait) != 0 || target.track == trace::kNoIndex) continue;
    const bool from_comm = job.trace.name(job.trace.tracks()[job.trace.span(target.wait).track].lane) == "comm";
    waits_for_compute = waits_for_compute || (from_comm && job.trace.name(job.trace.tracks()[target.track].lane) == "compute");
  }
  CHECK(waits_for_compute);
}

TEST_CASE("under NCCL's rules the messages of a pair come in the order in which they were enqueued, whatever their streams") {
  const auto job = run_ranks(ranks_of("two-streams", {"--semantics", "nccl"}));
  INFO(job.text());
  CHECK_FALSE(job.failed());
  bool waits = false;
  for (const auto& span : job.spans(0, "other")) waits = waits || job.trace.name(span.name) == "wait for the message before";
  CHECK(waits);
}

TEST_CASE("a message is one span in flight from post to completion, tied to its call by the request") {
  const auto job = run_ranks(ranks_of("messages", {"--strict"}));
  INFO(job.text());
  REQUIRE_FALSE(job.failed());
  const auto flights = job.spans(0, "in flight");
  const auto calls = job.spans(0, "host");
  REQUIRE(flights.size() == 9);
  std::vector<int> same_tag;
  for (const auto& flight : flights) {
    CHECK((flight.flags & trace::kInFlight) != 0);
    CHECK_FALSE(flight.open());
    CHECK(flight.bytes == 12);
    CHECK(flight.peer == 1);
    CHECK(((flight.flags & trace::kStrict) != 0) == (flight.kind == Kind::send));
    CHECK(job.trace.name(flight.site).starts_with("tests/demos/ranks/runtime.cpp:"));
    if (flight.kind == Kind::send && flight.tag == 5) same_tag.push_back(flight.sequence);
    if ((flight.flags & trace::kGroup) != 0) continue;  // the call of a group names its requests by wait_on
    const auto call = std::find_if(calls.begin(), calls.end(), [&](const trace::Span& span) {
      return span.request == flight.request && span.kind == flight.kind;
    });
    REQUIRE(call != calls.end());
    CHECK(call->begin <= flight.begin);
  }
  CHECK(same_tag == std::vector<int>{0, 1});
}

TEST_CASE("under nccl semantics wait blocks the stream compute, not the caller") {
  const auto job = run_ranks(ranks_of("nccl", {"--semantics", "nccl"}));
  INFO(job.text());
  CHECK_FALSE(job.failed());
  for (const auto& flight : job.spans(0, "in flight")) CHECK(flight.tag == trace::kNone);
  for (const auto& span : job.spans(0, "host")) CHECK(job.trace.name(span.name) != "wait");
}

TEST_CASE("NCCL's hidden buffer is bounded: what fits completes, what does not hangs") {
  for (const bool fits : {true, false}) {
    check::RunRequest request;
    request.demo = "deadlock";
    request.semantics = "nccl";
    request.knobs = {{"variant", "unfused"}, {"bytes", fits ? "64K" : "65537"}, {"nccl_buffer", "64K"}};
    request.timeout_s = 20;
    const auto run = test::run_demo(std::move(request));
    INFO(test::describe(*run));
    CHECK((run->result().verdict == analysis::Verdict::deadlock) == !fits);
    CHECK(run->result().as_promised);
  }
}

TEST_CASE("an emulated link delivers after alpha plus n over beta, one message of a pair at a time") {
  // 100 kB at 5 MB/s are 20 ms; with 10 ms of latency the first message is there after 30 ms, the second after 50 ms.
  const auto job = run_ranks(ranks_of("link", {"--link", "slow:10000000:5000000"}));
  INFO(job.text());
  REQUIRE_FALSE(job.failed());
  const auto received = job.spans(1, "in flight");
  REQUIRE(received.size() == 2);
  CHECK(received[0].end - received[0].begin >= 30'000'000);
  CHECK(received[1].end - received[0].begin >= 50'000'000);
  const auto sent = job.spans(0, "in flight");
  REQUIRE(sent.size() == 2);
  CHECK(sent[0].end - sent[0].begin >= 20'000'000);
}

TEST_CASE("an error names the call, the peer, the tag, the size and the line, and ends the job") {
  const auto wrong_peer = run_ranks(ranks_of("bad-peer", {}));
  INFO(wrong_peer.text());
  CHECK(wrong_peer.failed());
  CHECK((wrong_peer.err[0] + wrong_peer.err[1]).find("isend to rank 5, tag 9, 48 bytes (tests/demos/ranks/runtime.cpp:") !=
        std::string::npos);
  const auto too_long = run_ranks(ranks_of("truncated", {}));
  INFO(too_long.text());
  CHECK(too_long.failed());
  CHECK(too_long.err[1].find("recv from rank 0, tag 4, 16 bytes") != std::string::npos);
  bool noted = false;
  for (const auto& note : too_long.trace.notes()) noted = noted || too_long.trace.name(note.name) == "error";
  CHECK(noted);
}

TEST_CASE("a backend that is not built, an unknown option and a bad value are each one sentence and status 2") {
  const std::vector<std::vector<std::string>> wrong{
      {"--backend", "pigeon"}, {"--colour", "red"}, {"--semantics", "ucx"}, {"--link", "slow"}, {"--set", "novalue"}};
  const std::vector<std::string> said{"The backend 'pigeon' is not here", "--colour: no such option", "--semantics ucx",
                                      "--link slow", "--set novalue"};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    auto spec = ranks_of("messages", wrong[i], 1);
    spec.use_mpiexec = false;
    const auto job = run_ranks(spec);
    INFO(job.text());
    CHECK(job.status.exit_status == 2);
    CHECK(job.err[0].find(said[i]) != std::string::npos);
    CHECK(std::count(job.err[0].begin(), job.err[0].end(), '\n') <= 1);
  }
}

TEST_CASE("a rank makes as many communication calls as it has credits") {
  int given = 0;
  bool early = false;
  const auto job = run_ranks(ranks_of("steps", {}), [&](trace::ControlPage& page, const test::FinishedJob& so_far) {
    if (given == 0) {
      // Before the ranks run: nobody may communicate.
      for (int r = 0; r < 2; ++r) page.rank[r].step_credits = 0;
      given = 1;
      return false;
    }
    const auto spans = so_far.spans(0, "host");
    const auto barriers = std::count_if(spans.begin(), spans.end(), [](const trace::Span& s) { return s.kind == Kind::collective; });
    const auto stands = std::any_of(spans.begin(), spans.end(), [&](const trace::Span& s) {
      return s.open() && so_far.trace.name(s.name) == "waiting for a step";
    });
    if (barriers > given - 1) early = true;
    if (stands && barriers == given - 1 && given <= 3) {
      for (int r = 0; r < 2; ++r) page.rank[r].step_credits = 1;
      ++given;
    }
    return false;
  });
  INFO(job.text());
  CHECK_FALSE(job.failed());
  CHECK_FALSE(early);
  CHECK(given == 4);
}

TEST_CASE("ranks leave when the lab asks them to stop") {
  const auto job = run_ranks(ranks_of("forever", {}), [](trace::ControlPage& page, const test::FinishedJob& so_far) {
    if (!so_far.spans(0, "in flight").empty()) page.stop = 1;
    return false;
  });
  INFO(job.text());
  CHECK(job.status.end == launch::JobEnd::finished);
}

TEST_CASE("with the feed off the deadlock demo hangs in the same MPI call") {
  const auto hang = [](bool feed) {
    launch::JobSpec spec;
    const auto demo = launch::Installation::find().lib() / "demo-deadlock";
    spec.program = {demo.string(), "--set", "variant=send-first"};
    spec.ranks = 2;
    spec.environment["LD_PRELOAD"] = test::rank_program("libspy.so").string();
    if (!feed) spec.program.insert(spec.program.begin(), {"/usr/bin/env", "-u", "P2PLAB_JOB"});
    spec.limits.wall = std::chrono::seconds(30);
    return run_ranks(spec, [](trace::ControlPage&, const test::FinishedJob& so_far) {
      const auto stands = [](const std::string& text) { return text.find("in vain") != std::string::npos; };
      return std::all_of(so_far.err.begin(), so_far.err.end(), stands);
    });
  };
  const auto with = hang(true);
  const auto without = hang(false);
  INFO(with.text() << "\n--- feed off\n" << without.text());
  CHECK(with.status.end == launch::JobEnd::cancelled);
  CHECK(without.status.end == launch::JobEnd::cancelled);
  CHECK(with.spans(0, "host").size() > 0);
  CHECK(without.trace.spans().size() == 0);
  CHECK(with.err == without.err);
  CHECK(with.err[0] == "spy: isend 1048576 bytes to 1\nspy: tested 5000 times in vain\n");
}

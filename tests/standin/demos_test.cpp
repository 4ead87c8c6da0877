// Every demo and variant on the backends cuda and nccl, unchanged, against the stand-in.
#include <algorithm>

#include "app/analysis/wait_for.h"
#include "app/report/stream_arrows.h"
#include "tests/demos/job_of_ranks.h"
#include "tests/standin/stand_in.h"
#include "tests/support/catch.h"

using p2plab::analysis::Verdict;
using p2plab::test::describe;
using p2plab::test::on_stand_in;

namespace {

void check_run(const p2plab::check::DemoRun& run, Verdict verdict) {
  INFO(describe(run));
  CHECK(run.result().verdict == verdict);
  CHECK(run.result().as_promised);
}

std::int64_t metric(const p2plab::check::DemoRun& run, const char* name) { return run.result().metrics[name].get<std::int64_t>(); }

}  // namespace

TEST_CASE("cuda: deadlock under MPI's rules") {
  for (const std::string bytes : {"64", "1M"}) {
    for (const std::string variant : {"ordered", "sendrecv", "nonblocking", "unfused", "grouped"}) {
      check_run(*on_stand_in("deadlock", "cuda", {{"variant", variant}, {"bytes", bytes}}), Verdict::pass);
    }
  }
  check_run(*on_stand_in("deadlock", "cuda", {{"variant", "send-first"}, {"bytes", "64"}}), Verdict::unsafe);
  check_run(*on_stand_in("deadlock", "cuda", {{"variant", "send-first"}, {"bytes", "1M"}}, "mpi", false, 3), Verdict::deadlock);
}

TEST_CASE("cuda: ranks on one GPU copy from each other's memory") {
  const std::map<std::string, std::string> one{{"P2PLAB_STANDIN_DEVICES", "1"}};
  for (const std::string variant : {"ordered", "nonblocking"}) {
    check_run(*on_stand_in("deadlock", "cuda", {{"variant", variant}}, "mpi", false, 3 * (variant == "nonblocking"), one), Verdict::pass);
  }
  check_run(*on_stand_in("deadlock", "cuda", {{"variant", "send-first"}}, "mpi", false, 0, one), Verdict::deadlock);
  check_run(*on_stand_in("deadlock", "cuda", {{"variant", "unfused"}}, "nccl", false, 0, one), Verdict::deadlock);
  check_run(*on_stand_in("corruption", "cuda", {{"variant", "unsafe"}, {"receiver_delay_ms", "300"}}, "mpi", false, 0, one), Verdict::corrupt);
  check_run(*on_stand_in("corruption", "cuda", {{"variant", "wait-first"}}, "nccl", false, 0, one), Verdict::pass);
  check_run(*on_stand_in("pipeline", "cuda", {{"microbatches", "4"}}, "mpi", false, 0, one), Verdict::pass);
  // Without a byte of it over MPI: a call that only the direct way makes fails the run.
  auto failing = one;
  failing["P2PLAB_STANDIN_FAIL"] = "cudaIpcOpenMemHandle:2";  // the first one was a trial
  const auto run = on_stand_in("deadlock", "cuda", {{"variant", "ordered"}}, "mpi", false, 0, failing);
  CHECK((run->output(0, true).text() + run->output(1, true).text()).find("cudaIpcOpenMemHandle: ") != std::string::npos);
  failing["P2PLAB_STANDIN_FAIL"] = "cudaIpcOpenEventHandle:2";
  const auto other = on_stand_in("deadlock", "cuda", {{"variant", "ordered"}}, "nccl", false, 0, failing);
  CHECK((other->output(0, true).text() + other->output(1, true).text()).find("cudaIpcOpenEventHandle: ") != std::string::npos);
}

TEST_CASE("cuda: on one GPU whose memory or events cannot be shared, messages are staged or the host orders the copies") {
  for (const auto& [call, staged] : std::map<std::string, bool>{{"cudaIpcGetMemHandle", true}, {"cudaIpcOpenMemHandle", true},
                                                                {"cudaIpcGetEventHandle", false}, {"cudaIpcOpenEventHandle", false}}) {
    for (const std::string semantics : {"mpi", "nccl"}) {
      const auto run = on_stand_in("deadlock", "cuda", {{"variant", "grouped"}}, semantics, false, 0,
                                   {{"P2PLAB_STANDIN_DEVICES", "1"}, {"P2PLAB_STANDIN_FAIL", call + ":1"}});
      check_run(*run, Verdict::pass);
      const auto& tracks = run->trace().tracks();
      const auto is_direct = [&](const auto& track) { return run->trace().name(track.lane).starts_with("direct copy"); };
      CHECK(std::any_of(tracks.begin(), tracks.end(), is_direct) == !staged);
    }
  }
}

TEST_CASE("cuda: a run whose ranks share a GPU says that its bandwidth is not a link's, and no other run does") {
  const auto warned = [](const std::string& devices, int ranks) {
    const auto run = on_stand_in("deadlock", "cuda", {{"variant", "ordered"}}, "mpi", false, ranks, {{"P2PLAB_STANDIN_DEVICES", devices}});
    const auto json = p2plab::check::to_json(run->request(), run->demo(), run->result());
    return json.contains("warnings") ? json["warnings"][0]["id"].get<std::string>() + json["warnings"][0]["params"].dump() : std::string();
  };
  CHECK(warned("1", 2) == R"(warning.shared_gpu{"ranks":"2"})");
  CHECK(warned("2", 3) == R"(warning.shared_gpu{"ranks":"2"})");
  CHECK(warned("2", 2).empty());
}

TEST_CASE("cuda: on one GPU a message moves on whichever other one its receiver waits for first") {
  const std::map<std::string, std::string> one{{"P2PLAB_STANDIN_DEVICES", "1"}};
  const auto as_promised = [&](const std::string& demo, std::map<std::string, std::string> knobs, const std::string& semantics, int ranks = 0) {
    const auto run = on_stand_in(demo, "cuda", std::move(knobs), semantics, false, ranks, one);
    INFO(describe(*run));
    CHECK(run->result().as_promised);
    CHECK(run->result().verdict != Verdict::resource_limit);
  };
  for (const std::string semantics : {"mpi", "nccl"}) {
    for (const std::string variant : {"send-first", "ordered", "sendrecv", "nonblocking", "unfused", "grouped"})
      for (const std::string bytes : {"64K", "1M"}) as_promised("deadlock", {{"variant", variant}, {"bytes", bytes}}, semantics, bytes == "1M" ? 3 : 0);
    for (const std::string variant : {"unsafe", "freed", "early-read", "early-reuse", "wait-first", "clone", "double-buffer"})
      as_promised("corruption", {{"variant", variant}, {"receiver_delay_ms", "300"}}, semantics);
    for (const std::string communication : {"overlapped", "nonblocking", "blocking", "blocking-unfused"})
      as_promised("pipeline", {{"communication", communication}, {"microbatches", "4"}}, semantics);
    for (const std::string variant : {"two-ranks", "two-ranks-tagged", "two-ranks-ordered", "order", "tags", "any"})
      as_promised("matching", {{"variant", variant}, {"bytes", "128K"}}, semantics);
  }
}

TEST_CASE("cuda: deadlock under NCCL's rules") {
  for (const std::string variant : {"ordered", "sendrecv", "grouped"}) {
    check_run(*on_stand_in("deadlock", "cuda", {{"variant", variant}}, "nccl"), Verdict::pass);
  }
  for (const std::string variant : {"send-first", "nonblocking", "unfused"}) {
    check_run(*on_stand_in("deadlock", "cuda", {{"variant", variant}}, "nccl"), Verdict::deadlock);
  }
}

TEST_CASE("nccl: deadlock beyond and within the hidden buffer") {
  for (const std::string bytes : {"64", "1M"}) {
    for (const std::string variant : {"ordered", "sendrecv", "grouped"}) {
      check_run(*on_stand_in("deadlock", "nccl", {{"variant", variant}, {"bytes", bytes}}), Verdict::pass);
    }
    for (const std::string variant : {"send-first", "nonblocking", "unfused"}) {
      check_run(*on_stand_in("deadlock", "nccl", {{"variant", variant}, {"bytes", bytes}}), bytes == "64" ? Verdict::unsafe : Verdict::deadlock);
    }
  }
}

TEST_CASE("nccl: under --strict unfused messages hang at any size, and the cycle is named") {
  const auto run = on_stand_in("deadlock", "nccl", {{"variant", "unfused"}, {"bytes", "4"}}, "nccl", true, 3);
  check_run(*run, Verdict::deadlock);
  REQUIRE(run->result().findings.size() == 1);
  const auto& sites = run->result().findings.front().sites;
  REQUIRE(sites.size() == 3);
  for (const auto& site : sites) CHECK(site.peer == (site.rank + 1) % 3);
  for (int rank = 0; rank < 3; ++rank) CHECK(run->output(rank, true).text().find("ncclCommAbort") != std::string::npos);
}

TEST_CASE("nccl: the first message between two ranks makes both hosts wait, so that even 4 bytes hang") {
  check_run(*on_stand_in("deadlock", "nccl", {{"variant", "unfused"}, {"bytes", "4"}, {"warm_up", "off"}}), Verdict::deadlock);
  check_run(*on_stand_in("deadlock", "nccl", {{"variant", "grouped"}, {"bytes", "4"}, {"warm_up", "off"}}), Verdict::pass);
}

TEST_CASE("corruption is a race of streams, and the fixes end it") {
  const std::string backend = GENERATE("cuda", "nccl");
  const std::string semantics = GENERATE("mpi", "nccl");
  if (backend == "nccl" && semantics == "mpi") return;
  const auto run = [&](const std::string& variant) { return on_stand_in("corruption", backend, {{"variant", variant}, {"receiver_delay_ms", "300"}}, semantics); };
  for (const std::string variant : {"unsafe", "freed"}) {
    const auto one = run(variant);
    check_run(*one, Verdict::corrupt);
#if defined(__SANITIZE_THREAD__)
    // On cuda the host stands between the copies and the kernel: wrong bytes, but no two threads at once.
    if (backend == "nccl") CHECK(one->output(0, true).text().find("data race") != std::string::npos);
#endif
    CHECK(metric(*one, "corrupt_bytes") > 1000);
    CHECK(metric(*one, "hash_mismatches") == 1);
  }
  for (const std::string variant : {"early-read", "early-reuse"}) {
    const auto one = run(variant);
    check_run(*one, Verdict::corrupt);
    CHECK(metric(*one, "corrupt_bytes") > 900);
  }
  for (const std::string variant : {"wait-first", "clone", "double-buffer"}) {
    const auto one = run(variant);
    check_run(*one, Verdict::pass);
    CHECK(metric(*one, "corrupt_bytes") == 0);
  }
}

TEST_CASE("the pipeline computes on the GPU what one process computes") {
  const std::string backend = GENERATE("cuda", "nccl");
  for (const std::string communication : {"overlapped", "blocking"}) {
    const auto run = on_stand_in("pipeline", backend, {{"communication", communication}, {"microbatches", "4"}});
    check_run(*run, Verdict::pass);
    CHECK(run->result().metrics["grad_error"].get<double>() <= 1e-5);
  }
  for (const std::string schedule : {"gpipe", "naive", "eager-1f1b"}) {
    check_run(*on_stand_in("pipeline", backend, {{"schedule", schedule}, {"microbatches", "4"}}), Verdict::pass);
  }
  check_run(*on_stand_in("pipeline", backend, {{"communication", "blocking-unfused"}, {"bytes", "1M"}}), Verdict::deadlock);
  check_run(*on_stand_in("pipeline", backend, {{"communication", "nonblocking"}, {"microbatches", "4"}}), backend == "cuda" ? Verdict::pass : Verdict::deadlock);
}

TEST_CASE("the error of the GPU's clock is kept from the first anchor on and belongs to the run's conditions") {
  const auto run = on_stand_in("deadlock", "cuda", {{"variant", "send-first"}, {"bytes", "1M"}});
  INFO(describe(*run));
  CHECK(metric(*run, "gpu_clock_error_ns") > 0);  // though the ranks were ended
  CHECK(run->trace().run.clock_error_ns >= metric(*run, "gpu_clock_error_ns"));
}

TEST_CASE("kernels are tied to their launches and streams to the events they wait for") {
  const std::string backend = GENERATE("cuda", "nccl");
  const auto run = on_stand_in("pipeline", backend, {{"microbatches", "4"}});
  INFO(describe(*run));
  const auto& trace = run->trace();
  std::size_t kernels = 0, launched = 0, waits = 0;
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const auto& span = trace.spans()[i];
    kernels += p2plab::trace::is_compute(span.kind) && trace.name(trace.tracks()[span.track].lane) == "compute";
  }
  for (const auto& arrow : p2plab::report::stream_arrows(trace)) {
    const auto& to = trace.span(arrow.receive);
    CHECK(trace.rank_of(arrow.send) == trace.tracks()[to.track].rank);
    launched += p2plab::trace::is_compute(to.kind);
    waits += to.kind == p2plab::trace::Kind::wait;
  }
  CHECK(kernels > 0);
  CHECK(launched == kernels);
  CHECK(waits > 0);
}

TEST_CASE("cuda: what carries a message through the host is seen on lanes of its own, as long as the message is") {
  for (const std::string semantics : {"mpi", "nccl"}) {
    const auto run = on_stand_in("deadlock", "cuda", {{"variant", "grouped"}, {"bytes", "1M"}}, semantics);
    check_run(*run, Verdict::pass);
    const auto& trace = run->trace();
    std::map<std::pair<int, std::string>, std::uint64_t> bytes;
    for (std::size_t i = 0; i < trace.spans().size(); ++i) {
      const auto& span = trace.spans()[i];
      const std::string lane(trace.name(trace.tracks()[span.track].lane));
      if (!lane.starts_with("copy to ")) continue;
      CHECK(span.kind == p2plab::trace::Kind::copy);
      CHECK(span.begin <= span.end);
      if (span.peer >= 0 && span.bytes > 1000) bytes[{trace.tracks()[span.track].rank, lane}] += span.bytes;
    }
    for (int rank = 0; rank < 2; ++rank)
      for (const std::string lane : {"copy to host", "copy to GPU"}) CHECK(bytes[{rank, lane}] == 1 << 20);
  }
}

TEST_CASE("cuda: on one GPU the copies between two ranks are seen on lanes of their own") {
  for (const std::string semantics : {"mpi", "nccl"}) {
    const auto run = on_stand_in("deadlock", "cuda", {{"variant", "grouped"}, {"bytes", "1M"}}, semantics, false, 0, {{"P2PLAB_STANDIN_DEVICES", "1"}});
    check_run(*run, Verdict::pass);
    const auto& trace = run->trace();
    std::map<int, std::uint64_t> bytes;
    for (std::size_t i = 0; i < trace.spans().size(); ++i) {
      const auto& span = trace.spans()[i];
      const auto& track = trace.tracks()[span.track];
      if (!trace.name(track.lane).starts_with("direct copy")) continue;
      CHECK(span.kind == p2plab::trace::Kind::copy);
      CHECK(span.begin <= span.end);
      CHECK(span.peer == 1 - track.rank);
      bytes[track.rank] += span.bytes;
    }
    CHECK(bytes == std::map<int, std::uint64_t>{{0, 1 << 20}, {1, 1 << 20}});
  }
}

TEST_CASE("under NCCL's rules the messages of a pair come in the order in which they were enqueued, whatever their streams") {
  const std::string backend = GENERATE("cuda", "nccl");
  const p2plab::test::Environment here({{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}, {"UCX_MEM_EVENTS", "n"}});
  const auto job = p2plab::test::run_ranks(p2plab::test::ranks_of("two-streams", {"--backend", backend, "--semantics", "nccl"}));
  INFO(job.text());
  CHECK_FALSE(job.failed());
}

TEST_CASE("a rank whose stream is full waits for room there, and its messages go on meanwhile") {
  const std::string backend = GENERATE("cuda", "nccl");
  const p2plab::test::Environment here({{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}, {"UCX_MEM_EVENTS", "n"}});
  const auto job = p2plab::test::run_ranks(p2plab::test::ranks_of("full-stream", {"--backend", backend}));
  INFO(job.text());
  CHECK_FALSE(job.failed());
}

TEST_CASE("a copy behind a message that never comes is part of the cycle, and what is put into a tensor is seen on its stream") {
  const std::string backend = GENERATE("cuda", "nccl");
  const p2plab::test::Environment here({{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}, {"UCX_MEM_EVENTS", "n"}});
  p2plab::analysis::DeadlockWatch watch;
  std::optional<p2plab::analysis::Finding> deadlock;
  const auto job = p2plab::test::run_ranks(p2plab::test::ranks_of("clone-behind", {"--backend", backend}), [&](auto&, const auto& so_far) {
    if (!deadlock) deadlock = watch.update(so_far.trace);
    return deadlock.has_value();
  });
  INFO(job.text());
  REQUIRE(deadlock);
  CHECK(deadlock->sites.size() == 2);
  for (int rank = 0; rank < 2; ++rank) {
    const auto spans = job.spans(rank, "compute");
    CHECK(std::count_if(spans.begin(), spans.end(), [&](const auto& span) { return job.trace.name(span.name) == "fill"; }) == 1);
  }
}

TEST_CASE("nccl: one order of launches over a GPU's communicators is asked for and said, unless the user has set it") {
  const auto said = [](std::map<std::string, std::string> environment) {
    const auto run = on_stand_in("deadlock", "nccl", {{"variant", "grouped"}, {"bytes", "64"}}, "nccl", false, 0, std::move(environment));
    for (const auto& note : run->trace().notes()) {
      if (run->trace().name(note.name) == "gpu") return run->trace().name(note.text);
    }
    return std::string();
  };
  CHECK(said({}).find("NCCL_LAUNCH_ORDER_IMPLICIT=1") != std::string::npos);
  CHECK(said({{"NCCL_LAUNCH_ORDER_IMPLICIT", "0"}}).find("NCCL_LAUNCH_ORDER_IMPLICIT=0") != std::string::npos);
}

TEST_CASE("nccl: beyond eight ranks neighbours are connected before the run, in both directions") {
  const auto run = on_stand_in("topology", "nccl", {{"variant", "ring"}, {"bytes", "4"}, {"iterations", "1"}}, "nccl", false, 10, {{"P2PLAB_STANDIN_DEVICES", "10"}});
  check_run(*run, Verdict::pass);
}

TEST_CASE("cuda: under --strict no send ends without its receiver, on GPUs of their own and on one") {
  for (const std::string devices : {"8", "1"}) {
    const std::map<std::string, std::string> environment{{"P2PLAB_STANDIN_DEVICES", devices}};
    for (const std::string bytes : {"4", "1M"}) {
      const auto run = on_stand_in("deadlock", "cuda", {{"variant", "send-first"}, {"bytes", bytes}}, "mpi", true, 0, environment);
      check_run(*run, Verdict::deadlock);
    }
    for (const std::string variant : {"ordered", "sendrecv", "nonblocking", "grouped"}) {
      check_run(*on_stand_in("deadlock", "cuda", {{"variant", variant}, {"bytes", "64"}}, "mpi", true, 0, environment), Verdict::pass);
    }
    check_run(*on_stand_in("deadlock", "cuda", {{"variant", "unfused"}, {"bytes", "4"}}, "nccl", true, 0, environment), Verdict::deadlock);
  }
}

TEST_CASE("a worse anchor of the GPU's clock is told while the run goes on, so that a run that is ended keeps it") {
  const std::string backend = GENERATE("cuda", "nccl");
  constexpr double kSlowNs = 3e6;  // a record that lasts 6 ms, halved
  const p2plab::test::Environment here({{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}, {"UCX_MEM_EVENTS", "n"}, {"P2PLAB_STANDIN_SLOW_RECORD", "700:6"}});
  double worst = 0;
  const auto job = p2plab::test::run_ranks(p2plab::test::ranks_of("late-wait", {"--backend", backend}), [&](auto&, const auto& so_far) {
    for (const auto& metric : so_far.trace.metrics()) {
      if (so_far.trace.name(metric.name) == "gpu_clock_error_ns") worst = std::max(worst, metric.value);
    }
    return worst >= kSlowNs;
  });
  INFO(job.text());
  CHECK(worst >= kSlowNs);
}

TEST_CASE("nccl: --strict says what it set, and sends beyond what the library holds") {
  const auto run = on_stand_in("deadlock", "nccl", {{"variant", "grouped"}, {"bytes", "64"}}, "nccl", true);
  check_run(*run, Verdict::pass);
  std::string said;
  for (const auto& note : run->trace().notes()) {
    if (run->trace().name(note.name) == "strict") said += run->trace().name(note.text) + "\n";
  }
  INFO(said);
  CHECK(said.find("NCCL_P2P_LL_THRESHOLD=0") != std::string::npos);
  const auto at = said.find("bytes=");
  REQUIRE(at != std::string::npos);
  CHECK(std::stoll(said.substr(at + 6)) > metric(*run, "eager_limit_bytes"));
}

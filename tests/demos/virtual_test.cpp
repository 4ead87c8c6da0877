// Demos on the backend `sim`: exact, the same every time, and with the verdicts of the real ones.
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "app/analysis/wait_for.h"
#include "app/check/links.h"
#include "app/schedule/engine.h"
#include "tests/demos/run_demo.h"
#include "tests/support/catch.h"

using p2plab::analysis::Verdict;
using p2plab::test::describe;
using p2plab::test::run_demo;
namespace schedule = p2plab::schedule;

namespace {

p2plab::check::RunRequest on_sim(const std::string& demo, std::map<std::string, std::string> knobs) {
  p2plab::check::RunRequest request;
  request.demo = demo;
  request.backend = "sim";
  request.knobs = std::move(knobs);
  request.timeout_s = 60;
  return request;
}

/// What the engine says of the same schedule on the same link.
schedule::Simulated simulated(std::string_view id, int p, int m, const std::string& preset, std::uint64_t bytes, schedule::Ns forward = 4'000'000,
                              schedule::Ns backward = 8'000'000) {
  const schedule::Generator& generator = schedule::generator(id);
  schedule::Costs costs;
  costs.times = {generator.splits ? schedule::StageTime{forward, backward - backward / 2, backward / 2} : schedule::StageTime{forward, backward, 0}};
  costs.link.bytes = bytes;
  costs.link.eager_limit = 65536;
  for (const auto& link : p2plab::check::load_links(p2plab::launch::Installation::find().assets() / "links.toml"))
    if (link.id == preset) {
      costs.link.latency_ns = link.alpha_ns;
      costs.link.bytes_per_s = link.bytes_per_s;
    }
  return schedule::simulate(schedule::Program(generator, {.shape = {p, m, generator.chunks}}), costs);
}
schedule::Ns engine(std::string_view id, int p, int m, const std::string& preset, std::uint64_t bytes, schedule::Ns forward = 4'000'000,
                    schedule::Ns backward = 8'000'000) {
  return simulated(id, p, m, preset, bytes, forward, backward).makespan;
}

}  // namespace

TEST_CASE("a pipeline of rank programs takes what the engine says of its schedule, to the tick") {
  for (const std::string id : {"1f1b", "gpipe", "naive", "eager-1f1b", "interleaved-1f1b", "zb-h1", "zb-h2"})
    for (const std::string link : {"raw", "ib-ndr", "pcie4"})
      for (const int ranks : {2, 4}) {
        auto request = on_sim("pipeline", {{"schedule", id}, {"iterations", "1"}, {"bytes", "65536"}});
        request.link = link;
        request.ranks = ranks;
        const auto run = run_demo(std::move(request));
        INFO(id << " " << link << " " << ranks << "\n" << describe(*run));
        REQUIRE(run->result().verdict == Verdict::pass);
        CHECK(run->result().as_promised);
        const auto wanted = simulated(id, ranks, 8, link, 65536);
        CHECK(run->result().metrics["step_ns"] == wanted.makespan);
        for (std::size_t stage = 0; stage < wanted.stages.size(); ++stage)
          CHECK(run->result().metrics["peak_in_flight"][stage].get<double>() * 1000 * schedule::generator(id).chunks == Approx(wanted.stages[stage].peak));
        if (link == "raw") CHECK(run->result().metrics["bubble_ratio"].get<double>() == Approx(run->result().metrics["bubble_ideal_ratio"].get<double>()));
        CHECK(run->result().metrics["grad_error"].get<double>() <= 1e-5);
      }
}

TEST_CASE("the engine and the hub agree to the tick when messages wait for their receives and take longer than compute") {
  for (const std::string id : {"1f1b", "gpipe", "eager-1f1b"})
    for (const std::string link : {"ib-ndr", "pcie4"}) {
      auto request = on_sim("pipeline", {{"schedule", id}, {"iterations", "1"}, {"bytes", "1M"}, {"forward_us", "10"}, {"backward_us", "20"}});
      request.link = link;
      const auto run = run_demo(std::move(request));
      INFO(id << " " << link << "\n" << describe(*run));
      REQUIRE(run->result().verdict == Verdict::pass);
      CHECK(run->result().metrics["step_ns"] == engine(id, 4, 8, link, 1 << 20, 10'000, 20'000));
    }
}

TEST_CASE("a run on the virtual clock is the same every time, span by span") {
  const auto spans = [] {
    auto request = on_sim("pipeline", {{"iterations", "1"}});
    request.link = "ib-ndr";
    const auto run = run_demo(std::move(request));
    std::vector<std::tuple<int, std::string, p2plab::trace::Ns, p2plab::trace::Ns, std::string>> out;
    const auto& trace = run->trace();
    for (const auto& track : trace.tracks())
      for (const auto id : track.spans) {
        const auto& span = trace.span(id);
        if (p2plab::trace::is_compute(span.kind) || p2plab::trace::is_communication(span.kind))
          out.emplace_back(track.rank, trace.name(track.lane), span.begin, span.end, trace.name(span.name));
      }
    std::sort(out.begin(), out.end());
    return out;
  };
  const auto first = spans();
  REQUIRE(first.size() > 100);
  CHECK(spans() == first);
}

TEST_CASE("sixteen ranks on the virtual clock are no slower for their number of cores") {
  auto request = on_sim("pipeline", {{"iterations", "1"}, {"microbatches", "16"}});
  request.ranks = 16;
  const auto run = run_demo(std::move(request));
  INFO(describe(*run));
  CHECK(run->result().metrics["step_ns"] == (16 + 15) * 12'000'000LL);
}

TEST_CASE("every variant of the deadlock demo has its verdict on the virtual clock, under both semantics") {
  for (const std::string semantics : {"mpi", "nccl"})
    for (const std::string variant : {"send-first", "ordered", "sendrecv", "nonblocking", "unfused", "grouped"}) {
      auto request = on_sim("deadlock", {{"variant", variant}});
      request.semantics = semantics;
      const auto run = run_demo(std::move(request));
      INFO(semantics << " " << variant << "\n" << describe(*run));
      CHECK(run->result().as_promised);
      const bool hangs = variant == "send-first" || (semantics == "nccl" && (variant == "nonblocking" || variant == "unfused"));
      CHECK(run->result().verdict == (hangs ? Verdict::deadlock : Verdict::pass));
    }
}

TEST_CASE("a hang on the virtual clock is the same to the byte every time, on an idle machine and on a busy one") {
  const auto hang = [](const std::string& demo, std::map<std::string, std::string> knobs) {
    auto request = on_sim(demo, std::move(knobs));
    if (demo == "deadlock") request.ranks = 3;
    const auto run = run_demo(std::move(request));
    INFO(describe(*run));
    CHECK(run->result().verdict == Verdict::deadlock);
    if (demo == "deadlock") CHECK(run->result().metrics["detect_ns"] == p2plab::analysis::kStandstillNs);
    return p2plab::check::to_json(run->request(), run->demo(), run->result()).dump() + " ends at " + std::to_string(run->trace().now());
  };
  std::atomic<bool> over{false};
  std::vector<std::thread> busy;
  for (const auto& [demo, knobs] : std::map<std::string, std::map<std::string, std::string>>{
           {"deadlock", {}}, {"pipeline", {{"communication", "blocking-unfused"}, {"bytes", "1M"}}}}) {
    const std::string first = hang(demo, knobs);
    for (int i = 0; i < 10; ++i) {
      if (i == 5 && busy.empty())
        for (int k = 0; k < 8; ++k) busy.emplace_back([&over] { while (!over) {} });
      CHECK(hang(demo, knobs) == first);
    }
  }
  over = true;
  for (std::thread& one : busy) one.join();
}

TEST_CASE("a buffer that is written too early arrives corrupt on the virtual clock, too") {
  for (const std::string variant : {"unsafe", "wait-first", "clone", "double-buffer"}) {
    const auto run = run_demo(on_sim("corruption", {{"variant", variant}}));
    INFO(variant << "\n" << describe(*run));
    CHECK(run->result().verdict == (variant == "unsafe" ? Verdict::corrupt : Verdict::pass));
    CHECK(run->result().as_promised);
  }
}

TEST_CASE("an eager message is copied when it is sent on the virtual clock, too: it arrives intact, and the hash finds the bug") {
  for (const std::string bytes : {"1K", "64K", "65537"}) {
    const auto run = run_demo(on_sim("corruption", {{"variant", "unsafe"}, {"bytes", bytes}}));
    INFO(bytes << "\n" << describe(*run));
    CHECK(run->result().verdict == Verdict::corrupt);
    CHECK(run->result().metrics["hash_mismatches"] == 1);
    CHECK((run->result().metrics["corrupt_bytes"] == 0) == (bytes != "65537"));
  }
}

TEST_CASE("unfused pairs are proven to hang above the eager limit and are unsafe below it") {
  const auto above = run_demo(on_sim("pipeline", {{"communication", "blocking-unfused"}, {"bytes", "1M"}}));
  INFO(describe(*above));
  CHECK(above->result().verdict == Verdict::deadlock);
  const auto below = run_demo(on_sim("pipeline", {{"communication", "blocking-unfused"}, {"bytes", "64K"}}));
  INFO(describe(*below));
  CHECK(below->result().verdict == Verdict::unsafe);
}

namespace {

/// A program that is a rank of the demo, but for rank 1, which does something else.
struct Spoiled {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("p2plab-spoiled-" + std::to_string(::getpid()));
  explicit Spoiled(const std::string& rank_1) {
    const auto demo = p2plab::launch::Installation::find().lib() / "demo-pipeline";
    std::ofstream(path) << "#!/bin/sh\nif [ \"$PMI_RANK\" = 1 ]; then " << rank_1 << "; fi\nexec " << demo.string() << " \"$@\"\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  ~Spoiled() { std::filesystem::remove(path); }
};

std::unique_ptr<p2plab::check::DemoRun> run_spoiled(const std::string& rank_1, double timeout_s) {
  const Spoiled program(rank_1);
  auto request = on_sim("pipeline", {{"iterations", "1"}});
  request.program = program.path;
  request.timeout_s = timeout_s;
  return run_demo(std::move(request));
}

}  // namespace

TEST_CASE("a rank that dies on the virtual clock ends the run, and the hub does not wait for it") {
  const auto run = run_spoiled("exit 3", 30);
  INFO(describe(*run));
  CHECK(run->result().verdict == Verdict::fail);
  REQUIRE(run->result().findings.size() == 1);
  CHECK(run->result().findings[0].kind == "wrong-exit");
}

TEST_CASE("a rank that hangs outside of the virtual world is ended by the wall limit, and the hub with it") {
  const auto begin = std::chrono::steady_clock::now();
  {
    const auto run = run_spoiled("sleep 600", 2);
    INFO(describe(*run));
    CHECK(run->result().verdict == Verdict::resource_limit);
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}

TEST_CASE("a rank that is stopped or killed in mid-run ends the run with a verdict, and never hangs the hub") {
  const auto begin = std::chrono::steady_clock::now();
  for (const bool killed : {false, true}) {
    // Rank 1 meets its fate while the others wait for it on the virtual clock: there the run takes far longer than this.
    const Spoiled program("(sleep 0.2; kill -" + std::string(killed ? "KILL" : "STOP") + " $$) & true");
    auto request = on_sim("pipeline", {{"iterations", "10"}, {"microbatches", "32"}});
    request.ranks = 16;
    request.program = program.path;
    request.timeout_s = killed ? 60 : 4;
    const auto run = run_demo(std::move(request));
    INFO(killed << "\n" << describe(*run));
    CHECK(run->result().verdict == (killed ? Verdict::crash : Verdict::resource_limit));
    if (killed) REQUIRE(run->result().findings.size() == 1);
    if (killed) CHECK(run->result().findings[0].sites.at(0).rank == 1);
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(90));
}

TEST_CASE("the virtual world's eager limit is a knob of every demo") {
  for (const bool above : {false, true}) {
    const auto run = run_demo(on_sim("deadlock", {{"variant", "send-first"}, {"bytes", "4096"}, {"eager_limit", above ? "4095" : "4096"}}));
    INFO(describe(*run));
    CHECK(run->result().verdict == (above ? Verdict::deadlock : Verdict::unsafe));
    CHECK(run->result().as_promised);
  }
}

// The demo `pipeline` for real: every schedule and every kind of communication, below and above the eager limit.
#include "app/analysis/pipeline.h"
#include "app/check/pipeline_ideal.h"
#include "tests/demos/run_demo.h"
#include "tests/support/catch.h"

using namespace p2plab;
using analysis::Verdict;
using Knobs = std::map<std::string, std::string>;

namespace {

/// Short actions: what is checked here does not depend on time.
check::RunRequest request(Knobs knobs) {
  check::RunRequest request;
  request.demo = "pipeline";
  request.knobs = {{"forward_us", "300"}, {"backward_us", "600"}};
  for (auto& [id, value] : knobs) request.knobs[id] = value;
  return request;
}

std::unique_ptr<check::DemoRun> run(Knobs knobs, bool strict = false) {
  auto wanted = request(std::move(knobs));
  wanted.strict = strict;
  return test::run_demo(std::move(wanted));
}

void check_passes(const check::DemoRun& run) {
  INFO(test::describe(run));
  CHECK(run.result().verdict == Verdict::pass);
  CHECK(run.result().as_promised);
  REQUIRE(run.result().metrics.contains("grad_error"));
  CHECK(run.result().metrics["grad_error"].get<double>() <= 1e-5);
}

constexpr const char* kBelow = "1024";   // under MPICH's eager limit
constexpr const char* kAbove = "65536";  // over it

}  // namespace

TEST_CASE("every schedule over every safe communication gives the gradients of a single process") {
  for (const std::string schedule : {"1f1b", "gpipe", "naive", "eager-1f1b", "zb-h1", "zb-h2", "interleaved-1f1b"})
    for (const std::string communication : {"overlapped", "nonblocking", "blocking"})
      for (const std::string bytes : {kBelow, kAbove}) {
        if (schedule == "interleaved-1f1b" && communication == "blocking") continue;  // refused
        INFO(schedule << " " << communication << " " << bytes);
        check_passes(*run({{"schedule", schedule}, {"communication", communication}, {"bytes", bytes}}));
      }
}

TEST_CASE("with synchronous sends the safe ones end as well") {
  for (const std::string schedule : {"1f1b", "gpipe", "naive"})
    for (const std::string communication : {"overlapped", "nonblocking", "blocking"}) {
      INFO(schedule << " " << communication);
      check_passes(*run({{"schedule", schedule}, {"communication", communication}, {"bytes", kBelow}}, true));
    }
}

TEST_CASE("unfused pairs under 1F1B hang above the eager limit and name the cycle") {
  const auto hung = run({{"communication", "blocking-unfused"}, {"bytes", kAbove}});
  INFO(test::describe(*hung));
  CHECK(hung->result().verdict == Verdict::deadlock);
  CHECK(hung->result().as_promised);
  REQUIRE_FALSE(hung->result().findings.empty());
  const auto& finding = hung->result().findings.front();
  CHECK(finding.kind == "deadlock");
  REQUIRE(finding.sites.size() >= 2);
  for (const auto& site : finding.sites) {
    CHECK(site.call == "MPI_Send");
    CHECK(site.file.find("pipeline.cpp") != std::string::npos);
    CHECK(site.line > 0);
    CHECK(site.bytes == 65536);
  }
}

TEST_CASE("unfused pairs under 1F1B hang at any size when sends are synchronous") {
  const auto hung = run({{"communication", "blocking-unfused"}, {"bytes", kBelow}}, true);
  INFO(test::describe(*hung));
  CHECK(hung->result().verdict == Verdict::deadlock);
  CHECK(hung->result().as_promised);
}

TEST_CASE("unfused pairs under 1F1B pass below the eager limit, and are unsafe") {
  const auto lucky = run({{"communication", "blocking-unfused"}, {"bytes", kBelow}});
  INFO(test::describe(*lucky));
  CHECK(lucky->result().verdict == Verdict::unsafe);
  CHECK(lucky->result().as_promised);
}

TEST_CASE("unfused pairs are no trouble for schedules without alternation, nor for a single microbatch") {
  check_passes(*run({{"communication", "blocking-unfused"}, {"schedule", "gpipe"}, {"bytes", kAbove}}));
  check_passes(*run({{"communication", "blocking-unfused"}, {"schedule", "naive"}, {"bytes", kAbove}}));
  check_passes(*run({{"communication", "blocking-unfused"}, {"microbatches", "1"}, {"bytes", kAbove}}));
}

TEST_CASE("the activations in flight are counted from the trace") {
  CHECK(run({{"schedule", "1f1b"}})->result().metrics["peak_in_flight"] == nlohmann::json({4, 3, 2, 1}));
  CHECK(run({{"schedule", "gpipe"}})->result().metrics["peak_in_flight"] == nlohmann::json({8, 8, 8, 8}));
  CHECK(run({{"schedule", "naive"}})->result().metrics["peak_in_flight"] == nlohmann::json({1, 1, 1, 1}));
}

TEST_CASE("a fixed batch in smaller microbatches has more of them and the same gradients") {
  for (const auto& [size, microbatches] : std::map<std::string, int>{{"2", 16}, {"8", 4}, {"32", 1}}) {
    INFO(size);
    const auto done = run({{"microbatch_size", size}, {"fixed_us", "100"}});
    check_passes(*done);
    CHECK(analysis::pipeline_numbers(done->trace()).microbatches == microbatches);
  }
}

TEST_CASE("what a microbatch's size makes of m, F and B is what was run: on the virtual clock the step is theirs to the tick") {
  for (const auto& [size, microbatches] : std::map<std::string, int>{{"1", 32}, {"2", 16}, {"8", 4}}) {
    INFO(size);
    auto wanted = request({{"microbatch_size", size}, {"fixed_us", "100"}, {"microbatches", "5"}});
    wanted.backend = "sim";
    const auto done = test::run_demo(wanted);
    check_passes(*done);
    const check::PipelineUnits units = check::pipeline_units(done->request());
    CHECK(units.microbatches == microbatches);
    const auto& metrics = done->result().metrics;
    const double work = static_cast<double>(units.microbatches) * (units.forward_us + units.backward_us) * 1000;
    CHECK(metrics["step_ns"].get<double>() == Approx(work / (1 - metrics["bubble_ideal_ratio"].get<double>())));
  }
}

TEST_CASE("at a fixed batch the best size of a microbatch lies inside: smaller ones pay their fixed part, larger ones the bubble") {
  std::map<int, double> steps;
  for (const int size : {1, 2, 4, 8, 16, 32}) {
    check::RunRequest wanted;
    wanted.demo = "pipeline";
    wanted.backend = "sim";
    wanted.knobs = {{"microbatch_size", std::to_string(size)}};
    steps[size] = test::run_demo(std::move(wanted))->result().metrics["step_ns"].get<double>();
    // p = 4: m + p - 1 slots of F + B, which are 12 ms for 4 samples, of which 0.8 ms do not shrink.
    CHECK(steps[size] == Approx((32.0 / size + 3) * (0.8e6 + 11.2e6 * size / 4)).epsilon(0.01));
  }
  CHECK(steps[2] < steps[1]);
  for (const int size : {4, 8, 16, 32}) CHECK(steps[2] < steps[size]);
}

TEST_CASE("two stages and more stages than microbatches work too") {
  for (const auto& [ranks, microbatches] : {std::pair{2, "3"}, std::pair{5, "2"}}) {
    auto wanted = request({{"microbatches", microbatches}});
    wanted.ranks = ranks;
    check_passes(*test::run_demo(std::move(wanted)));
  }
}

TEST_CASE("a frozen stage is the straggler, and a slow stage is imbalance") {
  const auto cause = [](const check::DemoRun& run, analysis::BubbleCause which) {
    return analysis::pipeline_numbers(run.trace()).causes.at(which);
  };
  const auto frozen = run({{"freeze_stage", "2"}, {"freeze_ms", "50"}});
  check_passes(*frozen);
  CHECK(cause(*frozen, analysis::BubbleCause::straggler) >= 50'000'000);
  const auto slow = run({{"slow_stage", "2"}, {"slow_percent", "1000"}, {"forward_us", "1000"}, {"backward_us", "2000"}});
  check_passes(*slow);
  // The others could do 8 (F + B) = 24 ms in about 33; each of the three waits for most of the 240 ms that stage 2 takes.
  CHECK(cause(*slow, analysis::BubbleCause::imbalance) >= 3 * 100'000'000);
}

TEST_CASE("the causes of the bubble sum to the idle time of all ranks") {
  const auto done = run({});
  const auto numbers = analysis::pipeline_numbers(done->trace());
  trace::Ns idle = 0, causes = 0;
  for (const auto busy : numbers.busy_ns) idle += numbers.step_ns - busy;
  for (const auto& [cause, ns] : numbers.causes) causes += ns;
  CHECK(causes == idle);
  CHECK(numbers.iterations.size() == 2);
  CHECK(numbers.gain_over_baseline.has_value());
}

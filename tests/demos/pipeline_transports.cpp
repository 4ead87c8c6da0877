// The demo `pipeline` over other transports, with the V of ZB-V, and what it refuses before anything is started.
#include "app/check/metrics.h"
#include "app/schedule/engine.h"
#include "tests/demos/run_demo.h"
#include "tests/support/catch.h"

using namespace p2plab;
using analysis::Verdict;
using test::describe;
using test::run_demo;
using Knobs = std::map<std::string, std::string>;

namespace {

std::unique_ptr<check::DemoRun> run(const std::string& backend, Knobs knobs, const std::string& semantics = "mpi") {
  check::RunRequest request;
  request.demo = "pipeline";
  request.backend = backend;
  request.semantics = semantics;
  request.knobs = std::move(knobs);
  request.timeout_s = 60;
  return run_demo(std::move(request));
}

void check_passes(const check::DemoRun& run) {
  INFO(describe(run));
  CHECK(run.result().verdict == Verdict::pass);
  CHECK(run.result().as_promised);
  REQUIRE(run.result().metrics["grad_error"].is_number());
  CHECK(run.result().metrics["grad_error"].get<double>() <= 1e-5);
}

schedule::Simulated engine(std::string_view id) {
  const schedule::Generator& generator = schedule::generator(id);
  schedule::Costs costs;
  costs.times = {{4'000'000, 4'000'000, 4'000'000}};
  return schedule::simulate(schedule::Program(generator, {.shape = {4, 8, generator.chunks}}), costs);
}

/// The sentence with which a run is refused; "" when it is not.
std::string refused(const std::string& demo, Knobs knobs, const std::string& backend = "host", const std::string& semantics = "mpi") {
  check::RunRequest request;
  request.demo = demo;
  request.backend = backend;
  request.semantics = semantics;
  request.knobs = std::move(knobs);
  try {
    complete(check::load_demo(launch::Installation::find().demos() / demo), request);
  } catch (const Error& error) {
    CHECK(error.exit_status() == 2);
    return error.text().id;
  }
  return "";
}

}  // namespace

TEST_CASE("broadcasts in groups of two carry every schedule of one chunk in the time of messages, to the tick") {
  for (const std::string id : {"1f1b", "gpipe", "naive", "eager-1f1b", "zb-h1", "zb-h2"}) {
    const auto done = run("sim", {{"schedule", id}, {"transport", "bcast2"}, {"iterations", "1"}});
    INFO(id);
    check_passes(*done);
    CHECK(done->result().metrics["step_ns"] == engine(id).makespan);
  }
}

TEST_CASE("where all stages meet after every slot GPipe takes 33 units and 1F1B 40, to the tick") {
  for (const auto& [id, units] : std::map<std::string, int>{{"gpipe", 33}, {"1f1b", 40}}) {
    const auto done = run("sim", {{"schedule", id}, {"transport", "allreduce"}, {"iterations", "1"}});
    INFO(id);
    check_passes(*done);
    CHECK(done->result().metrics["step_ns"] == units * 4'000'000LL);
    CHECK(done->result().metrics["step_ns"] == engine("allreduce-" + id).makespan);
    CHECK(done->result().metrics["bubble_ratio"].get<double>() == Approx(done->result().metrics["bubble_ideal_ratio"].get<double>()));
  }
}

TEST_CASE("ZB-V takes what the engine says, below and above the eager limit") {
  for (const std::string communication : {"overlapped", "nonblocking"})
    for (const std::string bytes : {"1024", "1M"}) {
      const auto done = run("sim", {{"schedule", "zb-v"}, {"communication", communication}, {"bytes", bytes}, {"iterations", "1"}});
      INFO(communication << " " << bytes);
      check_passes(*done);
      const auto wanted = engine("zb-v");
      CHECK(done->result().metrics["step_ns"] == wanted.makespan);
      for (std::size_t stage = 0; stage < wanted.stages.size(); ++stage)
        CHECK(done->result().metrics["peak_in_flight"][stage].get<double>() * 2000 == Approx(wanted.stages[stage].peak));
      CHECK(done->result().metrics["bubble_ratio"].get<double>() == Approx(done->result().metrics["bubble_ideal_ratio"].get<double>()));
    }
}

TEST_CASE("other transports and the V run on real MPI and give the gradients of one process") {
  const Knobs brief{{"forward_us", "300"}, {"backward_us", "600"}};
  const auto with = [&](Knobs more) {
    more.insert(brief.begin(), brief.end());
    return more;
  };
  for (const std::string bytes : {"1024", "65536"}) {
    INFO(bytes);
    for (const std::string id : {"1f1b", "gpipe", "naive", "eager-1f1b", "zb-h1", "zb-h2"})
      check_passes(*run("host", with({{"schedule", id}, {"transport", "bcast2"}, {"bytes", bytes}})));
    for (const std::string id : {"1f1b", "gpipe"})
      for (const std::string semantics : {"mpi", "nccl"}) check_passes(*run("host", with({{"schedule", id}, {"transport", "allreduce"}, {"bytes", bytes}}), semantics));
    for (const std::string communication : {"overlapped", "nonblocking"})
      check_passes(*run("host", with({{"schedule", "zb-v"}, {"communication", communication}, {"bytes", bytes}})));
  }
}

TEST_CASE("a group's collective waits for its members alone") {
  // Over broadcasts of two a frozen last stage does not hold up the first stages before they need it.
  const auto done = run("sim", {{"transport", "bcast2"}, {"iterations", "1"}, {"microbatches", "1"}});
  check_passes(*done);
  CHECK(done->result().metrics["step_ns"] == 4 * 12'000'000LL);
}

TEST_CASE("a run says what each stage keeps over time, as the simulator does") {
  const auto done = run("sim", {{"iterations", "2"}});
  check_passes(*done);
  const auto& curves = done->result().metrics["in_flight"];
  REQUIRE(curves.size() == 4);
  CHECK(curves[0][0] == nlohmann::ordered_json{{"at_ns", 0}, {"activations", 1}});
  for (std::size_t stage = 0; stage < 4; ++stage) {
    double most = 0;
    for (const auto& one : curves[stage]) most = std::max(most, one["activations"].get<double>());
    CHECK(most == done->result().metrics["peak_in_flight"][stage].get<double>());
    CHECK(curves[stage].back()["activations"] == 0);
    CHECK(curves[stage].back()["at_ns"].get<std::int64_t>() <= done->result().metrics["step_ns"].get<std::int64_t>());
  }
  CHECK_FALSE(check::over_runs({done->result().metrics, done->result().metrics}).contains("in_flight"));
}

TEST_CASE("what a pipeline cannot run with is refused before anything starts, in one sentence") {
  for (const std::string schedule : {"interleaved-1f1b", "zb-v"})
    for (const std::string communication : {"blocking", "blocking-unfused"})
      CHECK(refused("pipeline", {{"schedule", schedule}, {"communication", communication}}) == "refuse.blocking_chunks");
  CHECK(refused("pipeline", {{"schedule", "interleaved-1f1b"}, {"microbatches", "6"}}) == "refuse.whole_rounds");
  CHECK(refused("pipeline", {{"schedule", "interleaved-1f1b"}, {"microbatch_size", "16"}}) == "refuse.whole_rounds");
  CHECK(refused("pipeline", {{"schedule", "interleaved-1f1b"}, {"microbatch_size", "8"}}).empty());
  CHECK(refused("pipeline", {{"schedule", "zb-v"}}, "host", "nccl") == "refuse.vee_nccl");
  for (const std::string backend : {"cuda", "nccl"}) CHECK(refused("pipeline", {{"transport", "bcast2"}}, backend).empty());
  CHECK(refused("pipeline", {{"transport", "allreduce"}, {"communication", "blocking"}}) == "refuse.transport_streams");
  CHECK(refused("pipeline", {{"transport", "bcast2"}, {"schedule", "interleaved-1f1b"}}) == "refuse.transport_chunks");
  CHECK(refused("pipeline", {{"transport", "allreduce"}, {"schedule", "zb-h1"}}) == "refuse.transport_schedule");
  CHECK(refused("pipeline", {{"transport", "carrier-pigeon"}}) == "run.bad_choice_far");
  CHECK(refused("schedules", {{"microbatches", "6"}}) == "refuse.whole_rounds_all");
  CHECK(refused("schedules", {{"microbatches", "6"}, {"variant", "zb-v"}}).empty());
  CHECK(refused("schedules", {{"microbatches", "6"}, {"variant", "interleaved-1f1b"}}) == "refuse.whole_rounds");
  CHECK(refused("schedules", {{"latency_percent", "101"}}) == "run.out_of_range");
  CHECK(refused("schedules", {{"variant", "zb-v"}}, "cuda").empty());
  CHECK(refused("schedules", {{"variant", "zb-v"}}, "nccl") == "refuse.vee_nccl");  // it has NCCL's rules and no others
  CHECK(refused("why-not-allreduce", {{"microbatches", "0"}}) == "run.out_of_range");
  CHECK(refused("why-not-allreduce", {{"variant", "gather"}}).starts_with("run.bad_choice"));
}

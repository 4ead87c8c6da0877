// The demos `schedules` and `why-not-allreduce`: decisive numbers on the virtual clock, every variant on real MPI.
#include <set>

#include "app/analysis/in_flight.h"
#include "app/check/claim_run.h"
#include "app/check/demo_steps.h"
#include "demos/why-not-allreduce/traffic.h"
#include "tests/demos/run_demo.h"
#include "tests/support/catch.h"

using namespace p2plab;
using analysis::Verdict;
using test::describe;
using Knobs = std::map<std::string, std::string>;

namespace {

struct Ran {
  std::unique_ptr<check::DemoRun> run;
  const nlohmann::ordered_json& metrics() const { return run->result().metrics; }
  /// A cell of the table, "schedule=1f1b,latency=off", "step_ns".
  double cell(const std::string& row, const std::string& column) const {
    const auto value = check::value_in(metrics(), "table[" + row + "]." + column);
    INFO(row << " " << column << "\n" << describe(*run));
    REQUIRE(value.is_number());
    return value.get<double>();
  }
  double number(const char* name) const {
    INFO(name << "\n" << describe(*run));
    REQUIRE(metrics().contains(name));
    REQUIRE(metrics()[name].is_number());
    return metrics()[name].get<double>();
  }
};

Ran run(const std::string& demo, const std::string& backend, Knobs knobs, int ranks = 0) {
  check::RunRequest request;
  request.demo = demo;
  request.backend = backend;
  request.knobs = std::move(knobs);
  request.ranks = ranks;
  request.timeout_s = 120;
  Ran out{test::run_demo(std::move(request))};
  INFO(describe(*out.run));
  CHECK(out.run->result().verdict == Verdict::pass);
  CHECK(out.run->result().as_promised);
  CHECK(out.number("grad_error") <= 1e-5);
  return out;
}

constexpr double kUnit = 4e6;  ///< F; B is two of them

}  // namespace

TEST_CASE("all schedules side by side take what the engine says, with latency and without, to the tick") {
  const Ran all = run("schedules", "sim", {});
  CHECK(all.metrics()["table"].size() == 16);
  for (const auto& row : all.metrics()["table"]) {
    INFO(row.dump());
    CHECK(row["step_ns"] == row["expected_ns"]);
    CHECK(row["bubble_ratio"].get<double>() == Approx(row["ideal_ratio"].get<double>()));
  }
}

TEST_CASE("the golden numbers of the schedules: steps, activations kept and messages with 4 stages and 8 microbatches") {
  const Ran all = run("schedules", "sim", {});
  struct Golden {
    const char* schedule;
    double units, kept, messages;
  };
  for (const Golden& wanted : {Golden{"naive", 96, 1, 48}, Golden{"gpipe", 33, 8, 48}, Golden{"1f1b", 33, 4, 48}, Golden{"eager-1f1b", 33, 7, 48},
                               Golden{"interleaved-1f1b", 28.5, 5.5, 112}, Golden{"zb-h1", 27, 4, 48}, Golden{"zb-h2", 27, 7, 48}}) {
    const std::string row = std::string("schedule=") + wanted.schedule + ",latency=off";
    INFO(row);
    CHECK(all.cell(row, "step_ns") == wanted.units * kUnit);
    CHECK(all.cell(row, "peak_in_flight") == wanted.kept);
    CHECK(all.cell(row, "message_count") == wanted.messages);
  }
  CHECK(all.cell("schedule=zb-v,latency=off", "message_count") == 96);  // two chunks, but the turn of the V lies within a stage
  CHECK(all.number("zb_h1_left_ratio") == Approx(1.0 / 3));
  CHECK(all.number("gpipe_over_1f1b_times") == 1);
  CHECK(all.number("kept_times") == 2);
}

TEST_CASE("what the schedules' sentence says of messages, idle time and lost time are the table's cells") {
  for (const int p : {2, 4, 8}) {
    const Ran all = run("schedules", "sim", {{"microbatches", "8"}}, p);
    const auto off = [&](const std::string& schedule, const char* column) { return all.cell("schedule=" + schedule + ",latency=off", column); };
    CHECK(all.number("interleaved_messages_times") == Approx((2.0 * p - 1) / (p - 1)));
    CHECK(all.number("interleaved_left_ratio") == Approx(off("interleaved-1f1b", "idle_ns") / off("1f1b", "idle_ns")));
    for (const auto& [name, schedule] : std::map<std::string, std::string>{{"gpipe", "gpipe"}, {"eager", "eager-1f1b"}, {"1f1b", "1f1b"}, {"zb_h1", "zb-h1"}, {"zb_v", "zb-v"}, {"interleaved", "interleaved-1f1b"}}) {
      CHECK(all.number(("lost_" + name + "_ns").c_str()) == all.cell("schedule=" + schedule + ",latency=on", "step_ns") - off(schedule, "step_ns"));
      CHECK(all.number(("kept_" + name + "_count").c_str()) == off(schedule, "peak_in_flight"));
    }
  }
}

TEST_CASE("a sentence that compares the schedules is said only where they were all run") {
  CHECK(run("schedules", "sim", {}).run->result().says.en.find("{lost_1f1b_ns}") != std::string::npos);
  CHECK(run("schedules", "sim", {{"latency_percent", "0"}}).run->result().says.en.find("{lost_") == std::string::npos);
  CHECK(run("schedules", "sim", {{"variant", "zb-v"}}).run->result().says.en.starts_with("One schedule alone"));
}

TEST_CASE("over the whole run each step keeps what its own schedule keeps, whether it splits the backward or not") {
  const Ran all = run("schedules", "sim", {});
  const auto curves = analysis::in_flight(all.run->trace());
  REQUIRE(curves.size() == 4);
  for (const auto& curve : curves) {
    CHECK(analysis::peak(curve) == 8);  // GPipe's
    REQUIRE_FALSE(curve.empty());
    CHECK(curve.back().activations == 0);
  }
}

TEST_CASE("with a latency of F 1F1B pays every round trip, GPipe and eager 1F1B the way through once") {
  // p4 m16 F1 B2, latency 1: 57 becomes 63, 85 and 63; 7 activations instead of 4.
  const Ran all = run("schedules", "sim", {{"microbatches", "16"}});
  for (const auto& [schedule, units] : std::map<std::string, double>{{"gpipe", 63}, {"1f1b", 85}, {"eager-1f1b", 63}}) {
    INFO(schedule);
    CHECK(all.cell("schedule=" + schedule + ",latency=off", "step_ns") == 57 * kUnit);
    CHECK(all.cell("schedule=" + schedule + ",latency=on", "step_ns") == units * kUnit);
  }
  CHECK(all.number("latency_1f1b_times") == Approx(85.0 / 57));
  CHECK(all.number("latency_eager_times") == Approx(63.0 / 57));
  CHECK(run("schedules", "sim", {{"latency_percent", "0"}, {"variant", "1f1b"}}).metrics()["table"].size() == 1);
}

TEST_CASE("all stages meeting takes 1F1B from 33 units to 40 and leaves GPipe at 33; serial is 96") {
  const Ran all = run("why-not-allreduce", "sim", {});
  const auto units = [&](const std::string& which) { return all.cell("case=" + which + ",microbatches=8", "step_ns") / kUnit; };
  CHECK(units("1f1b-p2p") == 33);
  CHECK(units("gpipe-p2p") == 33);
  CHECK(units("1f1b-bcast2") == 33);
  CHECK(units("1f1b-allreduce") == 40);
  CHECK(units("gpipe-allreduce") == 33);
  CHECK(units("serial") == 96);
  CHECK(all.number("allreduce_bubble_ratio") == Approx(0.4));
  CHECK(all.number("p2p_bubble_ratio") == Approx(3.0 / 11));
  CHECK(all.number("serial_bubble_ratio") == Approx(0.75));
  CHECK(all.number("gpipe_bubble_ratio") == Approx(3.0 / 11));
  CHECK(all.number("allreduce_step_times") == Approx(40.0 / 33));
}

TEST_CASE("the sweep over m equals the engine to the tick, and the bubble of meeting never comes near that of serial") {
  for (const int ranks : {2, 3, 4, 8}) {
    const Ran all = run("why-not-allreduce", "sim", {{"microbatches", "32"}}, ranks);
    std::set<int> counts;
    for (const auto& row : all.metrics()["table"]) {
      INFO(row.dump());
      CHECK(row["step_ns"] == row["expected_ns"]);
      counts.insert(row["microbatches"].get<int>());
      const std::string at = ",microbatches=" + row["microbatches"].dump();
      CHECK(all.cell("case=1f1b-allreduce" + at, "bubble_ratio") <= all.cell("case=serial" + at, "bubble_ratio") + 1e-12);
    }
    CHECK(counts == std::set<int>{1, 2, 4, 8, 16, 32});
    CHECK(all.cell("case=1f1b-allreduce,microbatches=32", "bubble_ratio") < all.cell("case=serial,microbatches=32", "bubble_ratio"));
  }
}

TEST_CASE("with a single microbatch every transport is serial, and the run does not say that one is better") {
  const Ran one = run("why-not-allreduce", "sim", {{"microbatches", "1"}});
  for (const auto& row : one.metrics()["table"]) CHECK(row["bubble_ratio"].get<double>() == Approx(0.75));
  CHECK(one.run->result().says.en.starts_with("With a single microbatch"));
}

TEST_CASE("B no longer than F leaves 1F1B nothing to lose by meeting") {
  const Ran all = run("why-not-allreduce", "sim", {{"backward_us", "4000"}});
  CHECK(all.number("allreduce_step_times") == 1);
}

TEST_CASE("what a stage sends: a message down and one up for each microbatch, or a ring over all places after every slot") {
  CHECK(sent_bytes("p2p", 4, 8, 1024) == 16 * 1024);
  CHECK(sent_bytes("bcast2", 2, 8, 1024) == 8 * 1024);
  CHECK(sent_bytes("allreduce", 4, 8, 1024) == 22 * 6 * 1024);  // 22 slots, 2(p-1) messages each
}

TEST_CASE("every variant of both demos runs on real MPI") {
  const Knobs brief{{"forward_us", "300"}, {"backward_us", "600"}};
  const auto with = [&](Knobs more) {
    more.insert(brief.begin(), brief.end());
    return more;
  };
  for (const std::string demo : {"schedules", "why-not-allreduce"}) {
    const auto manifest = check::load_demo(launch::Installation::find().demos() / demo);
    for (const std::string& variant : manifest.knob("variant")->choices) {
      INFO(demo << " " << variant);
      const Ran done = run(demo, "host", with({{"variant", variant}, {"microbatches", "4"}}));
      for (const auto& row : done.metrics()["table"]) {
        INFO(row.dump());
        REQUIRE(row["step_ns"].is_number());
        CHECK(row["step_ns"].get<double>() >= 0.99 * row["expected_ns"].get<double>());  // nothing is faster than its computation
        CHECK(row["bubble_ratio"].get<double>() < 1);
      }
    }
  }
}

TEST_CASE("on real MPI the activations kept and the messages are those of the virtual clock") {
  const Knobs knobs{{"forward_us", "1000"}, {"backward_us", "2000"}, {"latency_percent", "0"}};
  const Ran real = run("schedules", "host", knobs), exact = run("schedules", "sim", knobs);
  REQUIRE(real.metrics()["table"].size() == exact.metrics()["table"].size());
  for (std::size_t i = 0; i < exact.metrics()["table"].size(); ++i) {
    const auto &here = real.metrics()["table"][i], &there = exact.metrics()["table"][i];
    INFO(here.dump());
    CHECK(here["message_count"] == there["message_count"]);
    CHECK(here["peak_in_flight"] == there["peak_in_flight"]);  // by the order of the schedule alone
  }
}

TEST_CASE("a derived number is null where a cell is missing") {
  nlohmann::ordered_json metrics{{"table", {{{"m", 4}, {"t", 6}}, {{"m", 8}, {"t", 3}}}}};
  check::RunRequest request;
  request.knobs = {{"microbatches", "8"}};
  check::add_derived(metrics, {{"there", "table[m={microbatches}].t", ""}, {"ratio", "table[m=4].t", "table[m={microbatches}].t"}, {"none", "table[m=2].t", "table[m=4].t"}}, request);
  CHECK(metrics["there"] == 3);
  CHECK(metrics["ratio"] == 2.0);
  CHECK(metrics["none"].is_null());
}

// p2plab sim and p2plab schedules: numbers as JSON, files, several schedules at once, and what is refused.
#include <signal.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;
using nlohmann::json;

namespace {

json sim(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "sim");
  arguments.insert(arguments.end(), {"--json", "-"});
  const Ended ended = p2plab(arguments);
  INFO(ended.err);
  REQUIRE(ended.status == 0);
  const json out = json::parse(ended.out, nullptr, false);
  REQUIRE_FALSE(out.is_discarded());
  CHECK(out["schema"] == "p2plab.sim/1");
  return out;
}

/// Exit status 2, nothing on stdout, one line on stderr, which is returned.
std::string refusal(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "sim");
  const Ended ended = p2plab(arguments);
  CHECK(ended.status == 2);
  CHECK(ended.out.empty());
  CHECK(std::count(ended.err.begin(), ended.err.end(), '\n') == 1);
  return ended.err;
}

}  // namespace

TEST_CASE("a simulated schedule has the numbers of the contract under their names") {
  const json out = sim({"1f1b", "-p", "4", "-m", "8", "--forward", "1ms", "--backward", "2ms"});
  CHECK(out["schedule"] == "1f1b");
  CHECK(out["p"] == 4);
  CHECK(out["m"] == 8);
  CHECK(out["chunks"] == 1);
  const json& metrics = out["metrics"];
  CHECK(metrics["makespan_ns"] == 33'000'000);
  CHECK(metrics["bubble_ratio"].get<double>() == Approx(3.0 / 11));
  CHECK(metrics["bubble_ideal_ratio"].get<double>() == Approx(3.0 / 11));
  CHECK(metrics["bubble_over_ideal"].get<double>() == Approx(3.0 / 8));
  CHECK(metrics["peak_in_flight"] == json({4, 3, 2, 1}));
  CHECK(metrics["actions"] == 64);
  CHECK(metrics["actions_per_s"].get<double>() > 0);
  std::int64_t idle = 0;
  for (const auto& [cause, ns] : metrics["idle_by_cause"].items()) idle += ns.get<std::int64_t>();
  CHECK(idle == 4 * 33'000'000 - 4 * 24'000'000);
}

TEST_CASE("the ideal counts the optimizer as the measured bubble does, and iterations that overlap have none") {
  const std::vector<std::string> three = {"1f1b", "-p", "3", "-m", "4", "--iterations", "3", "--optimizer", "1ms"};
  std::vector<std::string> one_by_one = three;
  one_by_one.push_back("--sync");
  const json apart = sim(one_by_one)["metrics"], together = sim(three)["metrics"];
  CHECK(apart["bubble_ratio"].get<double>() == Approx(apart["bubble_ideal_ratio"].get<double>()));
  CHECK(together["bubble_ideal_ratio"].is_null());
}

TEST_CASE("the ideal of ZB-H1 is reached where W is longer than F, and where its formula does not hold there is none, with the reason") {
  const auto zb = [](const std::string& id, const char* m, const char* f, const char* b, const char* w) {
    return std::vector<std::string>{id, "-p", "4", "-m", m, "--forward", f, "--backward", b, "--weight", w};
  };
  for (const auto& command : {zb("zb-h1", "8", "1ms", "1ms", "3ms"), zb("zb-h1", "4", "1ms", "4ms", "2ms"), zb("zb-h2", "8", "1ms", "6ms", "6ms")}) {
    const json metrics = sim(command)["metrics"];
    CHECK(metrics["bubble_ratio"].get<double>() == Approx(metrics["bubble_ideal_ratio"].get<double>()));
  }
  const auto few = zb("zb-h1", "3", "1ms", "1ms", "1ms");
  CHECK(sim(few)["metrics"]["bubble_ideal_ratio"].is_null());
  std::vector<std::string> alone{"sim"}, both{"sim", "--compare", "1f1b"};
  alone.insert(alone.end(), few.begin(), few.end());
  both.insert(both.end(), few.begin(), few.end());
  for (const auto& words : {alone, both}) {
    const std::string out = p2plab(words).out;
    INFO(out);
    CHECK(out.find("the closed form of zb-h1 holds from m = 4 on") != std::string::npos);
  }
  CHECK(p2plab({"sim", "zb-h2", "-p", "4", "-m", "6", "--lang", "zh"}).out.find("从 m = 7 起才成立") != std::string::npos);
  CHECK(p2plab({"sim", "zb-v", "-p", "4", "-m", "8"}).out.find("zb-v has no closed form") != std::string::npos);
  CHECK(p2plab({"sim", "1f1b", "-p", "4", "-m", "2"}).out.find("ideal 60.00 %") != std::string::npos);
}

TEST_CASE("the paper's ZB-2p is within reach from the command line") {
  const json out = sim({"zb-auto", "-p", "8", "-m", "24", "--forward", "18522us", "--backward", "18086us", "--weight", "9337us", "--latency", "601us", "--memory-limit", "16"});
  CHECK(out["metrics"]["bubble_in_window_ratio"].get<double>() <= .0433 + .0005);
  for (const json& peak : out["metrics"]["peak_in_flight"]) CHECK(peak.get<double>() <= 16);
}

TEST_CASE("iterations have a period, and interleaved chunks count as parts of an activation") {
  CHECK(sim({"zb-h2", "-p", "4", "-m", "8", "--forward", "1us", "--backward", "1us", "--weight", "1us", "--iterations", "3"})["metrics"]["period_ns"] == 24'000);
  CHECK(sim({"interleaved-1f1b", "-p", "4", "-m", "8"})["metrics"]["peak_in_flight"] == json({5.5, 4.5, 3.5, 2.5}));
}

TEST_CASE("bytes of a link are the messages that cross it") {
  const json out = sim({"1f1b", "-p", "3", "-m", "5", "--activation", "1K", "--bandwidth", "1GB/s", "--latency", "1us"});
  REQUIRE(out["metrics"]["links"].size() == 4);
  for (const json& link : out["metrics"]["links"]) CHECK(link["bytes"] == 5 * 1024);
}

TEST_CASE("a schedule written as CSV is read back and takes the same time") {
  const Scratch scratch;
  const std::string csv = (scratch / "调度 1.csv").string();
  const json written = sim({"zb-v", "-p", "3", "-m", "6", "--csv", csv}), read = sim({csv, "--forward", "1ms", "--backward", "1ms", "--weight", "1ms"});
  CHECK(read["metrics"]["makespan_ns"] == written["metrics"]["makespan_ns"]);
  CHECK(read["chunks"] == 2);
  CHECK(refusal({csv, "-p", "4"}).find("has 3") != std::string::npos);
}

TEST_CASE("timeline files are written, and the saved trace is read as times of stages") {
  const Scratch scratch;
  const std::string trace = (scratch / "t.pftrace").string(), svg = (scratch / "t.svg").string(), chrome = (scratch / "t.json").string();
  sim({"1f1b", "-p", "2", "-m", "3", "--forward", "5us", "--backward", "7us", "--trace", trace, "--svg", svg});
  sim({"1f1b", "-p", "2", "-m", "3", "--trace", chrome});
  CHECK(read_file(svg).find(">F2<") != std::string::npos);
  CHECK_FALSE(json::parse(read_file(chrome), nullptr, false).is_discarded());
  CHECK(sim({"gpipe", "-m", "3", "--stage-times", trace})["metrics"]["makespan_ns"] == 4 * 12'000);
}

TEST_CASE("times per stage come from a table") {
  const Scratch scratch;
  const fs::path table = scratch / "times.csv";
  std::ofstream(table) << "stage,forward,backward\n0,1ms,2ms\n1,1ms,2ms\n2,1.2ms,2.4ms\n3,1ms,2ms\n";
  const json out = sim({"1f1b", "-m", "16", "--stage-times", table.string()});
  CHECK(out["p"] == 4);
  CHECK(out["metrics"]["makespan_ns"] == 66'000'000);
  CHECK(out["metrics"]["idle_by_cause"]["imbalance"].get<std::int64_t>() > 0);
  std::ofstream(table) << "stage,forward,backward\n0,1ms,2ms\n2,1ms,2ms\n";
  CHECK(refusal({"1f1b", "--stage-times", table.string()}).find("no line for stage 1") != std::string::npos);
  std::ofstream(table) << "stage,forward,backward\n0,1ms,2ms\n0,1ms,2ms\n";
  CHECK(refusal({"1f1b", "--stage-times", table.string()}).find("line 3") != std::string::npos);
  std::ofstream(table) << "stage,forward,backward\n0,-1ms,2ms\n";
  CHECK(refusal({"1f1b", "--stage-times", table.string()}).find("line 2: forward is “-1ms”") != std::string::npos);
}

TEST_CASE("a wrong cell of the table is told with file, line and column, short, and without sending control characters") {
  const Scratch scratch;
  const fs::path table = scratch / "times.csv";
  std::ofstream(table) << "stage,forward,backward,weight\n0,1ms,2ms,1ms\n1,1ms,2ms,\n";
  const std::string empty = refusal({"1f1b", "--stage-times", table.string()});
  CHECK(empty.find(table.string() + ", line 3: weight is “”") != std::string::npos);
  std::ofstream(table) << "stage,forward,backward\n0,\x1b[2J" << std::string(5000, 'x') << ",2ms\n";
  const std::string hostile = refusal({"1f1b", "--stage-times", table.string()});
  CHECK(hostile.find('\x1b') == std::string::npos);
  CHECK(hostile.find("\\x1b[2Jxxx") != std::string::npos);
  CHECK(hostile.size() < 500);
}

TEST_CASE("several schedules stand in one table and one picture") {
  const Scratch scratch;
  const std::string svg = (scratch / "c.svg").string();
  const Ended ended = p2plab({"sim", "--compare", "gpipe", "1f1b", "zb-v", "-p", "4", "-m", "8", "--svg", svg});
  CHECK(ended.status == 0);
  for (const char* name : {"gpipe", "1f1b", "zb-v"}) {
    CHECK(ended.out.find(name) != std::string::npos);
    CHECK(read_file(svg).find(std::string(">") + name + "<") != std::string::npos);
  }
  CHECK(sim({"--compare", "gpipe", "1f1b"})["runs"].size() == 2);
}

TEST_CASE("a sweep is drawn: bubble and makespan over what is swept, several schedules in one picture, in both languages") {
  const Scratch scratch;
  const std::string svg = (scratch / "s.svg").string(), png = (scratch / "s.png").string();
  const Ended english = p2plab({"sim", "1f1b", "--compare", "zb-h1", "-p", "4", "--sweep", "m=4..32:4", "--svg", svg, "--png", png});
  INFO(english.err);
  REQUIRE(english.status == 0);
  CHECK(english.out.find("m=4…32") != std::string::npos);
  const std::string picture = read_file(svg);
  for (const char* words : {">1f1b<", ">zb-h1<", ">microbatches m<", ">makespan<", ">bubble (idle/total)<", "m=4…32", "prefers-color-scheme: dark"}) {
    INFO(words);
    CHECK(picture.find(words) != std::string::npos);
  }
  CHECK(read_file(png).starts_with("\x89PNG"));
  REQUIRE(p2plab({"sim", "gpipe", "--sweep", "p=2,4,8", "--svg", svg, "--lang", "zh"}).status == 0);
  CHECK(read_file(svg).find(">stage 数 p<") != std::string::npos);
  CHECK(read_file(svg).find("p=2…8") != std::string::npos);
  CHECK(sim({"1f1b", "--compare", "gpipe", "--sweep", "m=4,8"})["runs"].size() == 4);
  CHECK(sim({"1f1b", "--compare", "gpipe", "--sweep", "m=4,8"})["sweep"]["values"] == json({4, 8}));
}

TEST_CASE("activations in flight over time are in the JSON on request, in the trace as counters, and end at none") {
  const Scratch scratch;
  const std::string chrome = (scratch / "t.json").string(), perfetto = (scratch / "t.pftrace").string(), svg = (scratch / "t.svg").string();
  const json out = sim({"1f1b", "-p", "2", "-m", "3", "--forward", "1us", "--backward", "2us", "--in-flight", "--trace", chrome, "--svg", svg});
  // Stage 1: F0 1-2 B0 2-4 F1 4-5 B1 5-7 F2 7-8 B2 8-10; stage 0: F0 0-1 F1 1-2 B0 4-6 F2 6-7 B1 7-9 B2 10-12.
  const json wanted = {{{0, 1}, {1000, 2}, {9000, 1}, {12000, 0}}, {{1000, 1}, {10000, 0}}};
  json got = json::array();
  for (const json& stage : out["metrics"]["in_flight"]) {
    got.push_back(json::array());
    for (const json& one : stage) got.back().push_back({one["at_ns"], one["activations"]});
  }
  CHECK(got == wanted);
  CHECK_FALSE(sim({"1f1b"})["metrics"].contains("in_flight"));
  int counted = 0;
  const json events = json::parse(read_file(chrome))["traceEvents"];
  for (const json& event : events)
    if (event["ph"] == "C" && event["name"] == "activations in flight") ++counted;
  CHECK(counted == 6);
  CHECK(read_file(svg).find("activations in flight over time, at most 2") != std::string::npos);
  sim({"1f1b", "-p", "2", "-m", "3", "--trace", perfetto});
  CHECK(read_file(perfetto).find("activations in flight") != std::string::npos);
  CHECK(sim({"1f1b", "--fit", perfetto})["fit"]["p"] == 2);  // a counter is no lane
}

TEST_CASE("every combination of --fit, --sweep, --compare, --summary and --csv has a meaning or a sentence") {
  const Scratch scratch;
  const std::string trace = (scratch / "t.pftrace").string(), file = (scratch / "f").string();
  sim({"1f1b", "-p", "4", "-m", "8", "--forward", "3ms", "--backward", "5ms", "--trace", trace});
  // The fitted times are those of every schedule that is run with them.
  const json compared = sim({"--fit", trace, "--compare", "gpipe", "1f1b"});
  CHECK(compared["runs"].size() == 2);
  CHECK(compared["runs"][0]["metrics"]["makespan_ns"] == 11 * 8'000'000);
  CHECK(compared["fit"]["p"] == 4);
  const json swept = sim({"gpipe", "--fit", trace, "--sweep", "m=4,8"});
  CHECK(swept["runs"][0]["metrics"]["makespan_ns"] == 7 * 8'000'000);
  CHECK(swept["fit"]["m"] == 8);
  CHECK(sim({"--compare", "gpipe", "1f1b", "--summary"})["runs"].size() == 2);
  CHECK(sim({"gpipe", "--fit", trace, "--summary"})["metrics"]["makespan_ns"] == 11 * 8'000'000);
  CHECK(sim({"gpipe", "--summary", "--csv", file})["schedule"] == "gpipe");
  CHECK(sim({"1f1b", "--sweep", "m=4,8", "--summary"})["runs"].size() == 2);
  const std::vector<std::vector<std::string>> refused = {
      {"1f1b", "--sweep", "m=4,8", "--csv", file}, {"1f1b", "--sweep", "m=4,8", "--trace", file}, {"--compare", "1f1b", "gpipe", "--csv", file},
      {"1f1b", "--summary", "--svg", file},        {"1f1b", "--summary", "--trace", file},        {"1f1b", "--summary", "--in-flight"},
      {"1f1b", "--sweep", "m=4,8", "--in-flight"}, {"1f1b", "--fit", trace, "--stage-times", trace}};
  for (const auto& arguments : refused) CHECK(refusal(arguments).find("exclude each other") != std::string::npos);
  CHECK(refusal({"--fit", trace, "--svg", file}).find("--fit alone") != std::string::npos);
  CHECK(refusal({"--fit", trace, "--sweep", "m=4,8"}).find("p2plab sim SCHEDULE") != std::string::npos);
  CHECK(refusal({"1f1b", "--fit", trace, "--forward", "1ms"}).find("--fit says what --forward would say") != std::string::npos);
  CHECK(refusal({"1f1b", "--stage-times", trace, "--backward", "1ms"}).find("--stage-times says") != std::string::npos);
  CHECK(refusal({"1f1b", "-p", "1024", "-m", "8192", "--svg", file}).find("--svg") != std::string::npos);
}

TEST_CASE("hours of work are announced while they run, and Ctrl-C ends them with status 130 and nothing half-written") {
  const Scratch scratch;
  const std::string json_file = (scratch / "j").string();
  const auto begin = std::chrono::steady_clock::now();
  Running running({"sim", "1f1b", "-p", "65536", "-m", "4194304", "--summary", "--json", json_file});
  while (running.err().find("hours") == std::string::npos && std::chrono::steady_clock::now() - begin < std::chrono::seconds(60))
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(running.err().find("5.5e+11 actions") != std::string::npos);
  kill(running.pid(), SIGINT);
  CHECK(running.wait().status == 130);
  CHECK_FALSE(fs::exists(json_file));
}

TEST_CASE("an option that has no effect is named") {
  CHECK(p2plab({"sim", "1f1b", "--bandwidth", "1GB/s"}).out.find("--bandwidth has no effect without --activation") != std::string::npos);
  CHECK(p2plab({"sim", "1f1b", "--bandwidth", "1GB/s", "--activation", "1K"}).out.find("no effect") == std::string::npos);
}

TEST_CASE("a sweep gives the curve, and leaves out what the schedule does not have") {
  const json out = sim({"1f1b", "-p", "8", "--sweep", "m=4..64:20"});
  REQUIRE(out["runs"].size() == 4);
  for (const json& run : out["runs"]) CHECK(run["metrics"]["bubble_ratio"].get<double>() == Approx(7.0 / (run["m"].get<int>() + 7)));
  CHECK(sim({"interleaved-1f1b", "-p", "4", "--sweep", "m=4..12"})["runs"].size() == 3);
  CHECK(sim({"gpipe", "--sweep", "p=2,4,8"})["runs"][2]["p"] == 8);
}

TEST_CASE("a fit of a trace finds what the trace was made with, and simulates another schedule with it") {
  const Scratch scratch;
  const std::string trace = (scratch / "t.pftrace").string();
  const json made = sim({"1f1b", "-p", "4", "-m", "8", "--forward", "3ms", "--backward", "5ms", "--latency", "250us", "--trace", trace});
  const json fit = sim({"--fit", trace})["fit"];
  CHECK(fit["alpha_ns"] == 250'000);
  CHECK(fit["measured_ns"] == made["metrics"]["makespan_ns"]);
  CHECK(fit["predicted_ns"] == fit["measured_ns"]);
  REQUIRE(fit["stages"].size() == 4);
  for (const json& stage : fit["stages"]) {
    CHECK(stage["forward_ns"] == 3'000'000);
    CHECK(stage["error"] == 0.0);
  }
  const json other = sim({"gpipe", "--fit", trace});
  CHECK(other["p"] == 4);
  CHECK(other["metrics"]["makespan_ns"] == 11 * 8'000'000 + 6 * 250'000);
  CHECK(refusal({"--fit", (scratch / "none").string()}).find("none") != std::string::npos);
}

TEST_CASE("what cannot be simulated is refused in one sentence with status 2") {
  CHECK(refusal({"1f1b", "-p", "0"}).find("the nearest is 1") != std::string::npos);
  CHECK(refusal({"interleaved-1f1b", "-p", "4", "-m", "10"}).find("8, 12") != std::string::npos);
  CHECK(refusal({"1f1b", "--forward", "nan"}).find("“nan”") != std::string::npos);
  CHECK(refusal({"1f1b", "--forward=-1ms"}).find("negative") != std::string::npos);
  CHECK(refusal({"1f1b", "--forward", "400000000s"}).find("more than a year") != std::string::npos);
  CHECK(refusal({"1f1b", "--latency", "5"}).find("unit") != std::string::npos);
  CHECK(refusal({"1f1b", "--bandwidth", "0"}).find("more than 0") != std::string::npos);
  CHECK(refusal({"1f1b", "--memory-limit", "3"}).find("allow 4") != std::string::npos);
  CHECK(refusal({"1f1b", "--iterations", "0"}).find("100000") != std::string::npos);
  CHECK(refusal({"1f1v"}).find("did you mean 1f1b") != std::string::npos);
  CHECK(refusal({"nope"}).find("did you mean") == std::string::npos);
  CHECK(refusal({"gpipe", "-m", "4000000", "-p", "2", "--forward", "31000000s"}).find("64 bits") != std::string::npos);
  CHECK(refusal({}).find("p2plab sim SCHEDULE") != std::string::npos);
}

TEST_CASE("a file that is no legal schedule is refused with the action at fault") {
  const Scratch scratch;
  const fs::path csv = scratch / "s.csv";
  const auto said = [&](const char* text) {
    std::ofstream(csv) << text;
    return refusal({csv.string()});
  };
  CHECK(said("0F0,0B0\n1F0\n").find("B0 is missing on stage 1") != std::string::npos);
  CHECK(said("0F0,0F0,0B0\n").find("F0 stands twice on stage 0") != std::string::npos);
  CHECK(said("0F0,7B0\n").find("stage 1") != std::string::npos);
  CHECK(said("0B0,0F0\n1F0,1B0\n").find("B0@0 → F0@0 → B0@0") != std::string::npos);
  CHECK(said("hello\n").find("Row 1, column 1") != std::string::npos);
  CHECK(said("hello\n").find("s.csv") != std::string::npos);
  CHECK(said("0F0,0B0\n1F0\n").find("s.csv, line 2: ") != std::string::npos);
  CHECK(said("0F0,0F0,0B0\n").find("s.csv, line 1: ") != std::string::npos);
}

TEST_CASE("all schedules are listed with a line about each, in both languages") {
  const Ended ended = p2plab({"schedules", "--json", "-"});
  const json list = json::parse(ended.out, nullptr, false);
  REQUIRE_FALSE(list.is_discarded());
  CHECK(list["schema"] == "p2plab.schedules/1");
  CHECK(list["schedules"].size() == 11);
  for (const json& one : list["schedules"]) CHECK(one["title"]["zh"].get<std::string>().size() > 5);
  CHECK(p2plab({"schedules", "--lang", "zh"}).out.find("zb-v") != std::string::npos);
}

TEST_CASE("what stands over several schedules is true of each, and a saved trace of one says the times and the latency that it rests on") {
  const auto compared = p2plab({"sim", "--compare", "1f1b", "zb-h1", "-p", "4", "-m", "8", "--forward", "1ms", "--backward", "1ms", "--weight", "1ms"});
  REQUIRE(compared.status == 0);
  INFO(compared.out);
  CHECK(compared.out.find("B 2") == std::string::npos);
  CHECK(compared.out.find("  W 1") != std::string::npos);
  const cli_test::Scratch scratch;
  const std::string slow = (scratch / "slow.pftrace").string(), free = (scratch / "free.pftrace").string();
  REQUIRE(p2plab({"sim", "1f1b", "-p", "4", "-m", "8", "--latency", "1ms", "--trace", slow}).status == 0);
  REQUIRE(p2plab({"sim", "1f1b", "-p", "4", "-m", "8", "--trace", free}).status == 0);
  CHECK(cli_test::read_file(slow).find("α") != std::string::npos);
  CHECK(cli_test::read_file(free).find("α") == std::string::npos);
}

// Real runs of p2plab: verdicts, exit statuses and JSON as CONTRACTS.md has them; Ctrl-C.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <tuple>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;
using nlohmann::json;

namespace {

struct Result {
  int status = 0;
  json run;
  std::string err;
};

/// `p2plab run … --json -`; stdout must be JSON and nothing else.
Result run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.insert(arguments.end(), {"--json", "-"});
  const Ended ended = p2plab(arguments);
  INFO(ended.err);
  Result result{ended.status, json::parse(ended.out, nullptr, false), ended.err};
  REQUIRE_FALSE(result.run.is_discarded());
  CHECK(result.run["schema"] == "p2plab.run/1");
  return result;
}

void expect(const std::vector<std::string>& arguments, const std::string& verdict) {
  const Result result = run(arguments);
  INFO(result.err);
  CHECK(result.run["verdict"] == verdict);
  CHECK(result.run["as_promised"] == true);
  CHECK(result.status == 0);
}

template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 3000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

TEST_CASE("two ranks that send first are proven to hang, and that is what was promised") {
  const Result result = run({"deadlock", "--seed", "5"});
  INFO(result.err);
  CHECK(result.status == 0);
  const json& out = result.run;
  CHECK(out["verdict"] == "deadlock");
  CHECK(out["as_promised"] == true);
  CHECK(out["seed"] == 5);
  CHECK(out["ranks"] == 2);
  CHECK(out["knobs"]["bytes"] == 1048576);
  CHECK(out["metrics"]["eager_limit_bytes"].get<std::int64_t>() > 0);
  CHECK(out["metrics"]["detect_ns"].get<std::int64_t>() > 0);
  REQUIRE(out["findings"].size() == 1);
  const json& finding = out["findings"][0];
  CHECK(finding["kind"] == "deadlock");
  CHECK(finding["certainty"] == "proven");
  REQUIRE(finding["sites"].size() == 2);
  for (const json& site : finding["sites"]) {
    CHECK(site["peer"] == 1 - site["rank"].get<int>());
    CHECK(site["line"].get<int>() > 0);
    CHECK(site["file"].get<std::string>().ends_with("deadlock.cpp"));
    CHECK(site["bytes"] == 1048576);
    CHECK(site["call"] == "MPI_Send");
    CHECK(site["comm"] == "MPI_COMM_WORLD");
  }
  CHECK(result.err.find("MPI_Send(peer 1") != std::string::npos);  // for people in the same words
  CHECK(result.err.find("Deadlock") != std::string::npos);
}

TEST_CASE("calls are named in the words of the rules that hold: MPI's when it waits, NCCL's under nccl semantics") {
  const auto call = [](const std::vector<std::string>& arguments) {
    const Result result = run(arguments);
    INFO(result.err);
    REQUIRE(result.run["findings"].size() == 1);
    return result.run["findings"][0]["sites"][0]["call"].get<std::string>();
  };
  CHECK(call({"deadlock", "--semantics", "nccl", "--set", "variant=unfused"}) == "ncclSend");
  CHECK(call({"corruption"}) == "MPI_Isend");
}

TEST_CASE("what is set and can change nothing is named, and is no condition of the run") {
  const auto said = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    const Ended ended = p2plab(arguments);
    INFO(ended.err);
    CHECK(ended.status == 0);
    return std::pair(ended.err, ended.out);
  };
  const auto [late, shown] = said({"latency-bandwidth", "--backend", "sim", "--set", "iterations=1", "--set", "max_bytes=4K", "--set", "receiver_delay_ms=500"});
  CHECK(late.find("receiver_delay_ms changes nothing here: it is for variant = late-receiver / late-isend.") != std::string::npos);
  CHECK(shown.find("500 ms") == std::string::npos);
  CHECK(said({"topology", "--backend", "sim", "--set", "degree=5"}).first.find("it is for variant = random / moe") != std::string::npos);
  CHECK(said({"moe", "--backend", "sim", "--ranks", "4", "--set", "variant=all-to-all", "--set", "window=9"}).first.find("window changes nothing") != std::string::npos);
  CHECK(said({"parameter-server", "--backend", "sim", "--ranks", "3", "--set", "ahead=5"}).first.find("ahead changes nothing") != std::string::npos);
  const std::vector<std::string> slow{"pipeline", "--backend", "sim", "--set", "slow_percent=200"};
  CHECK(said(slow).first.find("slow_percent changes nothing here: set slow_stage as well.") != std::string::npos);
  auto both = slow;
  both.insert(both.end(), {"--set", "slow_stage=1"});
  CHECK(said(both).first.find("changes nothing") == std::string::npos);
  CHECK(p2plab({"run", "pipeline", "--backend", "sim", "--set", "slow_percent=200", "--lang", "zh"}).err.find("slow_percent 在这里不起作用") != std::string::npos);
}

TEST_CASE("every knob that is a number is a JSON number, and a saved run is repeated with it") {
  const Scratch scratch;
  const std::string saved = (scratch / "run.json").string();
  const std::vector<std::string> quick{"--set", "forward_us=300", "--set", "backward_us=600"};
  std::vector<std::string> arguments{"run", "pipeline", "--set", "microbatch_size=8", "--set", "global_batch=64", "--set", "fixed_us=100", "--json", saved};
  arguments.insert(arguments.end(), quick.begin(), quick.end());
  REQUIRE(p2plab(arguments).status == 0);
  const json knobs = json::parse(read_file(saved))["knobs"];
  for (const auto& [name, value] : knobs.items()) {
    INFO(name);
    CHECK(value.is_number() == (name != "schedule" && name != "communication" && name != "transport"));
  }
  CHECK(knobs["global_batch"] == 64);
  CHECK(run({"--again", saved}).run["knobs"] == knobs);
  const json listed = json::parse(p2plab({"demos", "--json", "-"}).out);
  for (const json& demo : listed["demos"])
    for (const json& knob : demo["knobs"])
      if (knob["id"] == "global_batch") CHECK(knob["choices"] == json({32, 64}));
}

TEST_CASE("over several runs every cause of idleness has a median and a spread of its own") {
  const Result result = run({"pipeline", "--set", "forward_us=300", "--set", "backward_us=600", "--repeat", "2"});
  const json& causes = result.run["metrics"]["idle_by_cause"];
  REQUIRE(causes.is_object());
  CHECK_FALSE(causes.contains("median"));
  REQUIRE(causes.contains("warm_up"));
  for (const auto& [cause, spread] : causes.items()) {
    INFO(cause);
    CHECK(spread["n"] == 2);
    CHECK(spread["min"].get<std::int64_t>() <= spread["median"].get<std::int64_t>());
    CHECK(spread["median"].get<std::int64_t>() <= spread["max"].get<std::int64_t>());
  }
}

TEST_CASE("real compute on one core for four ranks runs, and warns once that its numbers are distorted") {
  cpu_set_t all, one;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);  // what is started here inherits it
  const Result result = run({"pipeline", "--compute", "real", "--set", "microbatches=2", "--timeout", "300"});
  sched_setaffinity(0, sizeof all, &all);
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(result.run["compute"] == "real");
  CHECK(result.run["verdict"] == "pass");
  CHECK(result.run["metrics"]["grad_error"].get<double>() <= 1e-5);
  REQUIRE(result.run["warnings"].size() == 1);
  CHECK(result.run["warnings"][0]["id"] == "warning.few_cores");
  const std::size_t said = result.err.find("4 ranks compute for real on 1 core");
  REQUIRE(said != std::string::npos);
  CHECK(result.err.find("compute for real", said + 20) == std::string::npos);
  CHECK_FALSE(run({"deadlock", "--compute", "paced"}).run.contains("warnings"));
}

TEST_CASE("the delay knob holds the receiving rank for as long as stated, and no other rank") {
  const Scratch scratch;
  const std::string file = (scratch / "trace.json").string();
  REQUIRE(p2plab({"run", "corruption", "--set", "variant=wait-first", "--set", "receiver_delay_ms=150", "--trace", file}).status == 0);
  const json trace = json::parse(read_file(file));
  int delays = 0;
  std::map<int, std::string> names;
  for (const json& event : trace["traceEvents"])
    if (event.value("name", "") == "process_name") names[event["pid"]] = event["args"]["name"];
  for (const json& event : trace["traceEvents"]) {
    if (event.value("name", "") != "the receiver is busy" || event.value("ph", "") != "X") continue;
    ++delays;
    CHECK(names[event["pid"]] == "rank 1");
    CHECK(event["dur"].get<double>() >= 150'000);  // µs
  }
  CHECK(delays == 1);
}

TEST_CASE("intact bytes out of a changed buffer are called that, in both languages") {
  for (const auto& [language, verdict, detail] : {std::tuple{"en", "bytes intact", "was changed while MPI owned it"}, std::tuple{"zh", "字节完好", "归 MPI 所有期间被改写"}}) {
    const Ended ended = p2plab({"run", "corruption", "--set", "bytes=64", "--lang", language});
    INFO(ended.out);
    CHECK(ended.status == 0);
    CHECK(ended.out.find(verdict) != std::string::npos);
    CHECK(ended.out.find(detail) != std::string::npos);
  }
}

TEST_CASE("below the eager limit it only seems to pass; under --strict it hangs at any size; in order it passes") {
  expect({"deadlock", "--set", "bytes=1K"}, "unsafe");
  expect({"deadlock", "--set", "bytes=1K", "--strict"}, "deadlock");
  expect({"deadlock", "--set", "variant=ordered"}, "pass");
  expect({"deadlock", "--set", "variant=sendrecv", "--ranks", "3", "--strict"}, "pass");
}

TEST_CASE("under --strict the summary says of no send that it is buffered") {
  const Ended ended = p2plab({"run", "deadlock", "--set", "bytes=1K", "--strict"});
  CHECK(ended.out.find("a send is buffered") == std::string::npos);
  CHECK(ended.out.find("no send completes before its receive") != std::string::npos);
}

TEST_CASE("the eager limit is called measured where it was measured; on the virtual machine it is a setting") {
  for (const char* strict : {"", "--strict"}) {
    std::vector<std::string> words{"run", "deadlock", "--set", "bytes=1K"};
    if (*strict != '\0') words.push_back(strict);
    const auto on = [&](const char* backend, const char* lang) {
      auto all = words;
      all.insert(all.end(), {"--backend", backend, "--lang", lang});
      return p2plab(all).out;
    };
    CHECK(on("sim", "en").find("a setting of the virtual machine") != std::string::npos);
    CHECK(on("sim", "en").find("measured") == std::string::npos);
    CHECK(on("sim", "zh").find("虚拟机器的设置") != std::string::npos);
    CHECK(on("sim", "zh").find("实测") == std::string::npos);
    CHECK(on("host", "en").find("measured") != std::string::npos);
  }
}

TEST_CASE("the first difference is two lines of bytes, sent over received") {
  const Ended ended = p2plab({"run", "corruption", "--set", "receiver_delay_ms=300"});
  CHECK(ended.out.find("{\"offset\"") == std::string::npos);
  const std::size_t sent = ended.out.find("        sent     ");
  REQUIRE(sent != std::string::npos);
  CHECK(ended.out.find("        received ", sent) == ended.out.find('\n', sent) + 1);
}

TEST_CASE("a pipeline that was cut reports no bubble and no step") {
  const Result result = run({"pipeline", "--timeout", "1.2", "--set", "forward_us=20000", "--set", "backward_us=40000"});
  CHECK(result.run["verdict"] == "resource-limit");
  for (const char* name : {"bubble_ratio", "step_ns", "overlap", "grad_error"}) CHECK(result.run["metrics"][name].is_null());
  CHECK(result.err.find("Bubble") == std::string::npos);
}

TEST_CASE("a run cut by its wall limit has not shown what it promised: status 1, with the limit in the JSON") {
  const Result result = run({"corruption", "--set", "variant=wait-first", "--set", "receiver_delay_ms=3000", "--timeout", "1"});
  INFO(result.err);
  CHECK(result.status == 1);
  CHECK(result.run["verdict"] == "resource-limit");
  CHECK(result.run["as_promised"] == false);
  CHECK(result.run["findings"][0]["kind"] == "resource-limit");
}

TEST_CASE("who sees a run ended by its time limit is told why and what gives it more, on every backend and in both languages") {
  for (const char* backend : {"host", "sim"})
    for (const char* lang : {"en", "zh"}) {
      // A ping-pong of a hundred thousand rounds of each size: no machine is through with it in half a second.
      const Ended ended = p2plab({"run", "latency-bandwidth", "--backend", backend, "--set", "iterations=100000", "--timeout", "0.5", "--lang", lang});
      INFO(ended.out << ended.err);
      CHECK(ended.status == 1);
      CHECK(ended.out.find("--timeout") != std::string::npos);
      CHECK(ended.out.find("0.5 s") != std::string::npos);
      if (lang == std::string("zh")) CHECK(ended.out.find("wall") == std::string::npos);
    }
}

TEST_CASE("over several runs each metric is a median with its spread") {
  const Result result = run({"deadlock", "--set", "variant=ordered", "--repeat", "2"});
  CHECK(result.status == 0);
  const json& limit = result.run["metrics"]["eager_limit_bytes"];
  CHECK(limit["n"] == 2);
  for (const char* key : {"median", "min", "max"}) CHECK(limit[key].is_number());
}

TEST_CASE("a run on the virtual clock is saved as the same bytes each time, in either format") {
  const Scratch scratch;
  for (const char* format : {".pftrace", ".json"})
    for (const auto& run : {std::vector<std::string>{"pipeline", "--set", "schedule=zb-v"}, {"pipeline", "--semantics", "nccl"}, {"deadlock", "--set", "variant=ordered"}}) {
      std::set<std::string> saved;
      for (int i = 0; i < 4; ++i) {
        const std::string file = (scratch / ("run" + std::to_string(i) + format)).string();
        std::vector<std::string> words{"run"};
        words.insert(words.end(), run.begin(), run.end());
        words.insert(words.end(), {"--backend", "sim", "--link", "ethernet10", "--seed", "3", "--trace", file});
        const Ended ended = p2plab(words);
        INFO(ended.out << ended.err);
        CHECK(ended.status != 3);
        saved.insert(read_file(file));
      }
      INFO(run[0] << " " << format);
      CHECK(saved.size() == 1);
      CHECK(saved.begin()->size() > 1000);
    }
}

TEST_CASE("a saved run is repeated with its knobs and seed") {
  const Scratch scratch;
  const std::string saved = (scratch / "run.json").string();
  REQUIRE(p2plab({"run", "deadlock", "--set", "variant=ordered", "--seed", "77", "--json", saved}).status == 0);
  const Result again = run({"--again", saved});
  CHECK(again.run["seed"] == 77);
  CHECK(again.run["knobs"]["variant"] == "ordered");
  CHECK(again.run["verdict"] == "pass");
  const Ended other = p2plab({"run", "corruption", "--again", saved});
  CHECK(other.status == 2);
  CHECK(other.err.find("holds a run of “deadlock”") != std::string::npos);
}

TEST_CASE("the pictures are on disk, and the summary speaks Chinese") {
  const Scratch scratch;
  const fs::path svg = scratch / "线.svg", png = scratch / "线.png";
  const Ended ended = p2plab({"run", "deadlock", "--svg", svg.string(), "--png", png.string(), "--lang", "zh"});
  CHECK(ended.status == 0);
  CHECK(read_file(svg).find("<svg") != std::string::npos);
  CHECK(read_file(png).substr(1, 3) == "PNG");
  CHECK(ended.out.find("死锁") != std::string::npos);
  CHECK(ended.out.find('[' + std::string("summary")) == std::string::npos);
}

TEST_CASE("Ctrl-C in a repeated run shows and saves the last that came to its end, with the numbers of those that did") {
  const std::string mark = "8" + std::to_string(getpid()) + "77";
  const Scratch scratch;
  const std::string whole = (scratch / "whole.json").string(), kept = (scratch / "kept.json").string();
  const std::vector<std::string> one{"run", "corruption", "--set", "variant=wait-first", "--set", "receiver_delay_ms=700", "--seed", mark};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), one.begin(), one.end());
    return more;
  };
  REQUIRE(p2plab(with({"--trace", whole})).status == 0);
  Running running(with({"--repeat", "20", "--trace", kept, "--json", "-"}));
  REQUIRE(eventually([&] { return running.err().find("Run 2 of 20") != std::string::npos; }));
  // p2plab and its mpiexec stay; the ranks of the third run are those that come now.
  REQUIRE(eventually([&] { return processes_with(mark).size() >= 4; }));
  kill(running.pid(), SIGINT);
  const Ended ended = running.wait();
  INFO(ended.err);
  CHECK(ended.status == 130);
  CHECK(ended.err.find("Stopped after 2 of 20 runs") != std::string::npos);
  CHECK(ended.err.find("Run 3 of 20") == std::string::npos);
  const json out = json::parse(ended.out, nullptr, false);
  REQUIRE_FALSE(out.is_discarded());
  CHECK(out["verdict"] == "not-run");
  CHECK(out["why"]["id"] == "why.stopped");
  CHECK(out["metrics"]["corrupt_bytes"]["n"] == 2);
  const json saved = json::parse(read_file(kept)), complete = json::parse(read_file(whole));
  const auto spans = [](const json& trace) { return std::count_if(trace["traceEvents"].begin(), trace["traceEvents"].end(), [](const json& event) { return event["ph"] == "X"; }); };
  CHECK(spans(complete) > 0);
  CHECK(spans(saved) == spans(complete));
}

TEST_CASE("Ctrl-C in the first of several runs says that none came to its end") {
  const std::string mark = "7" + std::to_string(getpid()) + "77";
  Running running({"run", "corruption", "--set", "variant=wait-first", "--set", "receiver_delay_ms=5000", "--seed", mark, "--repeat", "20", "--json", "-"});
  REQUIRE(eventually([&] { return processes_with(mark).size() >= 4; }));
  kill(running.pid(), SIGINT);
  const Ended ended = running.wait();
  INFO(ended.err);
  CHECK(ended.status == 130);
  const json out = json::parse(ended.out, nullptr, false);
  REQUIRE_FALSE(out.is_discarded());
  CHECK(out["verdict"] == "not-run");
  CHECK(out["why"]["id"] == "why.stopped_first");
}

TEST_CASE("Ctrl-C ends the run with 130, keeps what there is, and leaves no process behind") {
  const std::string mark = "9" + std::to_string(getpid()) + "77";
  const Scratch scratch;
  const fs::path svg = scratch / "so-far.svg";
  Running running({"run", "corruption", "--set", "variant=wait-first", "--set", "receiver_delay_ms=5000", "--seed", mark, "--svg", svg.string()});
  // p2plab itself, its supervisor and the ranks carry the seed in their command lines.
  REQUIRE(eventually([&] { return processes_with("demo-corruption").size() >= 2 && processes_with(mark).size() >= 4; }));
  kill(running.pid(), SIGINT);
  const Ended ended = running.wait();
  INFO(ended.err);
  CHECK(ended.status == 130);
  CHECK(processes_with(mark).empty());
  CHECK(fs::exists(svg));
}

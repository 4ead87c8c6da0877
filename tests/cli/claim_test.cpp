// p2plab claims, claim show and claim run: exit status, outcome, JSON, report.
#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/cli/process.h"
#include "tests/support/catch.h"
#include <nlohmann/json.hpp>

using cli_test::p2plab;
using nlohmann::json;

namespace {

/// Without blanks and line ends: where a line is broken does not matter.
std::string dense(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

}  // namespace

TEST_CASE("claims are listed, for people and as JSON") {
  const auto listed = p2plab({"claims", "--json", "-"});
  REQUIRE(listed.status == 0);
  const auto all = json::parse(listed.out);
  CHECK(all["schema"] == "p2plab.claims/1");
  CHECK(all["claims"].size() >= 60);
  CHECK(p2plab({"claims", "--lang", "zh"}).out.find("不成立") != std::string::npos);
}

TEST_CASE("a false claim that is refuted is a success, with the number and the better sentence") {
  const auto ran = p2plab({"claim", "run", "1f1b-smaller-bubble", "--json", "-"});
  REQUIRE(ran.status == 0);
  const auto out = json::parse(ran.out);
  CHECK(out["schema"] == "p2plab.claim/1");
  CHECK(out["outcome"] == "refuted");
  CHECK(out["as_declared"] == true);
  CHECK(out["number"] == Approx(1.0));
  CHECK(ran.err.find("Same bubble") != std::string::npos);
}

TEST_CASE("a run repeats the verdict that the list has, with its condition, beside what came of it") {
  struct Wanted { const char *lang, *claim, *outcome, *verdict, *why; };
  for (const auto& wanted : {Wanted{"en", "must-be-nonblocking", "refuted", "Verdict on the claim: false.", ""}, Wanted{"en", "pipeline-must-be-p2p", "refuted", "Verdict on the claim: misleading.", ""},
                             Wanted{"en", "send-first-deadlocks", "confirmed", "Verdict on the claim: holds under a condition.", "larger than what the library buffers"},
                             Wanted{"zh", "send-first-deadlocks", "confirmed", "这条说法的结论：有条件成立。", "前提是消息大于库愿意缓存的大小"}}) {
    const auto ran = p2plab({"claim", "run", wanted.claim, "--lang", wanted.lang, "--json", "-"});
    REQUIRE(ran.status == 0);
    INFO(ran.err);
    const auto out = json::parse(ran.out);
    CHECK(out["outcome"] == wanted.outcome);
    CHECK(dense(ran.err).find(dense(wanted.verdict)) != std::string::npos);
    CHECK(dense(ran.err).find(dense(wanted.why)) != std::string::npos);
    CHECK(out["verdict_why"][wanted.lang].get<std::string>().find(wanted.why) != std::string::npos);
  }
}

TEST_CASE("the counter-setting says the other side") {
  const auto ran = p2plab({"claim", "run", "1f1b-smaller-bubble", "--counter", "--json", "-"});
  REQUIRE(ran.status == 0);
  CHECK(json::parse(ran.out)["outcome"] == "confirmed");
}

TEST_CASE("the same claim gives the same JSON twice") {
  const std::vector<std::string> command{"claim", "run", "all-reduce-pipeline-serial", "--json", "-"};
  CHECK(p2plab(command).out == p2plab(command).out);
}

TEST_CASE("what no run can show is documented, with its sources") {
  const auto ran = p2plab({"claim", "run", "gpipe-title-large"});
  CHECK(ran.status == 0);
  CHECK(ran.out.find("documented") != std::string::npos);
  CHECK(ran.out.find("Giant Neural Networks") != std::string::npos);
  CHECK(p2plab({"claim", "run", "gpipe-title-large", "--counter"}).status == 2);
}

TEST_CASE("a claim that is to run on real MPI and stays on the virtual clock says so, and a documented one ran nowhere") {
  for (const std::string lang : {"en", "zh"}) {
    const auto sim = p2plab({"claim", "run", "prefetch-like-nonblocking", "--backend", "host", "--lang", lang});
    CHECK(sim.status == 0);
    const std::string on_sim = lang == "en" ? " · on sim" : " · 在 sim 上", schedule = lang == "en" ? " · a schedule" : " · 仅调度";
    CHECK(sim.out.find(on_sim) != std::string::npos);
    CHECK(p2plab({"claim", "run", "prefetch-like-nonblocking", "--lang", lang}).out.find(on_sim) == std::string::npos);
    const auto computed = p2plab({"claim", "run", "1f1b-never-loses", "--backend", "host", "--lang", lang});
    CHECK(computed.out.find(schedule) != std::string::npos);
    CHECK(computed.out.find(on_sim) == std::string::npos);
    CHECK(p2plab({"claim", "run", "gpipe-title-large", "--backend", "host", "--lang", lang}).out.find(on_sim) == std::string::npos);
  }
}

TEST_CASE("a claim is shown with its verdict, experiment and sources, in either language") {
  const auto en = p2plab({"claim", "show", "must-be-nonblocking"});
  CHECK(en.status == 0);
  CHECK(en.out.find("$ p2plab run pipeline") != std::string::npos);
  CHECK(en.out.find("DeepSpeed") != std::string::npos);
  CHECK(p2plab({"claim", "show", "must-be-nonblocking", "--lang", "zh"}).out.find("不成立") != std::string::npos);
}

TEST_CASE("a report is a page with its pictures") {
  const cli_test::Scratch scratch;
  const auto ran = p2plab({"claim", "run", "1f1b-never-loses", "--html", (scratch / "报告 1.html").string()});
  REQUIRE(ran.status == 0);
  const std::string page = cli_test::read_file(scratch / "报告 1.html");
  CHECK(page.find("<svg") != std::string::npos);
  CHECK(page.find("eager 1F1B wins it back") != std::string::npos);
  CHECK(page.find("<script") == std::string::npos);
}

TEST_CASE("a counter-setting neither confirms nor refutes the claim: it says on which side its number falls, or which other sentence it decides") {
  const auto same = p2plab({"claim", "run", "1f1b-never-loses", "--counter"});
  REQUIRE(same.status == 0);
  CHECK(same.out.find("As claimed, at this setting") != std::string::npos);
  CHECK(same.out.find("confirmed") == std::string::npos);
  const auto other = p2plab({"claim", "run", "interleaving-saves-memory", "--counter", "--json", "-"});
  REQUIRE(other.status == 0);
  CHECK(other.err.find("Another sentence, confirmed: Interleaving has a smaller bubble than 1F1B.") != std::string::npos);
  CHECK(other.err.find("✓") == std::string::npos);
  CHECK(json::parse(other.out)["sentence"]["en"] == "Interleaving has a smaller bubble than 1F1B.");
  CHECK(p2plab({"claim", "run", "interleaving-saves-memory", "--counter", "--lang", "zh"}).out.find("另一句话") != std::string::npos);
}

TEST_CASE("a reader is told in words what number is looked at; its path is for programs") {
  for (const char* lang : {"en", "zh"})
    for (const std::vector<std::string>& command : {std::vector<std::string>{"claim", "show", "p2p-is-lego"}, {"claim", "show", "1f1b-smaller-bubble"}, {"claim", "run", "1f1b-smaller-bubble"}}) {
      auto words = command;
      words.insert(words.end(), {"--lang", lang});
      const auto said = p2plab(words);
      CHECK(said.status == 0);
      INFO(said.out);
      CHECK(said.out.find("metrics.") == std::string::npos);
      CHECK(said.out.find("<=") == std::string::npos);
      CHECK(said.out.find(std::string(lang) == "en" ? " over " : "÷") != std::string::npos);
    }
  const auto details = p2plab({"claim", "show", "p2p-is-lego", "--json", "-"});
  REQUIRE(details.status == 0);
  CHECK(json::parse(details.out)["experiment"]["number"]["metric"] == "metrics.table[algorithm=ring].sent_bytes");
}

TEST_CASE("among all claims, too, what is documented comes with its citation") {
  const cli_test::Scratch scratch;
  const std::string out = (scratch / "out").string();
  cli_test::Running running({"claim", "run", "--all"}, {}, out);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(240);  // against a hang
  const auto documented = [&] { return cli_test::read_file(out).find("gpipe-title-large"); };  // of the first topic
  while ((documented() == std::string::npos || cli_test::lines(cli_test::read_file(out).substr(documented())) < 5) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(running.pid(), SIGINT);
  running.wait();
  REQUIRE(documented() != std::string::npos);
  CHECK(cli_test::read_file(out).find("Giant Neural Networks", documented()) != std::string::npos);
}

TEST_CASE("all claims run to their end come out as declared, twice the same to the letter, and make a page with a section each") {
  const cli_test::Scratch scratch;
  const auto all = [&](const std::string& name) {
    const std::string data = (scratch / (name + ".json")).string();
    const auto ran = p2plab({"claim", "run", "--all", "--html", (scratch / (name + ".html")).string(), "--json", data});
    INFO(ran.err);
    CHECK(ran.status == 0);
    return json::parse(cli_test::read_file(data));
  };
  const json first = all("first");
  CHECK(first["as_declared"] == true);
  CHECK_FALSE(first.contains("interrupted"));
  const json listed = json::parse(p2plab({"claims", "--json", "-"}).out)["claims"];
  REQUIRE(first["claims"].size() == listed.size());
  std::map<std::string, int> outcomes;
  for (const json& claim : first["claims"]) ++outcomes[claim["outcome"]];
  for (const auto& [outcome, count] : outcomes) CHECK(first["counts"][outcome] == count);
  const std::string page = cli_test::read_file(scratch / "first.html");
  for (const json& claim : listed) CHECK(page.find("<article id=\"" + claim["id"].get<std::string>() + "\">") != std::string::npos);
  CHECK(all("second") == first);
}

TEST_CASE("a report of claims that was interrupted says how many there are, on the page, in the terminal and in the JSON") {
  for (const std::string lang : {"en", "zh"}) {
    const cli_test::Scratch scratch;
    const std::string page = (scratch / "r.html").string(), out = (scratch / "out").string(), data = (scratch / "r.json").string();
    cli_test::Running running({"claim", "run", "--all", "--html", page, "--json", data, "--lang", lang}, {}, out);
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(120);  // against a hang
    while (cli_test::lines(cli_test::read_file(out)) < 3 && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    REQUIRE(cli_test::lines(cli_test::read_file(out)) >= 3);  // one claim is done
    kill(running.pid(), SIGINT);
    const auto ended = running.wait();
    CHECK(ended.status == 130);
    const auto report = json::parse(cli_test::read_file(data));
    const int done = report["interrupted"]["done"], all = report["interrupted"]["of"];
    CHECK(done >= 1);
    CHECK(done < all);
    const std::string says = lang == "en" ? "Interrupted: " + std::to_string(done) + " of " + std::to_string(all)
                                          : "已中断：共 " + std::to_string(all) + " 条，只运行了 " + std::to_string(done) + " 条";
    CHECK(ended.out.find(says) != std::string::npos);
    CHECK(cli_test::read_file(page).find(says) != std::string::npos);
    CHECK(cli_test::read_file(page).find("</html>") != std::string::npos);
  }
}

TEST_CASE("one claim that was interrupted says so, too") {
  const cli_test::Scratch scratch;
  const std::string out = (scratch / "out").string(), data = (scratch / "r.json").string();
  cli_test::Running running({"claim", "run", "must-be-nonblocking", "--json", data}, {{"TMPDIR", (scratch / "").string()}}, out);
  const auto begun = [&] {
    const std::filesystem::directory_iterator all((scratch / "").string());
    return std::any_of(begin(all), end(all), [](const auto& entry) { return entry.path().filename().string().starts_with("p2plab-claim-"); });
  };
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(120);  // against a hang
  while (!begun() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(running.pid(), SIGINT);
  const auto ended = running.wait();
  CHECK(ended.status == 130);
  CHECK(ended.out.find("Interrupted: 0 of 1 claim") != std::string::npos);
  CHECK(json::parse(cli_test::read_file(data))["interrupted"]["done"] == 0);
}

TEST_CASE("a backend that is not here is refused by claims as by demos: the same sentence, the same exit status") {
  for (const char* backend : {"cuda", "nccl", "gpu"}) {
    const auto claim = p2plab({"claim", "run", "send-first-deadlocks", "--backend", backend}), demo = p2plab({"run", "deadlock", "--backend", backend});
    INFO(backend << ": " << claim.err << demo.err);
    if (demo.status != 2) continue;  // a machine with a GPU
    CHECK(claim.status == 2);
    CHECK(claim.err == demo.err);
  }
}

TEST_CASE("claim is told what to run, and only what there is") {
  CHECK(p2plab({"claim"}).status == 2);
  CHECK(p2plab({"claim", "run"}).status == 2);
  CHECK(p2plab({"claim", "run", "x", "--all"}).status == 2);
  const auto near = p2plab({"claim", "run", "gpipe-is-1f1"});
  CHECK(near.status == 2);
  CHECK(near.err.find("gpipe-is-1f1b") != std::string::npos);
  CHECK(p2plab({"claim", "run", "gpipe-is-1f1b", "--backend", "cuda"}).status == 2);
  CHECK(cli_test::lines(p2plab({"claim", "run", "gpipe-is-1f1b", "--backend", "cuda"}).err) == 1);
}

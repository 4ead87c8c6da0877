// Numbers that claims and cards quote of runs without running them: both languages have what the runs print.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/content/card.h"
#include "app/content/claim.h"
#include "app/content/live_block.h"
#include "app/content/structure.h"
#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace p2plab;

namespace {

const std::filesystem::path kTree = P2PLAB_SOURCE_DIR;

const content::Claim& claim(const std::string& id) {
  static const content::Claims all(kTree / "assets/claims");
  return all.at(id);
}
const content::Card& card(const std::string& id) {
  static const content::Cards all(kTree / "assets/drill");
  const content::Card* found = all.find(id);
  REQUIRE(found != nullptr);
  return *found;
}

nlohmann::json metrics_of(const std::string& command) {
  static std::map<std::string, nlohmann::json> known;
  const auto [at, fresh] = known.try_emplace(command);
  if (!fresh) return at->second;
  auto words = content::command_words(command);
  words.insert(words.end(), {"--json", "-"});
  const auto ended = cli_test::p2plab(words);
  INFO(command << "\n" << ended.err);
  REQUIRE(ended.status == 0);
  return at->second = nlohmann::json::parse(ended.out)["metrics"];
}

/// Both languages say this number, rounded so.
void check_said(const content::Twin& text, double value, int decimals = 0) {
  const std::string number = fmt::format("{:.{}f}", value, decimals);
  for (const std::string& words : {text.en, text.zh}) {
    const auto numbers = content::numbers_in(words);
    INFO(number << " is not said: " << words);
    CHECK(std::find(numbers.begin(), numbers.end(), number) != numbers.end());
  }
}

/// 1F1B on 4 stages with 16 microbatches; the latency is this share of F, 0 on a link that costs nothing.
nlohmann::json pipeline(const std::string& communication, int latency_percent, bool rendezvous) {
  // 20 µs of Ethernet are 1 % of 2 ms, 2 ms of slow motion 10 % of 20 ms and all of 2 ms.
  const std::string link = latency_percent == 0 ? "raw" : latency_percent == 1 ? "ethernet10" : "slow-motion";
  const int forward_us = latency_percent == 10 ? 20'000 : 2'000;
  return metrics_of(fmt::format("run pipeline --backend sim --link {} --set microbatches=16 --set bytes=1024 --set communication={} --set forward_us={} --set backward_us={}{}", link, communication,
                                forward_us, 2 * forward_us, rendezvous ? " --set eager_limit=0" : ""));
}
double step(const nlohmann::json& metrics) { return metrics["step_ns"].get<double>(); }
/// By how many per cent a blocking step is longer than one whose messages cost nothing.
double loss(int latency_percent, bool rendezvous) {
  const double free = step(pipeline("blocking", 0, false)) * (latency_percent == 10 ? 10 : 1);
  return 100 * (step(pipeline("blocking", latency_percent, rendezvous)) / free - 1);
}

}  // namespace

TEST_CASE("what blocking is said to cost is what blocking calls cost, under the protocol that is named") {
  const auto& grows = claim("blocking-grows-bubble").better;
  check_said(grows, step(pipeline("blocking", 0, false)) / 1e6);
  for (const bool rendezvous : {false, true}) {
    const auto metrics = pipeline("blocking", 100, rendezvous);
    check_said(grows, step(metrics) / 1e6);
    check_said(grows, 100 * metrics["bubble_ratio"].get<double>());
  }
  const auto& must = claim("must-be-nonblocking");
  check_said(must.why, loss(1, true), 1);
  check_said(must.better, loss(1, true), 1);
  CHECK(std::abs(loss(1, false) - 0.5) < 0.05);  // in words: half a per cent, 千分之五
  CHECK(std::abs(loss(100, false) - 50) < 1);    // half as long again, 增加一半
  const double free = step(pipeline("blocking", 0, false));
  check_said(must.better, step(pipeline("blocking", 100, true)) / free, 1);
  check_said(must.better, step(pipeline("nonblocking", 100, true)) / free, 1);
  const auto& answer = card("tf-must-nonblocking").answer;
  check_said(answer, loss(1, false), 1);
  check_said(answer, loss(1, true), 1);
  check_said(answer, loss(10, false), 1);
  check_said(answer, loss(10, true));
  check_said(answer, loss(100, false));
  check_said(answer, loss(100, true));
  check_said(answer, 100 * (1 - step(pipeline("nonblocking", 100, true)) / step(pipeline("blocking", 100, true))));
}

TEST_CASE("isend gains nothing on eager messages and frees a sender that has to wait: the texts say which") {
  CHECK(pipeline("nonblocking", 100, false)["gain_over_blocking"] == 1.0);
  CHECK(pipeline("nonblocking", 100, true)["gain_over_blocking"].get<double>() > 1.1);
  for (const content::Twin* text : {&claim("resume-plus-fifteen").why, &claim("must-be-nonblocking").better, &card("tf-must-nonblocking").answer, &card("pitch-overlap").two_minutes})
    for (const std::string& words : {text->en, text->zh}) {
      INFO(words);
      CHECK(words.find("eager") != std::string::npos);
      CHECK(words.find("rendezvous") != std::string::npos);
    }
}

TEST_CASE("what latency adds to the idle time is told by the simulator's own causes") {
  const auto causes = [](const std::string& latency) { return metrics_of("sim 1f1b -p 4 -m 16 --forward 1ms --backward 2ms" + latency)["idle_by_cause"]; };
  const auto without = causes(""), with = causes(" --latency 1ms");
  for (const content::Twin* text : {&claim("blocking-grows-bubble").why, &card("fu-latency-1f1b").answer}) {
    for (const char* cause : {"warm_up", "drain", "upstream"}) {
      CHECK(without[cause] < with[cause]);  // no part of it stays as it was
      check_said(*text, without[cause].get<double>() / 1e6);
      check_said(*text, with[cause].get<double>() / 1e6);
    }
    CHECK(without["exposed_transfer"] == 0);
    check_said(*text, with["exposed_transfer"].get<double>() / 1e6);
  }
}

TEST_CASE("the n½ that is said of a link is that of its preset") {
  const auto listed = cli_test::p2plab({"links", "--json", "-"});
  REQUIRE(listed.status == 0);
  const auto links = nlohmann::json::parse(listed.out);
  const auto n_half = [&](const std::string& id) {
    for (const auto& link : links["links"])
      if (link["id"] == id) return link["n_half_bytes"].get<double>();
    FAIL("no link " << id);
    return 0.0;
  };
  const auto& better = claim("crossover-one-megabyte").better;
  check_said(better, n_half("ethernet10") / 1e3);
  check_said(better, n_half("ethernet100") / 1e3);
  check_said(better, n_half("nvlink") / 1e6, 1);
}

TEST_CASE("interleaving multiplies the messages by (pv−1)/(p−1), in the run and where its price is told") {
  const double once = metrics_of("sim 1f1b -p 4 -m 8")["messages"].get<double>();
  for (const int v : {2, 4}) CHECK(metrics_of(fmt::format("sim interleaved-1f1b -p 4 -m 8 --chunks {}", v))["messages"].get<double>() / once == Approx((4.0 * v - 1) / 3));
  const auto& told = card("fu-interleaved");
  for (const content::Twin* text : {&told.answer, &told.points[1].text, &claim("interleaving-saves-memory").why, &claim("interleaving-saves-memory").better, &claim("interleaving-free").why})
    for (const std::string& words : {text->en, text->zh}) {
      INFO(words);
      CHECK(words.find("(pv−1)/(p−1)") != std::string::npos);
    }
  for (const char* file : {"en.md", "zh.md"}) {  // the row of the table of all schedules
    const std::string lesson = cli_test::read_file(kTree / "assets/lessons/pipeline-parallelism" / file);
    CHECK(lesson.find("| p(1+(p−1)/(pv)) | (pv−1)/(p−1) |") != std::string::npos);
  }
}

TEST_CASE("what each rank of a ring sends is said for the p at which it is said") {
  const auto& answer = card("pr-ring-bytes").answer;
  for (const std::string& words : {answer.en, answer.zh}) {
    INFO(words);
    CHECK(words.find("2(p−1)/p") != std::string::npos);
    CHECK(words.find("p = 2") != std::string::npos);  // exactly the data: 2·1/2
  }
  check_said(answer, 2.0 * (3 - 1) / 3, 2);
}

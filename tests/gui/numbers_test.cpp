#include "app/gui/model/numbers.h"

#include <algorithm>

#include "app/launch/installation.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;
using nlohmann::ordered_json;

namespace {

const content::Text& text() {
  static const content::Text all(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/text", content::Language::en);
  return all;
}

check::RunRequest pipeline() {
  check::RunRequest out;
  out.demo = "pipeline";
  out.ranks = 4;
  out.knobs = {{"schedule", "1f1b"}, {"communication", "overlapped"}, {"microbatches", "8"}, {"forward_us", "4000"}, {"backward_us", "8000"}};
  return out;
}

const Number& find(const std::vector<Number>& all, const std::string& id) {
  for (const auto& each : all)
    if (each.id == id) return each;
  FAIL("no number " << id);
  return all.front();
}

}  // namespace

TEST_CASE("a figure has the unit that its name states") {
  CHECK(figure("bubble_ratio", 0.2812) == "0.281");
  CHECK(figure("overlap", 0.936) == "93.6 %");
  CHECK(figure("eager_limit_bytes", 65536) == "64 KiB");
  CHECK(figure("peak_in_flight", ordered_json::array({4, 3, 2, 1})) == "4 3 2 1");
  CHECK(figure("peak_in_flight", ordered_json::array({8, 6.5, 4.25})) == "8 6.5 4.25");
  CHECK(figure("grad_error", 1.2e-7) == "1.2e-07");
  CHECK(figure("overlap", nullptr) == "–");
  CHECK(figure("step_ns", {{"median", 132000000}, {"min", 1}, {"max", 2}, {"n", 3}}) == figure("step_ns", 132000000));
}

TEST_CASE("bytes that arrived wrong are counted, not rounded to a unit") { CHECK(figure("corrupt_bytes", 1044526) == "1044526"); }

TEST_CASE("under NCCL's rules the limit of a send is the knob's, and is not said to be measured") {
  check::DemoManifest demo;
  demo.metrics = {"eager_limit_bytes"};
  check::RunRequest request;
  request.backend = "host";
  for (const bool nccl : {false, true}) {
    request.semantics = nccl ? "nccl" : "mpi";
    const auto all = numbers(demo, request, {{"eager_limit_bytes", 0}}, nullptr, text());
    CHECK((find(all, "eager_limit_bytes").title.find("nccl_buffer") != std::string::npos) == nccl);
    CHECK((find(all, "eager_limit_bytes").how.find("measured") == std::string::npos) == nccl);
  }
}

TEST_CASE("the time of a proof on the virtual clock is said without the machine, a late one on the real clock with it") {
  check::DemoManifest demo;
  demo.metrics = {"detect_ns"};
  check::RunRequest request;
  for (const char* backend : {"sim", "host"}) {
    request.backend = backend;
    const auto all = numbers(demo, request, {{"detect_ns", 231000000}}, nullptr, text());
    CHECK((find(all, "detect_ns").beside.find("busy") == std::string::npos) == (request.backend == "sim"));
  }
}

TEST_CASE("the bubble stands beside its ideal, and the ideal does not stand by itself") {
  check::DemoManifest demo;
  demo.metrics = {"bubble_ratio", "bubble_ideal_ratio", "step_ns", "peak_in_flight"};
  const ordered_json metrics{{"bubble_ratio", 0.281}, {"bubble_ideal_ratio", 3.0 / 11}, {"step_ns", 134200000}, {"peak_in_flight", {4, 3, 2, 1}}};
  const auto all = numbers(demo, pipeline(), metrics, nullptr, text());
  REQUIRE(all.size() == 3);
  CHECK(find(all, "bubble_ratio").beside.find("0.273") != std::string::npos);
  CHECK(find(all, "step_ns").beside.find("132.0") != std::string::npos);  // (8+3) (4+8) ms
  CHECK(find(all, "peak_in_flight").beside == "GPipe: 8 8 8 8");
  for (const auto& each : all) CHECK_FALSE(each.how.empty());

  auto zero_bubble = pipeline();  // 8 (4+8) ms of work, one part in nine idle
  zero_bubble.knobs["schedule"] = "zb-h1";
  const ordered_json measured{{"bubble_ratio", 0.133}, {"bubble_ideal_ratio", 1.0 / 9}, {"step_ns", 112000000}, {"peak_in_flight", {4, 4, 4, 4}}};
  const auto other = numbers(demo, zero_bubble, measured, nullptr, text());
  CHECK(find(other, "step_ns").beside.find("108.0") != std::string::npos);
  for (const char* id : {"bubble_ratio", "step_ns"}) {
    CHECK(find(other, id).beside.find("m+p") == std::string::npos);
    CHECK(find(other, id).beside.find("zb-h1") != std::string::npos);
  }
}

TEST_CASE("the run before stands beside, and what was different in it is said with the names of what differed") {
  const auto demos = check::load_demos(launch::Installation::find().demos());
  const auto& demo = *std::find_if(demos.begin(), demos.end(), [](const auto& each) { return each.id == "pipeline"; });
  auto before = pipeline();
  before.knobs["communication"] = "blocking";
  before.knobs["microbatches"] = "2";
  before.knobs["forward_us"] = "2000";
  CHECK(difference(demo, pipeline(), before, text()) == "Communication blocking, Forward time 2000 µs, Microbatches m 2");
  before = pipeline();
  before.knobs["communication"] = "blocking";
  before.backend = "sim";
  before.ranks = 8;
  before.strict = true;
  const auto zh = content::Text(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/text", content::Language::zh);
  CHECK(difference(demo, pipeline(), before, zh) == demo.knob("communication")->title.zh + " blocking, 8 个 rank, sim, strict");
  check::DemoManifest bare;
  bare.metrics = {"exposed_ns"};
  const ordered_json now{{"exposed_ns", 1900000}}, then{{"exposed_ns", 21400000}};
  const auto all = numbers(bare, pipeline(), now, &then, text());
  REQUIRE(all.size() == 1);
  CHECK(all[0].before == "21.400 ms");
}

TEST_CASE("NCCL itself has no eager limit to show") {
  check::DemoManifest demo;
  demo.metrics = {"eager_limit_bytes"};
  check::RunRequest request;
  request.backend = request.semantics = "nccl";
  CHECK(numbers(demo, request, {{"eager_limit_bytes", 0}}, nullptr, text()).empty());
}

TEST_CASE("before a run the places of the numbers are there, without figures") {
  check::DemoManifest demo;
  demo.metrics = {"eager_limit_bytes", "detect_ns"};
  const auto all = numbers(demo, {}, ordered_json::object(), nullptr, text());
  REQUIRE(all.size() == 2);
  CHECK(all[0].figure == "–");
}

TEST_CASE("a proof that took longer than the lab's bound is not said to lie within it") {
  check::DemoManifest demo;
  demo.metrics = {"detect_ns"};
  const auto beside = [&](std::int64_t ns) { return numbers(demo, {}, ordered_json{{"detect_ns", ns}}, nullptr, text()).at(0).beside; };
  CHECK(beside(34'000'000).find("100 ms") != std::string::npos);
  CHECK(beside(108'000'000).find("beyond") != std::string::npos);
  CHECK(beside(34'000'000).find("beyond") == std::string::npos);
}

TEST_CASE("causes of the bubble are shares of its whole, largest first") {
  const ordered_json metrics{{"idle_by_cause", {{"warm_up", 100}, {"drain", 300}, {"straggler", 0}}}};
  const auto all = shares(metrics, text());
  REQUIRE(all.size() == 2);
  CHECK(all[0].id == "drain");
  CHECK(all[0].value == Approx(0.75));
  CHECK(shares(ordered_json::object(), text()).empty());
}

TEST_CASE("a copied number carries its conditions") {
  const Number number{"bubble_ratio", "Bubble", "0.281", "ideal 0.273", {}, {}};
  const auto copied = as_text(number, "4 ranks · seed 1");
  CHECK(copied.find("bubble_ratio = 0.281") != std::string::npos);
  CHECK(copied.find("4 ranks · seed 1") != std::string::npos);
}

TEST_CASE("the ideal of the naive schedule has its own formula") {
  check::DemoManifest demo;
  demo.metrics = {"bubble_ratio"};
  auto request = pipeline();
  request.knobs["schedule"] = "naive";
  const ordered_json metrics{{"bubble_ratio", 0.76}, {"bubble_ideal_ratio", 0.75}};
  CHECK(numbers(demo, request, metrics, nullptr, text()).at(0).beside.find("(p−1)/p") != std::string::npos);
}

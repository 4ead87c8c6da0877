// Every number of the window can be had as text, with the conditions it was measured under.
#include "app/gui/model/copied.h"

#include "app/report/quantity.h"
#include "tests/gui/app_stage.h"
#include "tests/report/support.h"
#include "tests/support/synthetic_trace.h"

using namespace p2plab;
using namespace p2plab::gui;
using stage_test::AppStage;

namespace {

const std::string kConditions = "2 ranks · sim · seed 1";

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t out = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++out;
  return out;
}

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("a copied cause of the bubble has its name, its time, its share and the conditions") {
  CHECK(as_text(Share{"drain", "Drain", 0.75, "3.000 ms"}, kConditions) == "idle_by_cause.drain = 3.000 ms  (75.0 %)  [2 ranks · sim · seed 1]");
}

TEST_CASE("a copied stretch of time has every number of its card, its place on the axis, and the conditions") {
  const auto trace = synthetic::pipeline();
  const report::Range range{10'000'000, 40'000'000};
  const auto statistics = report::range_statistics(trace, range);
  REQUIRE_FALSE(statistics.kinds.empty());
  for (const auto language : {content::Language::en, content::Language::zh}) {
    const auto text = tests::text(language);
    const auto copied = as_text(statistics, range, 4'000'000, kConditions, text);
    INFO(copied);
    CHECK(count(copied, "[" + kConditions + "]") == 1);
    CHECK(has(copied, text("timeline.selection", {{"time", "30.000 ms"}}) + "  (6.000 ms – 36.000 ms)"));
    for (const auto& kind : statistics.kinds) {
      CHECK(has(copied, text(std::string("span.") + report::kind_word(kind.kind))));
      for (const auto ns : {kind.sum, kind.min, kind.mean(), kind.max}) CHECK(has(copied, report::duration(ns)));
    }
    CHECK(has(copied, fmt::format("{:.1f}", statistics.overlap.ratio().value() * 100)));
    CHECK_FALSE(has(copied, "[timeline"));  // a missing text would show as its id
  }
}

TEST_CASE("copied bytes have rank, offset and both rows; copied hashes rank, call and both values") {
  trace::Trace trace;
  trace::Span span;
  span.track = trace.track(1, trace.intern("host"));
  span.kind = trace::Kind::send;
  span.name = trace.intern("isend");
  const auto id = trace.begin(span);
  const auto text = tests::text();
  const auto bytes = as_text(Difference{4096, {0x00, 0xff}, {0x01, 0xfe}, 1}, kConditions, text);
  for (const std::string part : {"4096", "00 ff", "01 fe", kConditions.c_str()}) CHECK(has(bytes, part));
  CHECK(as_text(ChangedPayload{id, 7, 8}, trace, kConditions, text) == "rank 1  isend  0000000000000007 → 0000000000000008  [" + kConditions + "]");
}

TEST_CASE("a copied mark of a chart has the chart's title, and a copied table its head and rows; both the conditions") {
  report::Chart chart;
  chart.title = "Time";
  CHECK(as_text(chart, {{}, "64 KiB\n12.5 µs"}, kConditions) == "Time: 64 KiB 12.5 µs  [" + kConditions + "]");
  const auto table = as_text(report::ResultTable{"All", {"bytes", "time"}, {{"1", "2"}, {"30", "40"}}}, kConditions);
  CHECK(table.starts_with("All  [" + kConditions + "]\n"));
  for (const char* part : {"bytes", "time", "30", "40"}) CHECK(has(table, part));
}

TEST_CASE("Y on the numbers copies causes and the selected stretch as well, each with the conditions; a click on a cause copies it") {
  AppStage stage;
  REQUIRE(stage.app.model.choose_demo("pipeline"));
  stage.run_on_sim();
  const auto conditions = stage.app.conditions(stage.text);
  const auto causes = shares(stage.app.session.result()->metrics, stage.text);
  REQUIRE_FALSE(causes.empty());
  stage.press(GLFW_KEY_Y);
  auto copied = AppStage::clipboard();
  INFO(copied);
  CHECK(has(copied, "bubble_ratio = "));
  for (const auto& cause : causes) CHECK(has(copied, as_text(cause, conditions)));
  CHECK(count(copied, "\n") == count(copied, "[" + conditions + "]"));

  stage.app.timeline.select(report::Range{0, 20'000'000});
  stage.press(GLFW_KEY_Y);
  CHECK(has(AppStage::clipboard(), stage.text("timeline.selection", {{"time", "20.000 ms"}})));
  CHECK(stage.copied_somewhere({230, 610}, {920, 790}, as_text(causes.front(), conditions)));
}

TEST_CASE("a click on the card of a selected stretch copies its numbers with the conditions, and leaves it selected") {
  AppStage stage;
  REQUIRE(stage.app.model.choose_demo("pipeline"));
  stage.run_on_sim();
  const report::Range range{0, 20'000'000};
  ImGui::SetClipboardText("");
  for (float y = 150; y < 420 && AppStage::clipboard().empty(); y += 12)
    for (float x = 350; x < 800 && AppStage::clipboard().empty(); x += 60) {
      stage.app.timeline.select(range);
      stage.frame();
      stage.click({x, y});
    }
  INFO(AppStage::clipboard());
  CHECK(has(AppStage::clipboard(), stage.text("timeline.selection", {{"time", "20.000 ms"}})));
  CHECK(has(AppStage::clipboard(), "[" + stage.app.conditions(stage.text) + "]"));
  CHECK(stage.app.timeline.range() == range);
}

TEST_CASE("on the bytes Y copies the difference and all hashes; a click copies one of them, that of a hash selects its operation too") {
  AppStage stage;
  REQUIRE(stage.app.model.choose_demo("corruption"));
  stage.run_on_sim();
  stage.app.model.tab = Tab::bytes;
  stage.rest();
  const auto conditions = stage.app.conditions(stage.text);
  const auto& trace = *stage.app.session.trace();
  const auto difference = first_difference(trace);
  const auto changed = changed_payloads(trace);
  REQUIRE(difference);
  REQUIRE_FALSE(changed.empty());
  stage.press(GLFW_KEY_Y);
  CHECK(has(AppStage::clipboard(), as_text(*difference, conditions, stage.text)));
  for (const auto& each : changed) CHECK(has(AppStage::clipboard(), as_text(each, trace, conditions, stage.text)));
  CHECK(stage.copied_somewhere({230, 610}, {500, 790}, as_text(*difference, conditions, stage.text)));
  CHECK(stage.copied_somewhere({230, 610}, {500, 790}, as_text(changed.front(), trace, conditions, stage.text)));
  CHECK(stage.app.selected == changed.front().span);
}

TEST_CASE("a click on a mark of a chart copies its numbers with the conditions, and Y the tables") {
  AppStage stage;
  REQUIRE(stage.app.model.choose_demo("topology"));
  stage.run_on_sim();
  const auto tables = report::result_tables(*stage.app.model.demo(), stage.app.session.result()->metrics, stage.text);
  REQUIRE_FALSE(tables.empty());
  const auto conditions = stage.app.conditions(stage.text);
  stage.press(GLFW_KEY_Y);
  for (const auto& table : tables) CHECK(has(AppStage::clipboard(), as_text(table, conditions)));
  CHECK(stage.copied_somewhere({230, 180}, {920, 520}, "[" + conditions + "]"));
  CHECK(has(AppStage::clipboard(), ": "));
}

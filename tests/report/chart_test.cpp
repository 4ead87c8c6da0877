// Charts: axes, amounts, what a demo's manifest makes of its tables, and every way to write them.
#include "app/report/chart.h"

#include "app/check/links.h"
#include "app/launch/installation.h"
#include "app/report/chart_axis.h"
#include "app/report/chart_picture.h"
#include "app/report/result_charts.h"
#include "app/report/svg_picture.h"
#include "app/report/terminal_chart.h"
#include "app/report/utf8.h"
#include "tests/report/support.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::report;
using nlohmann::ordered_json;

TEST_CASE("amounts are as short as a tick has to be") {
  CHECK(amount(Quantity::bytes, 65536) == "64 KiB");
  CHECK(amount(Quantity::time_ns, 1500) == "1.5 µs");
  CHECK(amount(Quantity::time_ns, 0) == "0");
  CHECK(amount(Quantity::bytes_per_s, 25e9) == "25 GB/s");
  CHECK(amount(Quantity::share, 0.125) == "12.5 %");
  CHECK(amount(Quantity::times, 1.5) == "1.5 ×");
  CHECK(amount(Quantity::count, kAbsent) == "–");
}

TEST_CASE("a linear axis begins at 0 and ends on a round value") {
  const ChartScale scale({"", Quantity::time_ns, false}, {3, 97, kAbsent});
  CHECK(scale.place(0) == 0);
  CHECK(scale.place(100) == Approx(1));
  const auto labels = scale.labels(6);
  CHECK(labels.front().text == "0");
  CHECK(labels.back().at == Approx(1));
}

TEST_CASE("a log axis spaces powers evenly, and 0 has a place of its own") {
  const ChartScale scale({"", Quantity::bytes, true}, {0, 1, 1024});
  CHECK(scale.place(0) == 0);
  CHECK(scale.place(1) > 0);
  CHECK(scale.place(1024) == Approx(1));
  CHECK(scale.place(32) - scale.place(1) == Approx(scale.place(1024) - scale.place(32)));
  for (const int most : {2, 5, 20}) CHECK(static_cast<int>(scale.labels(most).size()) <= most + 2);
}

namespace {

check::DemoManifest demo_of(const char* id) { return check::load_demo(launch::Installation::find().demos() / id); }
std::vector<check::Link> presets() { return check::load_links(launch::Installation::find().assets() / "links.toml"); }

ordered_json sweep() {
  ordered_json out = {{"alpha_ns", 1000}, {"beta_bytes_per_s", 1e9}, {"n_half_bytes", 1000}, {"eager_limit_bytes", 64}};
  for (const int bytes : {0, 8, 64, 4096})
    out["table"].push_back({{"bytes", bytes}, {"count", 3}, {"median_ns", 1000 + bytes}, {"p10_ns", 900 + bytes}, {"p90_ns", 1100 + bytes}});
  return out;
}

}  // namespace

TEST_CASE("a sweep becomes a curve with its spread, its fit, the presets and the named places") {
  const auto charts = result_charts(demo_of("latency-bandwidth"), sweep(), presets(), tests::text());
  REQUIRE(charts.size() == 1);  // the other one has no column to show
  const Chart& chart = charts.front();
  REQUIRE(chart.series.size() == 2 + 6);
  CHECK(chart.series[0].points.size() == 4);
  CHECK(chart.series[0].points[1].low == 908);
  CHECK(chart.series[1].points[3].y == Approx(1000 + 4096));
  CHECK(chart.series[2].style == ChartSeries::Style::reference);
  CHECK_FALSE(chart.series[2].source.empty());
  REQUIRE(chart.marks.size() == 2);
  CHECK(chart.marks[0].x == 1000);
}

TEST_CASE("rows by a column of words become one series each, and stacked bars one per column") {
  ordered_json metrics;
  metrics["ranks"] = {{{"rank", "rank 0"}, {"compute_ns", 5}, {"waiting_ns", 3}, {"transfer_ns", 1}},
                      {{"rank", "rank 1"}, {"compute_ns", 8}, {"waiting_ns", 0}, {"transfer_ns", 1}}};
  const auto bars = result_charts(demo_of("straggler"), metrics, {}, tests::text());
  REQUIRE(bars.size() == 1);
  CHECK(bars[0].categories == std::vector<std::string>{"rank 0", "rank 1"});
  REQUIRE(bars[0].series.size() == 3);
  CHECK(bars[0].series[1].hatched);
  CHECK(bars[0].series[0].points[1].y == 8);

  metrics["table"] = {{{"bytes", 1}, {"algorithm", "ring"}, {"time_ns", 7}, {"sent_bytes", 2}}, {{"bytes", 1}, {"algorithm", "send"}, {"time_ns", 5}, {"sent_bytes", nullptr}}};
  const auto lines = result_charts(demo_of("p2p-vs-collective"), metrics, {}, tests::text());
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].series.size() == 2);
  CHECK(lines[1].series.size() == 1);  // what is not known is not drawn
}

TEST_CASE("every chart of every demo is drawn as SVG, in both languages, and fits a terminal") {
  ordered_json matrix;
  for (int from = 0; from < 3; ++from)
    for (int to = 0; to < 3; ++to) matrix.push_back({{"from", "rank " + std::to_string(from)}, {"to", std::to_string(to)}, {"bytes", from == to ? 0 : 4096 * from}});
  const std::vector<std::pair<const char*, ordered_json>> all{{"latency-bandwidth", sweep()}, {"topology", {{"matrix", matrix}}}};
  for (const auto language : {content::Language::en, content::Language::zh})
    for (const auto& [id, metrics] : all) {
      const auto& text = tests::text(language);
      auto charts = result_charts(demo_of(id), metrics, presets(), text);
      REQUIRE_FALSE(charts.empty());
      for (const int wide : {40, 80, 200}) {
        Terminal terminal;
        terminal.columns = wide;
        for (const Chart& chart : charts) {
          std::istringstream drawn(terminal_chart(chart, terminal));
          for (std::string line; std::getline(drawn, line);) CHECK(columns(line) <= wide);
        }
      }
      const std::string title = charts.front().title;
      const std::string svg = svg_picture(ChartPicture(std::move(charts), text, {"A title", "", "", Ink::muted}), language);
      CHECK(svg.find(title) != std::string::npos);
      CHECK(svg.find("nan") == std::string::npos);
      if (id == std::string("latency-bandwidth")) CHECK(svg.find("data sheet") != std::string::npos);  // where a preset comes from
    }
}

TEST_CASE("a table has one line a row, its unit in the head, and no column that nobody filled") {
  const auto tables = result_tables(demo_of("latency-bandwidth"), sweep(), tests::text());
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].head == std::vector<std::string>{"size (B)", "rounds", "median (µs)", "p90 (µs)"});
  CHECK(tables[0].rows[3] == std::vector<std::string>{"4096", "3", "5.10", "5.20"});
  const std::string text = table_text(tables[0]);
  CHECK(std::count(text.begin(), text.end(), '\n') == 5);
}

TEST_CASE("a number names what it is compared with, by value") {
  check::NumberSpec number{"gain_times", {"Gain", "收益"}, {"bound {bound_times}, {unknown}", "上界 {bound_times}"}};
  const auto words = number_words(number, {{"gain_times", 1.5}, {"bound_times", 2.0}}, tests::text());
  CHECK(words.value == "1.5 ×");
  CHECK(words.beside == "bound 2 ×, –");
}

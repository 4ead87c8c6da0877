// Charts: axes, amounts, what a demo's manifest makes of its tables, and every way to write them.
#include "app/report/chart.h"

#include <map>

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

namespace {
check::DemoManifest demo_of(const char* id) { return check::load_demo(launch::Installation::find().demos() / id); }
}  // namespace

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

TEST_CASE("a tick has as many digits as its step needs, of every quantity and every step") {
  const std::map<std::string, double> units{{"", 1},    {" ×", 1},   {" %", 0.01},  {" B", 1},      {" KiB", 1024}, {" MiB", 1048576}, {" GiB", 1073741824}, {" TiB", 1099511627776.0},
                                            {" ns", 1}, {" µs", 1e3}, {" ms", 1e6}, {" s", 1e9}, {" B/s", 1},    {" kB/s", 1e3},    {" MB/s", 1e6},      {" GB/s", 1e9}};
  const auto number = [&](const std::string& label) {
    std::size_t end = 0;
    const double digits = std::stod(label, &end);
    return digits * units.at(label.substr(end));
  };
  for (const Quantity quantity : {Quantity::count, Quantity::bytes, Quantity::time_ns, Quantity::bytes_per_s, Quantity::times, Quantity::share})
    for (double most = 1e-4; most < 1e13; most *= 1.37)
      for (const int labels : {2, 4, 6, 9, 15}) {
        const auto ticks = ChartScale({"", quantity, false}, {most}).labels(labels);
        REQUIRE(ticks.size() >= 2);
        for (std::size_t i = 1; i < ticks.size(); ++i) {
          INFO(ticks[i - 1].text << " … " << ticks[i].text << " up to " << most);
          CHECK(ticks[i].text != ticks[i - 1].text);
          const double apart = number(ticks[1].text) - number(ticks[0].text);
          CHECK(number(ticks[i].text) - number(ticks[i - 1].text) == Approx(apart).epsilon(1e-3));
        }
      }
  CHECK(tick_text(Quantity::bytes, 1280 * 1024, 256 * 1024) == "1.25 MiB");
  CHECK(tick_text(Quantity::count, 0.25, 0.25) == "0.25");
}

TEST_CASE("few values are marked where they are, many or crowded ones by round numbers") {
  const auto words = [](const std::vector<ChartScale::Label>& labels) {
    std::vector<std::string> out;
    for (const auto& label : labels) out.push_back(label.text);
    return out;
  };
  for (const bool log : {false, true}) CHECK(words(ChartScale({"", Quantity::count, log}, {1, 2, 4, 8, 2, 1}).labels_at_data(log ? 6 : 8)) == std::vector<std::string>{"1", "2", "4", "8"});
  const ChartScale crowded({"", Quantity::count, false}, {1, 2, 3, 1000});
  CHECK(words(crowded.labels_at_data(6)) == words(crowded.labels(6)));
}

namespace {

/// Draws nothing and remembers the lines and discs.
struct Drawn : Canvas {
  std::map<Ink, double> line_length;
  std::map<Ink, std::vector<Box>> discs;
  std::vector<std::string> texts;
  void fill(const Box& box, Paint paint, double radius) override {
    if (radius > 0 && std::abs(box.width() - 2 * radius) < 1e-9) discs[paint.ink].push_back(box);
  }
  void outline(const Box&, Paint, double, double) override {}
  void hatch(const Box&, Paint) override {}
  void line(double x0, double y0, double x1, double y1, Paint paint, double, bool) override { line_length[paint.ink] += std::hypot(x1 - x0, y1 - y0); }
  void triangle(double, double, double, double, double, double, Paint) override {}
  void text(double, double, std::string_view words, Paint, Type, Align) override { texts.emplace_back(words); }
  double width(std::string_view words, Type) override { return approximate_ems(words) * 12.5; }
};

}  // namespace

TEST_CASE("no series is hidden by others that coincide with it, on paper and in the terminal") {
  Chart chart;
  chart.y.title = "y";
  for (const std::size_t n : {0U, 1U, 2U}) {
    chart.series.push_back({"series " + std::to_string(n), "", ChartSeries::Style::marks_and_line, series_ink(n), false, {}});
    for (const double x : {1.0, 2.0, 4.0}) chart.series.back().points.push_back({x, x == 4 && n == 2 ? 9 : x, kAbsent, kAbsent});
  }
  Drawn drawn;
  const auto spots = draw_chart(drawn, chart, {0, 0, 600, 400});
  for (const std::size_t n : {0U, 1U, 2U}) CHECK(drawn.line_length[series_ink(n)] > 100);
  // Of discs around one place, each that lies on top is smaller than those below it; the sample of the legend comes first.
  for (std::size_t point = 0; point < 3; ++point)
    for (const std::size_t upper : {1U, 2U}) {
      const Box below = drawn.discs[series_ink(upper - 1)][point + 1], above = drawn.discs[series_ink(upper)][point + 1];
      if (std::abs((below.y0 + below.y1) - (above.y0 + above.y1)) < 1) CHECK(above.width() < below.width() - 2);
    }
  bool joint = false;
  for (const auto& spot : spots) joint = joint || spot.words.starts_with("series 0\nseries 1\nseries 2\n1:");
  CHECK(joint);  // who points there is told of all
  const std::string plain = terminal_chart(chart, {});
  CHECK(plain.find(" = ● ▲ ■\n") != std::string::npos);  // at 1 and 2
  CHECK(plain.find(" = ● ▲\n") != std::string::npos);    // at 4
}

TEST_CASE("a chart that would repeat the one before it is left out, as on a virtual clock, where run and simulator agree") {
  const auto rows = [](double off) {
    ordered_json out;
    for (const int m : {1, 2, 4, 8}) out["table"].push_back({{"case", "1f1b-p2p"}, {"microbatches", m}, {"bubble_ratio", 3.0 / (m + 3) + off}, {"ideal_ratio", 3.0 / (m + 3)}});
    return out;
  };
  CHECK(result_charts(demo_of("why-not-allreduce"), rows(0), {}, tests::text()).size() == 1);
  CHECK(result_charts(demo_of("why-not-allreduce"), rows(0.05), {}, tests::text()).size() == 2);
  // Whether anything was measured depends on the backend: no title promises it.
  for (const auto& demo : check::load_demos(launch::Installation::find().demos()))
    for (const auto& spec : demo.results.charts) CHECK(spec.title.en.find("measured") == std::string::npos);
}

namespace {

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
  check::NumberSpec number{"gain_times", {"Gain", "收益"}, {"bound {bound_times}; alone {unknown}", "上界 {bound_times}"}};
  const auto words = number_words(number, {{"gain_times", 1.5}, {"bound_times", 2.0}}, tests::text());
  CHECK(words.value == "1.5 ×");
  CHECK(words.beside == "bound 2 ×");
}

// The ideal run under a measured one: a pale row beneath each compute lane, in every medium.
#include "app/analysis/simulated_trace.h"
#include "app/report/draw_timeline.h"
#include "app/report/svg_timeline.h"
#include "app/report/terminal_timeline.h"
#include "tests/report/support.h"
#include "tests/support/catch.h"

using namespace p2plab;

namespace {

trace::Trace pipeline(schedule::Ns latency) {
  schedule::Costs costs;
  costs.times = {{1'000'000, 2'000'000, 0}};
  costs.link.latency_ns = latency;
  const schedule::Program program(schedule::generator("1f1b"), {.shape = {4, 8}});
  trace::Trace out;
  analysis::add_simulated(out, schedule::simulate(program, costs, 1, true), program.layout(), 64);
  return out;
}

}  // namespace

TEST_CASE("under each compute lane lies the ideal one, and messages still end on the measured lane") {
  const trace::Trace trace = pipeline(500'000);
  const auto ideal = analysis::differing_ideal_run(trace);
  REQUIRE(ideal);
  auto rows = report::rows(trace, {.in_flight = true, .fold_in_flight = true, .ideal = &*ideal});
  REQUIRE(rows.size() == 12);
  for (std::size_t rank = 0; rank < 4; ++rank) {
    CHECK(rows[3 * rank].lane == "compute");
    CHECK(rows[3 * rank + 1].ghost);
    CHECK(rows[3 * rank + 2].in_flight);
  }
  const report::View view = report::whole(trace, 1000);
  for (auto& row : rows) report::fill(trace, view, row);
  CHECK(rows[1].blocks.size() == 16);
  const auto tip = report::ghost_tip(trace, rows[1], rows[1].blocks.back(), tests::text());
  CHECK(tip.find("B7") != std::string::npos);
  CHECK(tip.find("31.000 ms") != std::string::npos);  // where the last backward would have begun
  const report::Placement placement = report::place(rows);
  const report::RowOf row_of(trace, rows, placement);
  CHECK(row_of.row(ideal->ranks[0][0].measured) == std::size_t{0});
}

TEST_CASE("SVG and terminal show the ideal where it differs, and nothing where it does not") {
  const std::string late = report::svg_timeline(pipeline(500'000), tests::text()), same = report::svg_timeline(pipeline(0), tests::text());
  CHECK(late.find("ideally") != std::string::npos);
  CHECK(same.find("ideally") == std::string::npos);
  const trace::Trace trace = pipeline(500'000);
  const auto ideal = analysis::differing_ideal_run(trace);
  report::TerminalOptions options;
  options.ideal = &*ideal;
  const std::string terminal = report::terminal_timeline(trace, tests::text(), {}, options);
  CHECK(terminal.find("ideal") != std::string::npos);
  CHECK(report::terminal_timeline(trace, tests::text(), {}).find("ideal") == std::string::npos);
}

namespace {

/// Keeps what was written and where; a letter is 7 px wide.
struct Written : report::Canvas {
  struct Word {
    std::string text;
    double x, y;
  };
  std::vector<Word> words;
  void fill(const report::Box&, report::Paint, double) override {}
  void outline(const report::Box&, report::Paint, double, double) override {}
  void hatch(const report::Box&, report::Paint) override {}
  void line(double, double, double, double, report::Paint, double, bool) override {}
  void triangle(double, double, double, double, double, double, report::Paint) override {}
  void text(double x, double y, std::string_view text, report::Paint, report::Type, report::Align) override { words.push_back({std::string(text), x, y}); }
  double width(std::string_view text, report::Type) override { return 7.0 * static_cast<double>(text.size()); }
  const Word* find(const std::string& text) const {
    for (const auto& word : words)
      if (word.text == text) return &word;
    return nullptr;
  }
};

}  // namespace

TEST_CASE("a legend that does not fit goes on in a second line and leaves nothing out") {
  report::Legend legend;
  for (const auto kind : {trace::Kind::forward, trace::Kind::backward, trace::Kind::send, trace::Kind::receive, trace::Kind::collective, trace::Kind::wait}) legend.kinds.insert(kind);
  legend.merged = legend.ideal = true;
  Written one, two;
  CHECK_FALSE(report::draw_legend(one, tests::text(), legend, {.x = 0, .y = 10, .right = 330}));
  CHECK(report::draw_legend(two, tests::text(), legend, {.x = 0, .y = 10, .right = 330, .below = 18, .below_right = 600}));
  REQUIRE(two.find("collective"));
  CHECK(two.find("forward")->y == 10);
  CHECK(two.find("collective")->y == 28);
  CHECK(two.find("ideal"));
}

TEST_CASE("the ideal's thin row is named only where its name does not touch the next one's") {
  const trace::Trace trace = pipeline(500'000);
  const auto ideal = analysis::differing_ideal_run(trace);
  const auto rows = report::rows(trace, {.ideal = &*ideal});
  for (const bool compact : {false, true}) {
    const auto placement = report::place(rows, 1, compact ? report::kCompactRows : report::RowMetrics{});
    Written names;
    for (std::size_t i = 0; i < rows.size(); ++i) report::draw_row_ground(names, {100, 0, 0, 1}, report::whole(trace, 500), rows[i], placement.rows[i], tests::text());
    CHECK((names.find("ideal") == nullptr) == compact);
  }
}

TEST_CASE("a picture of a run ends with its last span, not with the ranks' own end") {
  trace::Trace trace = pipeline(0);
  const auto last = report::last_end(trace);
  trace::Span span;
  span.track = trace.track(0, trace.intern("host"));
  span.begin = last + 1;
  const auto open = trace.begin(span);
  CHECK(report::last_end(trace) == trace.now());
  trace.end(open, last + 1000);
  CHECK(report::last_end(trace) == last + 1000);
}

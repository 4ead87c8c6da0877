// Draws charts. Three kinds, one frame: title, legend, the chart itself, a note.
#include "app/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/report/chart_axis.h"
#include "app/report/utf8.h"
#include "app/report/wrap.h"

namespace p2plab::report {
namespace {

constexpr double kTitle = 26, kLegendLine = 20, kNoteLine = 19, kAxisText = 22, kPlot = 340, kLeastPlot = 124, kBar = 15, kBarGap = 3, kGroupGap = 12, kCell = 26;

bool given(double value) { return std::isfinite(value); }

/// Series with a place in the legend: a matrix explains itself by its rows.
std::vector<const ChartSeries*> legend_of(const Chart& chart) {
  std::vector<const ChartSeries*> out;
  if (chart.kind == Chart::Kind::matrix || chart.kind == Chart::Kind::graph || (chart.series.size() == 1 && chart.marks.empty() && chart.kind == Chart::Kind::bars)) return out;
  if (chart.series.size() == 1 && chart.series.front().name == chart.y.title) return out;  // the axis says it
  for (const ChartSeries& series : chart.series)
    if (!series.points.empty() && !series.name.empty()) out.push_back(&series);
  return out;
}

/// Where each entry of the legend stands; the last is where a further one would.
std::vector<std::pair<double, double>> legend_places(const Measure& measure, const std::vector<const ChartSeries*>& legend, double width) {
  std::vector<std::pair<double, double>> out;
  double x = 0, y = 0;
  for (const ChartSeries* series : legend) {
    const double wide = 30 + measure(series->name) + 20;
    if (x > 0 && x + wide > width) {
      x = 0;
      y += kLegendLine;
    }
    out.emplace_back(x, y);
    x += wide;
  }
  return out;
}

std::vector<std::string> note_lines(const Measure& measure, const Chart& chart, double width) {
  if (chart.note.empty()) return {};
  return wrap(chart.note, static_cast<float>(width), measure);
}

Measure measure_on(Canvas& canvas) {
  return [&canvas](std::string_view text) { return static_cast<float>(canvas.width(text)); };
}
float measure_without_font(std::string_view text) { return static_cast<float>(approximate_ems(text) * 12.5); }  // of Type::small

std::size_t bars_of_a_group(const Chart& chart) { return chart.stacked ? 1 : std::max<std::size_t>(chart.series.size(), 1); }

double group_height(const Chart& chart) { return static_cast<double>(bars_of_a_group(chart)) * (kBar + kBarGap) - kBarGap + kGroupGap; }

double widest_word(Canvas& canvas, const std::vector<std::string>& words) {
  double out = 0;
  for (const std::string& word : words) out = std::max(out, canvas.width(word));
  return out;
}

double body_height(const Chart& chart) {
  switch (chart.kind) {
    case Chart::Kind::lines: return kPlot + 2 * kAxisText;
    case Chart::Kind::bars: return static_cast<double>(chart.categories.size()) * group_height(chart) + 2 * kAxisText;
    case Chart::Kind::matrix: return static_cast<double>(chart.series.size() + 1) * kCell + kAxisText;
    case Chart::Kind::graph: return kPlot;
  }
  return kPlot;
}

struct Painter {
  Canvas& canvas;
  const Chart& chart;
  std::vector<ChartSpot>& spots;

  void item(const Box& box, const std::string& words) const { spots.push_back({box, words}); }

  double heading(const Box& box) const {
    double y = box.y0;
    if (!chart.title.empty()) {
      canvas.text(box.x0, y + kTitle / 2, fitted(canvas, chart.title, box.width(), Type::body), {Ink::text}, Type::body);
      y += kTitle;
    }
    const auto legend = legend_of(chart);
    const auto places = legend_places(measure_on(canvas), legend, box.width());
    for (std::size_t i = 0; i < legend.size(); ++i) {
      const double x = box.x0 + places[i].first, middle = y + places[i].second + kLegendLine / 2;
      const bool sourced = !legend[i]->source.empty();
      const std::string words = legend[i]->name + "\n" + legend[i]->source;
      if (sourced) canvas.begin_item(words);
      sample(*legend[i], x, middle);
      canvas.text(x + 30, middle, legend[i]->name, {Ink::text});
      if (!sourced) continue;
      canvas.end_item();
      item({x, middle - kLegendLine / 2, x + 30 + canvas.width(legend[i]->name), middle + kLegendLine / 2}, words);
    }
    return legend.empty() ? y : y + places.back().second + kLegendLine + 4;
  }

  void sample(const ChartSeries& series, double x, double y) const {
    if (chart.kind == Chart::Kind::bars) return bar(series, {x + 6, y - 5, x + 24, y + 5});
    canvas.line(x, y, x + 24, y, {series.ink, opacity(series)}, line_width(series), series.style == ChartSeries::Style::reference);
    if (series.style == ChartSeries::Style::marks_and_line) dot(series, x + 12, y);
  }
  static double line_width(const ChartSeries& series) { return series.style == ChartSeries::Style::line ? 2 : 1.4; }
  static double opacity(const ChartSeries& series) { return series.style == ChartSeries::Style::reference ? 0.7 : 1; }
  void dot(const ChartSeries& series, double x, double y, double r = 3) const { canvas.fill({x - r, y - r, x + r, y + r}, {series.ink}, r); }
  void bar(const ChartSeries& series, const Box& box) const {
    canvas.fill(box, {series.ink, series.hatched ? 0.25 : 1}, 2);
    if (series.hatched) canvas.hatch(box, {series.ink, 0.8});
  }

  void note(const Box& box, double y) const {
    for (const std::string& line : note_lines(measure_on(canvas), chart, box.width())) {
      canvas.text(box.x0, y + kNoteLine / 2, line, {Ink::muted});
      y += kNoteLine;
    }
  }

  // Lines -----------------------------------------------------------------------------------------------------------

  void lines(const Box& box) const {
    std::vector<double> xs, ys;
    for (const ChartSeries& series : chart.series)
      for (const ChartPoint& point : series.points) {
        if (!given(point.y)) continue;
        xs.push_back(point.x);
        for (const double y : {point.y, point.low, point.high}) ys.push_back(y);
      }
    const ChartScale along(chart.x, xs), up(chart.y, ys);
    const auto rows = up.labels(std::max(2, static_cast<int>((box.height() - 2 * kAxisText) / 36)));
    double names = 0;
    for (const auto& row : rows) names = std::max(names, canvas.width(row.text));
    const Box plot{box.x0 + names + 10, box.y0 + kAxisText + 6, box.x1 - 16, box.y1 - 2 * kAxisText};
    const auto px = [&](double x) { return plot.x0 + along.place(x) * plot.width(); };
    const auto py = [&](double y) { return plot.y1 - up.place(y) * plot.height(); };

    canvas.text(box.x0, box.y0 + kAxisText / 2 - 2, fitted(canvas, chart.y.title, box.width()), {Ink::muted});
    for (const auto& row : rows) {
      const double y = plot.y1 - row.at * plot.height();
      canvas.line(plot.x0, y, plot.x1, y, {Ink::hairline});
      canvas.text(plot.x0 - 8, y, row.text, {Ink::muted}, Type::small, Align::right);
    }
    const auto columns = along.labels_at_data(std::max(2, static_cast<int>(plot.width() / 78)));
    for (const auto& column : columns) {
      const double x = plot.x0 + column.at * plot.width();
      canvas.line(x, plot.y0, x, plot.y1, {Ink::hairline, 0.7});
      const double half = canvas.width(column.text) / 2;
      canvas.text(std::min(x, box.x1 - half), plot.y1 + kAxisText / 2 + 2, column.text, {Ink::muted}, Type::small, Align::centre);
    }
    canvas.text((plot.x0 + plot.x1) / 2, plot.y1 + kAxisText * 1.5, chart.x.title, {Ink::muted}, Type::small, Align::centre);
    named_places(plot, px);
    std::vector<Curve> curves;
    for (const ChartSeries& series : chart.series) {
      curves.push_back({&series, {}});
      for (const ChartPoint& point : series.points)
        if (given(point.y)) curves.back().places.push_back({px(point.x), py(point.y), given(point.low) && given(point.high) ? py(point.low) : kAbsent, py(point.high), &point});
    }
    for (const Curve& curve : curves) polyline(curve, curves);
    for (const Curve& curve : curves) dots(curve, curves);
  }

  template <class Px>
  void named_places(const Box& plot, Px px) const {
    std::vector<ChartMark> marks = chart.marks;
    std::sort(marks.begin(), marks.end(), [](const ChartMark& a, const ChartMark& b) { return a.x < b.x; });
    std::vector<double> ends;  // of the labels of each line
    for (const ChartMark& mark : marks) {
      const double x = px(mark.x), wide = canvas.width(mark.label) + 8;
      const bool left = x + 6 + wide > plot.x1;
      const double begin = left ? x - 6 - wide : x + 6;
      std::size_t line = 0;
      while (line < ends.size() && ends[line] > begin) ++line;
      if (line == ends.size()) ends.push_back(0);
      ends[line] = begin + wide;
      canvas.line(x, plot.y0, x, plot.y1, {Ink::unsure, 0.9}, 1.2, true);
      canvas.text(begin, plot.y0 + 10 + static_cast<double>(line) * 18, mark.label, {Ink::unsure});
    }
  }

  // Where series coincide none may hide another: their common line changes between their inks, and their dots lie one in the
  // other, the last one innermost.

  struct Place {
    double x, y, low, high;
    const ChartPoint* point;
    bool on(const Place& other) const { return std::abs(x - other.x) < 2 && std::abs(y - other.y) < 2; }
  };
  struct Curve {
    const ChartSeries* series;
    std::vector<Place> places;
    bool has(const Place& one) const {
      return std::any_of(places.begin(), places.end(), [&](const Place& mine) { return mine.on(one); });
    }
    bool has(const Place& from, const Place& to) const {
      for (std::size_t i = 1; i < places.size(); ++i)
        if (places[i - 1].on(from) && places[i].on(to)) return true;
      return false;
    }
  };

  void polyline(const Curve& curve, const std::vector<Curve>& all) const {
    const ChartSeries& series = *curve.series;
    for (const Place& at : curve.places)
      if (given(at.low)) canvas.line(at.x, at.low, at.x, at.high, {series.ink, 0.45}, 3);
    for (std::size_t i = 1; i < curve.places.size(); ++i) {
      const Place &from = curve.places[i - 1], &to = curve.places[i];
      std::vector<const ChartSeries*> sharing;
      for (const Curve& other : all)
        if (other.series->style == series.style && other.has(from, to)) sharing.push_back(other.series);
      const bool dashed = series.style == ChartSeries::Style::reference;
      if (sharing.size() == 1) canvas.line(from.x, from.y, to.x, to.y, {series.ink, opacity(series)}, line_width(series), dashed);
      else if (sharing.front() == &series) shared_line(from, to, sharing, dashed);
    }
  }

  void shared_line(const Place& from, const Place& to, const std::vector<const ChartSeries*>& sharing, bool dashed) const {
    const double length = std::hypot(to.x - from.x, to.y - from.y), piece = std::max(10.0, length / 100);
    std::size_t turn = 0;
    for (double at = 0; at < length; at += piece) {
      const ChartSeries& series = *sharing[turn++ % sharing.size()];
      const double a = at / length, b = std::min(at + piece * (dashed ? 0.57 : 1), length) / length;
      canvas.line(from.x + a * (to.x - from.x), from.y + a * (to.y - from.y), from.x + b * (to.x - from.x), from.y + b * (to.y - from.y), {series.ink, opacity(series)},
                  line_width(series) + 0.6);
    }
  }

  void dots(const Curve& curve, const std::vector<Curve>& all) const {
    const ChartSeries& series = *curve.series;
    if (series.style != ChartSeries::Style::marks_and_line) return;
    for (const Place& at : curve.places) {
      std::string names;
      std::size_t within = 0;  // how many of the same place are still to be drawn
      bool passed = false;
      for (const Curve& other : all) {
        if (other.series->style != ChartSeries::Style::marks_and_line || (other.series != &series && !other.has(at))) continue;
        names += (names.empty() ? "" : "\n") + other.series->name;
        if (passed) ++within;
        passed = passed || other.series == &series;
      }
      std::string words = fmt::format("{}\n{}: {}", names, amount(chart.x.quantity, at.point->x), amount(chart.y.quantity, at.point->y));
      if (given(at.low)) words += fmt::format("  ({} … {})", amount(chart.y.quantity, at.point->low), amount(chart.y.quantity, at.point->high));
      canvas.begin_item(words);
      dot(series, at.x, at.y, 3 + 1.7 * static_cast<double>(within));
      canvas.end_item();
      item({at.x - 7, at.y - 7, at.x + 7, at.y + 7}, words);
    }
  }

  // Bars ------------------------------------------------------------------------------------------------------------

  static double value_of(const ChartSeries& series, std::size_t category) {
    return category < series.points.size() ? series.points[category].y : kAbsent;
  }

  void bars(const Box& box) const {
    std::vector<double> ends{0};
    double value_words = 0;
    for (std::size_t c = 0; c < chart.categories.size(); ++c) {
      double sum = 0;
      for (const ChartSeries& series : chart.series) {
        const double value = value_of(series, c);
        if (!given(value)) continue;
        sum = chart.stacked ? sum + value : std::max(sum, value);
        value_words = std::max(value_words, canvas.width(amount(chart.y.quantity, value)));
      }
      ends.push_back(sum);
      value_words = std::max(value_words, canvas.width(amount(chart.y.quantity, sum)));
    }
    const ChartScale along(chart.y, ends);
    const double names = std::min(widest_word(canvas, chart.categories), box.width() * 0.35);
    const Box plot{box.x0 + names + 12, box.y0, box.x1 - value_words - 12, box.y1 - 2 * kAxisText};
    for (const auto& tick : along.labels(std::max(2, static_cast<int>(plot.width() / 78)))) {
      const double x = plot.x0 + tick.at * plot.width();
      canvas.line(x, plot.y0, x, plot.y1, {Ink::hairline});
      canvas.text(x, plot.y1 + kAxisText / 2, tick.text, {Ink::muted}, Type::small, Align::centre);
    }
    canvas.text((plot.x0 + plot.x1) / 2, plot.y1 + kAxisText * 1.4, chart.y.title, {Ink::muted}, Type::small, Align::centre);
    // What is left of the height is shared by all groups: a chart may be given less room than it wants.
    const double group = chart.categories.empty() ? 0 : std::min(group_height(chart), plot.height() / static_cast<double>(chart.categories.size()));
    for (std::size_t c = 0; c < chart.categories.size(); ++c)
      bar_group(c, {plot.x0, plot.y0 + static_cast<double>(c) * group, plot.x1, plot.y0 + static_cast<double>(c + 1) * group}, along, names, box.x0);
  }

  void bar_group(std::size_t category, const Box& at, const ChartScale& along, double names, double left) const {
    const double squeeze = at.height() / group_height(chart), bar_height = kBar * squeeze, step = (kBar + kBarGap) * squeeze;
    const double top = at.y0 + kGroupGap / 2 * squeeze;
    const bool every = bar_height >= 9 || category % 2 == 0;
    if (every) canvas.text(left + names, top + (at.height() - kGroupGap * squeeze) / 2, fitted(canvas, chart.categories[category], names), {Ink::text}, Type::small, Align::right);
    double sum = 0;
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const ChartSeries& series = chart.series[s];
      const double value = value_of(series, category);
      if (!given(value)) continue;
      const double from = chart.stacked ? sum : 0, y = chart.stacked ? top : top + static_cast<double>(s) * step;
      sum = from + value;
      const Box box{at.x0 + along.place(from) * at.width(), y, at.x0 + std::max(along.place(sum) * at.width(), along.place(from) * at.width() + (value > 0 ? 1 : 0)),
                    y + bar_height};
      const std::string words = fmt::format("{}{}{}: {}", chart.categories[category], series.name.empty() ? "" : "\n", series.name, amount(chart.y.quantity, value));
      canvas.begin_item(words);
      bar(series, box);
      canvas.end_item();
      item({box.x0, box.y0, std::max(box.x1, box.x0 + 6), box.y1}, words);
      if (!chart.stacked && bar_height >= 9) canvas.text(box.x1 + 6, (box.y0 + box.y1) / 2, amount(chart.y.quantity, value), {Ink::muted});
    }
    if (chart.stacked && every) canvas.text(at.x0 + along.place(sum) * at.width() + 6, top + bar_height / 2, amount(chart.y.quantity, sum), {Ink::muted});
  }

  // Matrix ----------------------------------------------------------------------------------------------------------

  void matrix(const Box& box) const {
    std::vector<std::string> names;
    double most = 0;
    for (const ChartSeries& series : chart.series) {
      names.push_back(series.name);
      for (const ChartPoint& point : series.points)
        if (given(point.y)) most = std::max(most, point.y);
    }
    const double left = box.x0 + std::min(widest_word(canvas, names), box.width() * 0.3) + 10;
    const auto count = static_cast<double>(std::max<std::size_t>(chart.categories.size(), 1));
    const double wide = std::min((box.x1 - left) / count, 110.0);
    const double tall = std::min(kCell, (box.height() - kAxisText) / static_cast<double>(chart.series.size() + 1));
    canvas.text(box.x0, box.y0 + kAxisText / 2, fitted(canvas, chart.y.title, box.width()), {Ink::muted});
    const double top = box.y0 + kAxisText + tall;
    for (std::size_t c = 0; c < chart.categories.size(); ++c)
      canvas.text(left + (static_cast<double>(c) + 0.5) * wide, top - tall / 2, fitted(canvas, chart.categories[c], wide - 2), {Ink::muted}, Type::small, Align::centre);
    for (std::size_t r = 0; r < chart.series.size(); ++r) {
      const ChartSeries& series = chart.series[r];
      const double y = top + static_cast<double>(r) * tall;
      canvas.text(left - 8, y + tall / 2, fitted(canvas, series.name, left - 8 - box.x0), {Ink::muted}, Type::small, Align::right);
      for (std::size_t c = 0; c < chart.categories.size(); ++c) cell(series, c, {left + static_cast<double>(c) * wide, y, left + static_cast<double>(c + 1) * wide, y + tall}, most);
    }
  }

  // Graph -----------------------------------------------------------------------------------------------------------

  void graph(const Box& box) const {
    const std::size_t n = chart.series.size();
    if (n == 0) return;
    constexpr double kPlace = 15;
    const double x = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1) / 2, radius = std::max(20.0, std::min(box.width(), box.height()) / 2 - kPlace - 6);
    double most = 0;
    for (const ChartSeries& series : chart.series)
      for (const ChartPoint& point : series.points)
        if (given(point.y)) most = std::max(most, point.y);
    const auto place = [&](std::size_t i) {
      const double angle = (static_cast<double>(i) / static_cast<double>(n) - 0.25) * 2 * std::numbers::pi;  // the first on top
      return std::pair(x + radius * std::cos(angle), y + radius * std::sin(angle));
    };
    for (std::size_t from = 0; from < n; ++from)
      for (std::size_t to = 0; to < chart.series[from].points.size() && to < n; ++to)
        if (const double value = chart.series[from].points[to].y; given(value) && value > 0) arrow(place(from), place(to), value / most, kPlace, chart.series[from], to);
    for (std::size_t i = 0; i < n; ++i) {
      const auto [px, py] = place(i);
      canvas.fill({px - kPlace, py - kPlace, px + kPlace, py + kPlace}, {Ink::raised}, kPlace);
      canvas.outline({px - kPlace, py - kPlace, px + kPlace, py + kPlace}, {Ink::text}, 1.2, kPlace);
      canvas.text(px, py, i < chart.categories.size() ? chart.categories[i] : "", {Ink::text}, Type::small, Align::centre);
    }
  }

  /// Wider and darker the more it carries; the two directions of a pair lie side by side.
  void arrow(std::pair<double, double> from, std::pair<double, double> to, double share, double place, const ChartSeries& series, std::size_t column) const {
    const double dx = to.first - from.first, dy = to.second - from.second, length = std::hypot(dx, dy);
    if (length <= 2 * place) return;
    const double ux = dx / length, uy = dy / length, aside = 3.5, head = 5 + 4 * share;
    const double x0 = from.first + ux * place - uy * aside, y0 = from.second + uy * place + ux * aside;
    const double x1 = to.first - ux * (place + 2) - uy * aside, y1 = to.second - uy * (place + 2) + ux * aside;
    const Paint paint{series.ink, 0.35 + 0.65 * share};
    const std::string words = fmt::format("{} → {}: {}", series.name, chart.categories[column], amount(chart.y.quantity, series.points[column].y));
    canvas.begin_item(words);
    canvas.line(x0, y0, x1 - ux * head, y1 - uy * head, paint, 1 + 3 * share);
    canvas.triangle(x1, y1, x1 - ux * head - uy * head * 0.6, y1 - uy * head + ux * head * 0.6, x1 - ux * head + uy * head * 0.6, y1 - uy * head - ux * head * 0.6, paint);
    canvas.end_item();
    const double mx = (x0 + x1) / 2, my = (y0 + y1) / 2;
    item({mx - 8, my - 8, mx + 8, my + 8}, words);
  }

  void cell(const ChartSeries& series, std::size_t column, const Box& at, double most) const {
    const double value = value_of(series, column);
    const Box inner{at.x0 + 1, at.y0 + 1, at.x1 - 1, at.y1 - 1};
    if (!given(value)) return canvas.outline(inner, {Ink::hairline, 0.6});
    const std::string words = fmt::format("{} → {}: {}", series.name, chart.categories[column], amount(chart.y.quantity, value));
    const double share = most > 0 ? value / most : 0;
    canvas.begin_item(words);
    canvas.fill(inner, {Ink::raised}, 2);
    if (share > 0) canvas.fill(inner, {series.ink, 0.15 + 0.85 * share}, 2);
    canvas.end_item();
    item(at, words);
    const std::string figure = value == 0 ? "·" : amount(chart.y.quantity, value);
    if (at.height() >= 14 && canvas.width(figure) <= at.width() - 4)
      canvas.text((at.x0 + at.x1) / 2, (at.y0 + at.y1) / 2, figure, {share > 0.55 ? Ink::on_block : value == 0 ? Ink::muted : Ink::text}, Type::small, Align::centre);
  }
};

}  // namespace

bool Chart::empty() const {
  return std::all_of(series.begin(), series.end(), [](const ChartSeries& s) { return s.points.empty(); });
}

Ink series_ink(std::size_t n) {
  // Far from each other for every kind of colour blindness as long as there are few.
  constexpr Ink kInks[] = {Ink::accent, Ink::backward, Ink::weight, Ink::send, Ink::collective, Ink::copy, Ink::bad, Ink::other};
  return kInks[n % std::size(kInks)];
}

double chart_height(const Chart& chart, double width) {
  double out = chart.title.empty() ? 0 : kTitle;
  const auto legend = legend_of(chart);
  if (!legend.empty()) out += legend_places(measure_without_font, legend, width).back().second + kLegendLine + 4;
  return out + body_height(chart) + static_cast<double>(note_lines(measure_without_font, chart, width).size()) * kNoteLine;
}

double least_chart_height(const Chart& chart, double width) {
  const bool stretches = chart.kind == Chart::Kind::lines || chart.kind == Chart::Kind::graph;
  return chart_height(chart, width) - (stretches ? kPlot - kLeastPlot : 0);
}

std::vector<ChartSpot> draw_chart(Canvas& canvas, const Chart& chart, const Box& box) {
  std::vector<ChartSpot> spots;
  const Painter painter{canvas, chart, spots};
  const double top = painter.heading(box);
  const double notes = static_cast<double>(note_lines(measure_on(canvas), chart, box.width()).size()) * kNoteLine;
  const Box body{box.x0, top, box.x1, std::max(top + 40, box.y1 - notes)};
  switch (chart.kind) {
    case Chart::Kind::lines: painter.lines(body); break;
    case Chart::Kind::bars: painter.bars(body); break;
    case Chart::Kind::matrix: painter.matrix(body); break;
    case Chart::Kind::graph: painter.graph(body); break;
  }
  painter.note(box, box.y1 - notes);
  return spots;
}

}  // namespace p2plab::report

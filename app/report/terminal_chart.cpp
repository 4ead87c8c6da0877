#include "app/report/terminal_chart.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "app/report/chart_axis.h"
#include "app/report/row_names.h"
#include "app/report/utf8.h"
#include "app/report/wrap.h"

namespace p2plab::report {
namespace {

constexpr int kPlotLines = 16;

std::vector<std::string> in_lines(const std::string& text, int width) {
  return wrap(text, static_cast<float>(std::max(width, 8)), [](std::string_view part) { return static_cast<float>(columns(part)); });
}
std::string shortened(const std::string& text, int width) {
  return cut(text, static_cast<float>(std::max(width, 1)), [](std::string_view part) { return static_cast<float>(columns(part)); });
}
std::string repeated_glyph(const char* glyph, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += glyph;
  return out;
}

/// What stands for the n-th series.
const char* series_glyph(const ChartSeries& series, std::size_t n) {
  if (series.style == ChartSeries::Style::reference) return "·";
  if (series.style == ChartSeries::Style::line) return "-";
  constexpr const char* kLetters[] = {"●", "▲", "■", "◆", "○", "△", "□", "◇"};
  return kLetters[n % std::size(kLetters)];
}

class Plot {
 public:
  Plot(int wide, int tall) : wide_(wide), cells_(static_cast<std::size_t>(wide * tall)), tall_(tall) {}
  void put(double x, double y, const char* glyph, Ink ink) {
    if (auto* cell = at(x, y); cell != nullptr && !*cell) *cell = {glyph, ink};
  }
  /// A mark of the n-th series lies over all lines.
  void mark(double x, double y, const char* glyph, Ink ink, std::size_t n) {
    auto* cell = at(x, y);
    if (cell == nullptr) return;
    marks_[cell].insert(n);
    *cell = {glyph, ink};
  }
  /// Where marks of several series fell into one place there is a sign of their own: each sign with its series, in the order of
  /// the lines. To be asked once all marks stand.
  std::vector<std::pair<const char*, std::set<std::size_t>>> together() {
    std::vector<std::pair<const char*, std::set<std::size_t>>> out;
    for (Cell& cell : cells_) {
      const auto here = marks_.find(&cell);
      if (here == marks_.end() || here->second.size() < 2) continue;
      auto known = std::find_if(out.begin(), out.end(), [&](const auto& one) { return one.second == here->second; });
      if (known == out.end()) known = out.insert(out.end(), {out.size() < std::size(kSigns) ? kSigns[out.size()] : "*", here->second});
      cell = {known->first, Ink::text};
    }
    return out;
  }
  std::string line(int n, const Terminal& terminal) const {
    std::string out;
    for (int x = 0; x < wide_; ++x) {
      const auto& cell = cells_[static_cast<std::size_t>(n * wide_ + x)];
      out += cell ? coloured(cell->first, cell->second, terminal) : " ";
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
  }

 private:
  using Cell = std::optional<std::pair<const char*, Ink>>;
  static constexpr const char* kSigns[] = {"A", "B", "C", "D", "E", "G", "H", "K", "L", "M", "N", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z"};
  Cell* at(double x, double y) {
    const int column = static_cast<int>(std::lround(x * (wide_ - 1))), line = static_cast<int>(std::lround((1 - y) * (tall_ - 1)));
    if (column < 0 || column >= wide_ || line < 0 || line >= tall_) return nullptr;
    return &cells_[static_cast<std::size_t>(line * wide_ + column)];
  }
  int wide_;
  std::vector<Cell> cells_;
  std::map<const Cell*, std::set<std::size_t>> marks_;
  int tall_;
};

std::string chart_lines(const Chart& chart, const Terminal& terminal) {
  std::vector<double> xs, ys;
  for (const ChartSeries& series : chart.series)
    for (const ChartPoint& point : series.points)
      if (std::isfinite(point.y)) {
        xs.push_back(point.x);
        ys.push_back(point.y);
      }
  const ChartScale along(chart.x, xs), up(chart.y, ys);
  const auto rows = up.labels(6);
  int names = 0;
  for (const auto& row : rows) names = std::max(names, columns(row.text));
  const int wide = std::max(20, std::min(terminal.columns, 110) - names - 5);
  Plot plot(wide, kPlotLines);
  for (const ChartMark& mark : chart.marks)
    for (int i = 0; i < kPlotLines; ++i) plot.put(along.place(mark.x), 1 - static_cast<double>(i) / (kPlotLines - 1), "┊", Ink::unsure);
  for (int pass = 0; pass < 2; ++pass)  // what is measured lies over what is drawn for comparison
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const ChartSeries& series = chart.series[s];
      const bool measured = series.style == ChartSeries::Style::marks_and_line;
      if (measured != (pass == 1)) continue;
      const ChartPoint* before = nullptr;
      for (const ChartPoint& point : series.points) {
        if (!std::isfinite(point.y)) continue;
        const double x = along.place(point.x), y = up.place(point.y);
        if (before != nullptr && !measured) {
          const double x0 = along.place(before->x), y0 = up.place(before->y);
          for (int i = 0; i <= wide; ++i) {
            const double share = static_cast<double>(i) / wide;
            plot.put(x0 + share * (x - x0), y0 + share * (y - y0), series_glyph(series, s), series.ink);
          }
        }
        if (measured) plot.mark(x, y, series_glyph(series, s), series.ink, s);
        before = &point;
      }
    }
  const auto together = plot.together();
  std::string out = "  " + coloured(shortened(chart.y.title, terminal.columns - 4), Ink::muted, terminal) + "\n";
  for (int i = 0; i < kPlotLines; ++i) {
    std::string label;
    for (const auto& row : rows)
      if (static_cast<int>(std::lround((1 - row.at) * (kPlotLines - 1))) == i) label = row.text;
    out += "  " + coloured(right_aligned(label, names), Ink::muted, terminal) + " " + (label.empty() ? "│" : "┤") + plot.line(i, terminal) + "\n";
  }
  out += std::string(static_cast<std::size_t>(names + 3), ' ') + "└" + repeated_glyph("─", wide) + "\n";
  std::string ticks;
  for (const auto& tick : along.labels_at_data(std::max(2, wide / 12))) {
    const int at = std::max(0, static_cast<int>(std::lround(tick.at * (wide - 1))) - columns(tick.text) / 2);
    if (at < columns(ticks) + 1 && !ticks.empty()) continue;
    if (names + 4 + at + columns(tick.text) > terminal.columns) continue;
    ticks += std::string(static_cast<std::size_t>(at - columns(ticks)), ' ') + tick.text;
  }
  const std::string indent(static_cast<std::size_t>(names + 4), ' ');
  out += indent + coloured(ticks, Ink::muted, terminal) + "\n" + indent + coloured(shortened(chart.x.title, wide), Ink::muted, terminal) + "\n";
  for (std::size_t s = 0; s < chart.series.size(); ++s)
    if (!chart.series[s].name.empty() && !chart.series[s].points.empty())
      out += "  " + coloured(series_glyph(chart.series[s], s), chart.series[s].ink, terminal) + " " + shortened(chart.series[s].name, terminal.columns - 6) + "\n";
  for (const auto& [sign, series] : together) {
    std::string all;
    for (const std::size_t s : series) all += (all.empty() ? "" : " ") + coloured(series_glyph(chart.series[s], s), chart.series[s].ink, terminal);
    out += "  " + coloured(sign, Ink::text, terminal) + " = " + all + "\n";
  }
  for (const ChartMark& mark : chart.marks) out += "  " + coloured("┊", Ink::unsure, terminal) + " " + shortened(mark.label, terminal.columns - 6) + "\n";
  return out;
}

std::string chart_bars(const Chart& chart, const Terminal& terminal) {
  int names = 0, figures = 0, words = 0;
  std::vector<double> ends{0};
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    names = std::max(names, columns(chart.categories[c]));
    double sum = 0;
    for (const ChartSeries& series : chart.series) {
      if (c >= series.points.size() || !std::isfinite(series.points[c].y)) continue;
      sum = chart.stacked ? sum + series.points[c].y : std::max(sum, series.points[c].y);
      figures = std::max(figures, columns(amount(chart.y.quantity, series.points[c].y)));
    }
    figures = std::max(figures, columns(amount(chart.y.quantity, sum)));
    ends.push_back(sum);
  }
  if (!chart.stacked && chart.series.size() > 1)
    for (const ChartSeries& series : chart.series) words = std::max(words, columns(series.name));
  names = std::min(names, terminal.columns / 3);
  words = std::min(words, terminal.columns / 3);
  const int wide = std::max(8, std::min(terminal.columns, 110) - names - figures - words - (words > 0 ? 2 : 0) - 6);
  const ChartScale along(chart.y, ends);
  const auto cells = [&](double value) { return static_cast<int>(std::lround(along.place(value) * wide)); };
  std::string out;
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    double sum = 0;
    std::string drawn;
    bool first = true;
    const auto line = [&](const std::string& bar, int used, const std::string& figure, const std::string& word) {
      out += "  " + right_aligned(first ? shortened(chart.categories[c], names) : "", names) + " ";
      if (words > 0) out += padded(shortened(word, words), words) + "  ";
      out += bar + std::string(static_cast<std::size_t>(std::max(0, wide - used)), ' ') + " " + right_aligned(figure, figures) + "\n";
      first = false;
    };
    for (const ChartSeries& series : chart.series) {
      if (c >= series.points.size() || !std::isfinite(series.points[c].y)) continue;
      const double value = series.points[c].y, from = chart.stacked ? sum : 0;
      sum = from + value;
      const int n = std::max(cells(sum) - cells(from), value > 0 && !chart.stacked ? 1 : 0);
      const std::string bar = coloured(repeated_glyph(series.hatched ? "░" : "█", n), series.ink, terminal);
      if (chart.stacked) drawn += bar;
      else line(bar, n, amount(chart.y.quantity, value), series.name);
    }
    if (chart.stacked) line(drawn, cells(sum), amount(chart.y.quantity, sum), "");
  }
  if (!chart.y.title.empty()) out += "  " + coloured(shortened(chart.y.title, terminal.columns - 4), Ink::muted, terminal) + "\n";
  if (chart.stacked)
    for (const ChartSeries& series : chart.series) out += "  " + coloured(series.hatched ? "░" : "█", series.ink, terminal) + " " + shortened(series.name, terminal.columns - 6) + "\n";
  return out;
}

std::string chart_matrix(const Chart& chart, const Terminal& terminal) {
  int names = 0, cell = 3;
  double most = 0;
  for (const ChartSeries& series : chart.series) {
    names = std::max(names, columns(series.name));
    for (const ChartPoint& point : series.points)
      if (std::isfinite(point.y)) {
        most = std::max(most, point.y);
        cell = std::max(cell, columns(amount(chart.y.quantity, point.y)) + 1);
      }
  }
  for (const std::string& category : chart.categories) cell = std::max(cell, std::min(columns(category) + 1, 12));
  names = std::min(names, 24);
  const auto shown = std::min(chart.categories.size(), static_cast<std::size_t>(std::max(1, (terminal.columns - names - 4) / cell)));
  std::string out = "  " + coloured(shortened(chart.y.title, terminal.columns - 4), Ink::muted, terminal) + "\n";
  out += std::string(static_cast<std::size_t>(names + 2), ' ');
  for (std::size_t c = 0; c < shown; ++c) out += coloured(right_aligned(shortened(chart.categories[c], cell - 1), cell), Ink::muted, terminal);
  out += shown < chart.categories.size() ? " …\n" : "\n";
  for (const ChartSeries& series : chart.series) {
    out += "  " + right_aligned(shortened(series.name, names), names);
    for (std::size_t c = 0; c < shown; ++c) {
      const double value = c < series.points.size() ? series.points[c].y : kAbsent;
      const bool hot = std::isfinite(value) && most > 0 && value >= most * 0.999;
      const std::string figure = right_aligned(!std::isfinite(value) ? "–" : value == 0 ? "·" : amount(chart.y.quantity, value), cell);
      out += coloured(figure, hot ? Ink::accent : value > 0 ? Ink::text : Ink::muted, terminal, hot);
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string right_aligned(const std::string& text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - columns(text))), ' ') + text;
}

std::string terminal_chart(const Chart& chart, const Terminal& terminal) {
  std::string out;
  if (!chart.title.empty())
    for (const std::string& line : in_lines(chart.title, terminal.columns)) out += coloured(line, Ink::text, terminal, true) + "\n";
  switch (chart.kind) {
    case Chart::Kind::lines: out += chart_lines(chart, terminal); break;
    case Chart::Kind::bars: out += chart_bars(chart, terminal); break;
    case Chart::Kind::matrix: out += chart_matrix(chart, terminal); break;
    case Chart::Kind::graph: return {};  // arrows need a canvas; the matrix beside it says the same
  }
  if (!chart.note.empty())
    for (const std::string& line : in_lines(chart.note, terminal.columns - 2)) out += "  " + coloured(line, Ink::muted, terminal) + "\n";
  return out;
}

}  // namespace p2plab::report

#include "app/report/result_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/check/demo_run.h"
#include "app/report/quantity.h"
#include "app/report/row_names.h"
#include "app/report/run_sentence.h"
#include "app/report/terminal_chart.h"
#include "app/report/utf8.h"

namespace p2plab::report {
namespace {

using nlohmann::ordered_json;

/// The middle of a spread (--repeat), or the number itself; absent where there is none.
double cell_number(const ordered_json& row, const std::string& column) {
  const auto found = row.find(column);
  if (found == row.end()) return kAbsent;
  const ordered_json& value = found->is_object() && found->contains("median") ? (*found)["median"] : *found;
  return value.is_number() ? value.get<double>() : kAbsent;
}
std::string cell_word(const ordered_json& row, const std::string& column) {
  const auto found = row.find(column);
  if (found == row.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  const double number = cell_number(row, column);
  return std::isfinite(number) ? amount(quantity_of(column), number) : std::string();
}

class Builder {
 public:
  Builder(const check::DemoManifest& demo, const ordered_json& metrics, const std::vector<check::Link>& links, const content::Text& text)
      : demo_(demo), metrics_(metrics), links_(links), text_(text) {}

  Chart chart(const check::ChartSpec& spec) const {
    Chart out;
    out.title = spec.title.in(text_.language());
    out.note = spec.note.in(text_.language());
    constexpr std::array kKinds{Chart::Kind::lines, Chart::Kind::bars, Chart::Kind::matrix, Chart::Kind::graph};  // of ChartSpec::Kind
    out.kind = kKinds[static_cast<std::size_t>(spec.kind)];
    out.stacked = spec.stacked;
    out.x = {title_of(spec.x_title, spec.x), quantity_of(spec.x), spec.log_x};
    const bool named = spec.y.size() == 1 || !spec.y_title.en.empty();  // several columns are named by the legend
    out.y = {named ? title_of(spec.y_title, spec.y.front()) : "", quantity_of(spec.y.front()), spec.log_y};
    const auto table = metrics_.find(spec.table);
    if (table == metrics_.end() || !table->is_array()) return out;
    for (const ordered_json& row : *table) {
      if (!wanted(spec, row)) continue;
      if (out.kind == Chart::Kind::lines) add_point(out, spec, row);
      else add_cell(out, spec, row);
    }
    ink(out, spec);
    if (out.empty()) return out;
    if (spec.fit) add_fit(out);
    if (spec.links) add_links(out);
    for (const check::MarkSpec& mark : spec.marks) {
      const double at = cell_number(metrics_, mark.metric);
      if (std::isfinite(at) && at > 0) out.marks.push_back({at, mark.label.in(text_.language()) + " " + amount(out.x.quantity, at)});
    }
    return out;
  }

  std::string word(const std::string& id) const {
    const auto found = demo_.results.words.find(id);
    return found == demo_.results.words.end() ? id : found->second.in(text_.language());
  }

 private:
  std::string title_of(const content::Twin& given, const std::string& column) const { return given.en.empty() ? word(column) : given.in(text_.language()); }

  static bool wanted(const check::ChartSpec& spec, const ordered_json& row) {
    return std::all_of(spec.only.begin(), spec.only.end(), [&](const auto& one) {
      const auto found = row.find(one.first);
      if (found == row.end()) return false;
      return found->is_string() ? found->template get<std::string>() == one.second : cell_number(row, one.first) == static_cast<double>(check::parse_amount(one.second).value_or(-1));
    });
  }

  static ChartSeries& series(Chart& chart, const std::string& name) {
    for (ChartSeries& known : chart.series)
      if (known.name == name) return known;
    chart.series.push_back({});
    chart.series.back().name = name;
    return chart.series.back();
  }

  void add_point(Chart& chart, const check::ChartSpec& spec, const ordered_json& row) const {
    for (const std::string& column : spec.y) {
      const double y = cell_number(row, column);
      if (!std::isfinite(y)) continue;
      const std::string name = spec.series.empty() ? word(column) : word(cell_word(row, spec.series));
      series(chart, name).points.push_back({cell_number(row, spec.x), y, spec.low.empty() ? kAbsent : cell_number(row, spec.low),
                                            spec.high.empty() ? kAbsent : cell_number(row, spec.high)});
    }
  }

  /// Bars and matrices: the place of a category is that of its first row.
  void add_cell(Chart& chart, const check::ChartSpec& spec, const ordered_json& row) const {
    const std::string category = word(cell_word(row, spec.x));
    const auto found = std::find(chart.categories.begin(), chart.categories.end(), category);
    const auto at = static_cast<std::size_t>(found - chart.categories.begin());
    if (found == chart.categories.end()) chart.categories.push_back(category);
    for (const std::string& column : spec.y) {
      ChartSeries& one = series(chart, spec.series.empty() ? word(column) : word(cell_word(row, spec.series)));
      if (one.points.size() <= at) one.points.resize(at + 1);
      one.points[at].y = cell_number(row, column);
    }
  }

  static void ink(Chart& chart, const check::ChartSpec& spec) {
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
      ChartSeries& one = chart.series[i];
      one.ink = chart.kind == Chart::Kind::matrix || chart.kind == Chart::Kind::graph ? Ink::accent : series_ink(i);
      if (i >= spec.inks.size()) continue;
      if (spec.inks[i] == "wait") {
        one.ink = Ink::muted;
        one.hatched = true;
      }
      for (int k = 0; k < kInks; ++k)
        if (spec.inks[i] == name(static_cast<Ink>(k))) one.ink = static_cast<Ink>(k);
    }
  }

  /// alpha + n / beta, and the step above a size, at the abscissae of the first series.
  static ChartSeries model(const Chart& chart, double alpha_ns, double bytes_per_s, double step_ns = 0, double step_above = 0) {
    ChartSeries out;
    for (const ChartPoint& point : chart.series.front().points)
      out.points.push_back({point.x, alpha_ns + point.x / bytes_per_s * 1e9 + (point.x > step_above ? step_ns : 0)});
    std::sort(out.points.begin(), out.points.end(), [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
    return out;
  }
  void add_fit(Chart& chart) const {
    const double alpha = cell_number(metrics_, "alpha_ns"), beta = cell_number(metrics_, "beta_bytes_per_s");
    if (!std::isfinite(alpha) || !(beta > 0)) return;
    const double step = cell_number(metrics_, "step_ns");
    const bool stepped = std::isfinite(step) && !demo_.results.fits.front().step_above.empty();
    const double above = stepped ? cell_number(metrics_, demo_.results.fits.front().step_above) : 0;
    ChartSeries line = model(chart, alpha, beta, stepped ? step : 0, above);
    line.name = text_(stepped ? "chart.fit_step" : "chart.fit", {{"alpha", amount(Quantity::time_ns, alpha)}, {"beta", amount(Quantity::bytes_per_s, beta)},
                                                                  {"step", amount(Quantity::time_ns, step)}, {"above", amount(Quantity::bytes, above)}});
    line.style = ChartSeries::Style::line;
    line.ink = Ink::bad;
    chart.series.push_back(std::move(line));
  }
  void add_links(Chart& chart) const {
    std::size_t n = 1;
    const Chart measured = chart;
    for (const check::Link& link : links_) {
      if (link.id == "slow-motion") continue;
      ChartSeries line = model(measured, static_cast<double>(link.alpha_ns), link.bytes_per_s);
      line.name = link.title.in(text_.language());
      line.source = link.source;
      line.style = ChartSeries::Style::reference;
      line.ink = series_ink(n++);
      if (line.ink == Ink::bad) line.ink = series_ink(n++);
      chart.series.push_back(std::move(line));
    }
  }

  const check::DemoManifest& demo_;
  const ordered_json& metrics_;
  const std::vector<check::Link>& links_;
  const content::Text& text_;
};

/// Nobody could tell the two apart once drawn, as where the run itself was on the simulator's clock.
bool shows_the_same(const Chart& a, const Chart& b) {
  if (a.kind != Chart::Kind::lines || a.kind != b.kind || a.series.size() != b.series.size() || a.y.title != b.y.title) return false;
  double most = 0;
  for (const ChartSeries& series : a.series)
    for (const ChartPoint& point : series.points) most = std::max(most, std::abs(point.y));
  for (std::size_t s = 0; s < a.series.size(); ++s) {
    const auto &left = a.series[s], &right = b.series[s];
    if (left.name != right.name || left.points.size() != right.points.size()) return false;
    for (std::size_t i = 0; i < left.points.size(); ++i)
      if (left.points[i].x != right.points[i].x || !(std::abs(left.points[i].y - right.points[i].y) <= most * 0.01)) return false;
  }
  return true;
}

/// A cell of a printed table. Times of a sweep stand in one unit, so that they can be compared down the column.
std::string cell_words(const Builder& builder, const std::string& column, const ordered_json& row) {
  const double value = cell_number(row, column);
  if (!std::isfinite(value)) {
    const std::string word = cell_word(row, column);
    return word.empty() ? "–" : builder.word(word);
  }
  switch (quantity_of(column)) {
    case Quantity::time_ns: return fmt::format("{:.2f}", value / 1e3);
    case Quantity::bytes_per_s: return fmt::format("{:.3f}", value / 1e9);
    case Quantity::bytes: return fmt::format("{:.0f}", value);
    case Quantity::times: return fmt::format("{:.2f}", value);
    case Quantity::share: return fmt::format("{:.1f}", value * 100);
    case Quantity::count: break;
  }
  return amount(Quantity::count, value);
}

const char* unit_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::time_ns: return " (µs)";
    case Quantity::bytes_per_s: return " (GB/s)";
    case Quantity::bytes: return " (B)";
    case Quantity::times: return " (×)";
    case Quantity::share: return " (%)";
    case Quantity::count: break;
  }
  return "";
}

}  // namespace

Quantity quantity_of(std::string_view column) {
  if (column.ends_with("_ns")) return Quantity::time_ns;
  if (column.ends_with("_bytes_per_s")) return Quantity::bytes_per_s;
  if (column == "bytes" || column.ends_with("_bytes")) return Quantity::bytes;
  if (column.ends_with("_times")) return Quantity::times;
  if (column.ends_with("_ratio")) return Quantity::share;
  return Quantity::count;
}

std::string metric_words(std::string_view metric, const ordered_json& value) {
  if (value.is_object() && value.contains("median")) {
    if (!value["median"].is_number() || value.value("n", 0) < 2) return metric_words(metric, value["median"]);
    return fmt::format("{}  ({} … {})", metric_words(metric, value["median"]), metric_words(metric, value["min"]), metric_words(metric, value["max"]));
  }
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number()) return "–";
  const Quantity quantity = quantity_of(metric);
  if (quantity == Quantity::time_ns) return duration(static_cast<trace::Ns>(value.get<double>()));
  return amount(quantity, value.get<double>());
}

std::vector<Chart> result_charts(const check::DemoManifest& demo, const ordered_json& metrics, const std::vector<check::Link>& links,
                                 const content::Text& text) {
  std::vector<Chart> out;
  if (!metrics.is_object()) return out;
  const Builder builder(demo, metrics, links, text);
  for (const check::ChartSpec& spec : demo.results.charts) {
    Chart chart = builder.chart(spec);
    if (chart.empty()) continue;
    if (std::none_of(out.begin(), out.end(), [&](const Chart& before) { return shows_the_same(before, chart); })) out.push_back(std::move(chart));
  }
  return out;
}

std::vector<ResultTable> result_tables(const check::DemoManifest& demo, const ordered_json& metrics, const content::Text& text) {
  std::vector<ResultTable> out;
  if (!metrics.is_object()) return out;
  const Builder builder(demo, metrics, {}, text);
  for (const check::TableSpec& spec : demo.results.tables) {
    const auto table = metrics.find(spec.id);
    if (table == metrics.end() || !table->is_array() || table->empty()) continue;
    std::vector<std::string> columns;  // a variant need not fill all of them
    for (const std::string& column : spec.columns)
      if (std::any_of(table->begin(), table->end(), [&](const ordered_json& row) { return row.contains(column) && !row[column].is_null(); })) columns.push_back(column);
    ResultTable one;
    one.title = spec.title.in(text.language());
    for (const std::string& column : columns) one.head.push_back(builder.word(column) + unit_of(quantity_of(column)));
    for (const ordered_json& row : *table) {
      one.rows.emplace_back();
      for (const std::string& column : columns) one.rows.back().push_back(cell_words(builder, column, row));
    }
    out.push_back(std::move(one));
  }
  return out;
}

std::string table_text(const ResultTable& table) {
  std::vector<int> widths;
  std::vector<bool> figures;
  for (std::size_t c = 0; c < table.head.size(); ++c) {
    widths.push_back(columns(table.head[c]));
    bool numeric = true;
    for (const auto& row : table.rows) {
      widths[c] = std::max(widths[c], columns(row[c]));
      numeric = numeric && (row[c] == "–" || row[c].find_first_not_of("0123456789.-+e") == std::string::npos);
    }
    figures.push_back(numeric);
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t c = 0; c < cells.size(); ++c)
      out += (c == 0 ? "  " : "  ") + (figures[c] ? right_aligned(cells[c], widths[c]) : padded(cells[c], widths[c]));
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out + "\n";
  };
  std::string out = line(table.head);
  for (const auto& row : table.rows) out += line(row);
  return out;
}

NumberWords number_words(const check::NumberSpec& number, const ordered_json& metrics, const content::Text& text) {
  NumberWords out{number.title.in(text.language()), "–", number.beside.in(text.language())};
  if (!metrics.is_object()) return out;
  if (const auto found = metrics.find(number.metric); found != metrics.end()) out.value = metric_words(number.metric, *found);
  out.beside = known_clauses(out.beside, metrics);
  return out;
}

}  // namespace p2plab::report

// Reads what a demo shows of its measurements.
#include "app/check/demo_results.h"

#include "app/content/toml_reader.h"

namespace p2plab::check {

namespace {

content::Twin optional_text(const content::TomlReader& reader, std::string_view key) { return reader.has(key) ? reader.bilingual(key) : content::Twin{}; }

bool truth(const content::TomlReader& reader, std::string_view key) {
  if (!reader.has(key)) return false;
  const std::string word = reader.value(key);
  if (word != "true" && word != "false") reader.broken("\"" + std::string(key) + "\" is true or false");
  return word == "true";
}

ChartSpec read_chart(const content::TomlReader& reader) {
  reader.only({"table", "kind", "x", "y", "series", "low", "high", "only", "inks", "log", "stacked", "fit", "links", "title", "note", "x_title", "y_title", "mark"});
  ChartSpec chart;
  chart.table = reader.text("table");
  const std::string kind = reader.text("kind");
  if (kind == "lines") chart.kind = ChartSpec::Kind::lines;
  else if (kind == "bars") chart.kind = ChartSpec::Kind::bars;
  else if (kind == "matrix") chart.kind = ChartSpec::Kind::matrix;
  else if (kind == "graph") chart.kind = ChartSpec::Kind::graph;
  else reader.broken("kind must be lines, bars, matrix or graph");
  chart.x = reader.text("x");
  chart.y = reader.texts("y");
  if (chart.y.empty()) reader.broken("y must name at least one column");
  chart.series = reader.text_or("series", "");
  if (!chart.series.empty() && chart.y.size() > 1) reader.broken("with series there is one y");
  const bool pairs = chart.kind == ChartSpec::Kind::matrix || chart.kind == ChartSpec::Kind::graph;
  if (pairs && chart.series.empty()) reader.broken("a matrix or graph needs series: the column that names its rows");
  chart.low = reader.text_or("low", "");
  chart.high = reader.text_or("high", "");
  chart.only = reader.values("only");
  chart.inks = reader.texts("inks");
  const std::string log = reader.text_or("log", "none");
  if (log != "none" && log != "x" && log != "y" && log != "xy") reader.broken("log must be none, x, y or xy");
  chart.log_x = log.find('x') != std::string::npos;
  chart.log_y = log == "y" || log == "xy";
  chart.stacked = truth(reader, "stacked");
  chart.fit = truth(reader, "fit");
  chart.links = truth(reader, "links");
  chart.title = reader.bilingual("title");
  chart.note = optional_text(reader, "note");
  chart.x_title = optional_text(reader, "x_title");
  chart.y_title = optional_text(reader, "y_title");
  for (const content::TomlReader& mark : reader.tables("mark")) {
    mark.only({"metric", "label"});
    chart.marks.push_back({mark.text("metric"), mark.bilingual("label")});
  }
  return chart;
}

void check_fits(const content::TomlReader& demo, const DemoResults& results) {
  for (const ChartSpec& chart : results.charts)
    if (chart.fit && results.fits.empty()) demo.broken("a chart with fit needs a [[fit]]");
  if (results.fits.size() > 1) demo.broken("there is one [[fit]] at most");
}

}  // namespace

std::vector<const content::Twin*> texts(const DemoResults& results) {
  std::vector<const content::Twin*> out;
  for (const NumberSpec& number : results.numbers) out.insert(out.end(), {&number.title, &number.beside});
  for (const TableSpec& table : results.tables) out.push_back(&table.title);
  for (const ChartSpec& chart : results.charts) {
    out.insert(out.end(), {&chart.title, &chart.note, &chart.x_title, &chart.y_title});
    for (const MarkSpec& mark : chart.marks) out.push_back(&mark.label);
  }
  for (const auto& [id, word] : results.words) out.push_back(&word);
  return out;
}

DemoResults read_results(const content::TomlReader& demo) {
  DemoResults out;
  for (const content::TomlReader& entry : demo.tables("number")) {
    entry.only({"metric", "title", "beside"});
    out.numbers.push_back({entry.text("metric"), entry.bilingual("title"), optional_text(entry, "beside")});
  }
  for (const content::TomlReader& entry : demo.tables("table")) {
    entry.only({"id", "title", "columns"});
    out.tables.push_back({entry.text("id"), entry.bilingual("title"), entry.texts("columns")});
    if (out.tables.back().columns.empty()) entry.broken("columns must name at least one column");
  }
  for (const content::TomlReader& entry : demo.tables("chart")) out.charts.push_back(read_chart(entry));
  for (const content::TomlReader& entry : demo.tables("fit")) {
    entry.only({"table", "bytes", "time", "step_above"});
    out.fits.push_back({entry.text("table"), entry.text("bytes"), entry.text("time"), entry.text_or("step_above", "")});
  }
  for (const content::TomlReader& entry : demo.tables("word")) {
    entry.only({"id", "en", "zh"});
    out.words[entry.text("id")] = {entry.text("en"), entry.text("zh")};
  }
  if (const auto steps = demo.values("steps"); !steps.empty()) {
    if (steps.size() != 1 || !steps.contains("table")) demo.broken("[steps] names its table, and nothing else");
    out.steps = steps.at("table");
  }
  for (const auto& entry : demo.tables("derived")) {
    entry.only({"metric", "value", "over", "minus"});
    out.derived.push_back({entry.text("metric"), entry.text("value"), entry.text_or("over", ""), entry.text_or("minus", "")});
  }
  const std::string picture = demo.text_or("picture", "timeline");
  if (picture != "timeline" && picture != "charts") demo.broken("picture must be timeline or charts");
  out.timeline = picture == "timeline";
  check_fits(demo, out);
  return out;
}

}  // namespace p2plab::check

// What a demo shows of what it measured, as demo.toml says it: numbers, tables, charts. All of it is data: what the ranks
// hand over row by row (World::row) becomes a table by name, and the rest says how to read it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "app/check/demo_steps.h"
#include "app/content/twin.h"

namespace p2plab::content {
class TomlReader;
}

namespace p2plab::check {

/// A metric with its words. The first of a demo is the decisive one.
struct NumberSpec {
  std::string metric;
  content::Twin title;
  content::Twin beside;  ///< what to compare it with; {metric} stands for that metric's value. May be empty
};

/// A table that is printed, and the columns of it.
struct TableSpec {
  std::string id;
  content::Twin title;
  std::vector<std::string> columns;
};

/// A vertical line at a metric's value.
struct MarkSpec {
  std::string metric;
  content::Twin label;
};

struct ChartSpec {
  enum class Kind { lines, bars, matrix, graph };
  std::string table;
  Kind kind = Kind::lines;
  std::string x;               ///< column: the abscissa, the bars' names, the matrix' columns
  std::vector<std::string> y;  ///< columns: one series each; of a matrix one column, its values
  std::string series;          ///< column: its words name the series (of a matrix: its rows), in order of appearance
  std::string low, high;       ///< columns: the spread around a single y
  std::map<std::string, std::string> only;  ///< rows with these values only
  std::vector<std::string> inks;            ///< of the series, in order; "wait" is hatched
  bool log_x = false, log_y = false, stacked = false;
  bool fit = false;    ///< draws alpha + x / beta of the demo's [fit]
  bool links = false;  ///< draws the link presets, of times over bytes
  content::Twin title, note, x_title, y_title;  ///< the titles of the axes are those of their columns unless given
  std::vector<MarkSpec> marks;
};

/// The latency-bandwidth model fitted to a table: alpha_ns, beta_bytes_per_s and n_half_bytes become metrics, and step_ns
/// where the metric `step_above` (the eager limit) lies among the sizes.
struct FitSpec {
  std::string table, bytes, time, step_above;
};

struct DemoResults {
  std::vector<NumberSpec> numbers;
  std::vector<TableSpec> tables;
  std::vector<ChartSpec> charts;
  std::vector<FitSpec> fits;               ///< none or one
  std::string steps;                       ///< table whose rows are steps of a pipeline (demo_steps.h); empty if none
  std::vector<DerivedSpec> derived;
  std::map<std::string, content::Twin> words;  ///< of columns, and of what stands in them
  bool timeline = true;                    ///< the picture shows it below the charts
};

/// Every text of it, for fonts and for the test of completeness.
std::vector<const content::Twin*> texts(const DemoResults& results);

/// Reads number, table, chart, fit, words and picture. Throws Error "manifest.broken".
DemoResults read_results(const content::TomlReader& demo);

}  // namespace p2plab::check

// A chart as data: lines over two axes, bars, or a matrix. What draws it knows no demo, and what fills it no canvas.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "app/report/canvas.h"

namespace p2plab::report {

/// What a number counts, and so how it is written: plain, 64 KiB, 12.5 µs, 25 GB/s, 2.4 ×, 31 %.
enum class Quantity { count, bytes, time_ns, bytes_per_s, times, share };
/// As short as a tick of an axis has to be; three figures.
std::string amount(Quantity quantity, double value);

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

struct ChartAxis {
  std::string title;
  Quantity quantity = Quantity::count;
  bool log = false;  ///< what is not above 0 stands at the axis' low end
};

struct ChartPoint {
  double x = 0, y = kAbsent;
  double low = kAbsent, high = kAbsent;  ///< the spread around y
};

struct ChartSeries {
  enum class Style { marks_and_line, line, reference };  ///< measured, fitted, and dashed: known from elsewhere
  std::string name;
  std::string source;  ///< where a reference comes from; shown to who points at it
  Style style = Style::marks_and_line;
  Ink ink = Ink::accent;
  bool hatched = false;  ///< of bars: slanted lines, as waits are drawn everywhere
  std::vector<ChartPoint> points;
};

/// A place on the x axis that has a name.
struct ChartMark {
  double x = 0;
  std::string label;
};

struct Chart {
  enum class Kind {
    lines,
    bars,    ///< one group per category; the y of the n-th point of each series belongs to the n-th category
    matrix,  ///< a row per series, a column per category, coloured by y
    graph,   ///< the same as arrows between places on a circle: the n-th series and the n-th category are one place
  };
  Kind kind = Kind::lines;
  std::string title, note;  ///< the note stands below: what to see
  ChartAxis x, y;
  std::vector<ChartSeries> series;
  std::vector<std::string> categories;
  bool stacked = false;  ///< bars of one category stand end to end
  std::vector<ChartMark> marks;
  bool empty() const;
};

/// The ink of the n-th series that asks for none.
Ink series_ink(std::size_t n);

/// What stands where in a drawn chart, for who points at it.
struct ChartSpot {
  Box box;
  std::string words;
};

/// The height that a chart of this width wants, its texts measured without a font.
double chart_height(const Chart& chart, double width);
/// The least height at which it can still be read: lines and graphs may be drawn as low as that, the others need all they want.
double least_chart_height(const Chart& chart, double width);
/// Draws into the box; returns the spots, the topmost last.
std::vector<ChartSpot> draw_chart(Canvas& canvas, const Chart& chart, const Box& box);

}  // namespace p2plab::report

// Draws decided rows on any canvas: lanes, blocks, waits, arrows, axis. Blocks are told apart by text and hatch as well
// as by colour.
#pragma once
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/content/text.h"
#include "app/report/canvas.h"
#include "app/report/placement.h"
#include "app/report/timeline_arrows.h"
#include "app/report/timeline_layout.h"

namespace p2plab::report {

/// The part of a canvas that shows time: x from `left`, one pixel of the view per pixel.
struct Frame {
  double left = 0;    ///< where the view begins; row names stand to its left
  double top = 0;     ///< where row place y = 0 stands
  double name_left = 0;
  double scale = 1;
};

/// The strip behind the blocks, and the names "rank 0", "compute" left of it.
void draw_row_ground(Canvas& canvas, const Frame& frame, const View& view, const Row& row, const Place& place, const content::Text& text);
/// `tooltip` is asked only by canvases that keep one.
void draw_blocks(Canvas& canvas, const Frame& frame, const View& view, const trace::Trace& trace, const Row& row, const Place& place,
                 const content::Text& text,
                 const std::function<std::string(const Block&)>& tooltip = {});
/// Vertical lines at the ticks from `top` to `bottom`, and their labels centred on `label_y`.
void draw_axis(Canvas& canvas, const Frame& frame, const View& view, double label_y, double top, double bottom);
/// Arrows between rows; an end on a row that is not shown is left out.
/// What is said of an ideal action: when it would have run, and how much later it did.
std::string ghost_tip(const trace::Trace& trace, const Row& row, const Block& block, const content::Text& text);

void draw_arrows(Canvas& canvas, const Frame& frame, const View& view, const trace::Trace& trace, const std::vector<Row>& rows,
                 const Placement& placement, const std::vector<Arrow>& arrows, double alpha, double width = 1);

/// What a reader has to be told about the marks that are in sight.
struct Legend {
  std::set<trace::Kind> kinds;
  bool messages = false, merged = false, open = false, ideal = false;
  bool kept = false;  ///< activations in flight over time
  bool streams = false;  ///< arrows of launches and of waits between streams
};
Legend legend(const std::vector<Row>& rows, bool messages);
/// From x, centred on y, up to `right`; what would pass it stands in a second line where there is one, `below` further
/// down and up to `below_right`.
struct LegendPlace {
  double x = 0, y = 0, right = 0;
  double scale = 1;
  double below = 0, below_right = 0;
};
/// False when entries had to be left out.
bool draw_legend(Canvas& canvas, const content::Text& text, const Legend& legend, LegendPlace place);

/// The middle of a span's block on its row, from the top of the rows; nothing when the row is not shown.
class RowOf {
 public:
  RowOf(const trace::Trace& trace, const std::vector<Row>& rows, const Placement& placement);
  std::optional<std::size_t> row(trace::SpanId span) const;
  std::optional<double> middle(trace::SpanId span) const;

 private:
  const trace::Trace& trace_;
  const std::vector<Row>& rows_;
  const Placement& placement_;
  std::vector<std::size_t> of_track_;
};

}  // namespace p2plab::report

// The timeline in the window: live rows, zoom at the cursor, pan, follow, selection, range statistics, message arrows.
// What is drawn where is decided in app/report; here are the view's movement and the mouse.
#pragma once
#include <imgui.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/ui.h"
#include "app/gui/widgets/timeline_view.h"
#include "app/report/draw_in_flight.h"
#include "app/report/draw_timeline.h"
#include "app/report/range_statistics.h"
#include "app/report/stream_arrows.h"
#include "app/report/timeline_arrows.h"
#include "app/trace/trace.h"

namespace p2plab::gui {

class TimelineWidget {
 public:
  /// Another trace is shown from now on: forgets selection and range and follows the run as a whole.
  void reset();

  /// Draws into the box at screen position `at` of the current window and takes its mouse and keys (the keys of `ui`, so
  /// none while a text field has them). `trace` may be null: then the axis alone, and what to do next, the text `nothing`.
  void draw(Ui& ui, const trace::Trace* trace, bool running, ImVec2 at, ImVec2 size, const char* nothing = "timeline.nothing");
  /// Something still moves: draw the next frame soon.
  bool wants_redraw() const { return view_.moving() || drag_ != Drag::none; }

  std::optional<trace::SpanId> selected() const { return selected_; }
  /// Selects and, if it is out of sight, moves there.
  void select(const trace::Trace& trace, std::optional<trace::SpanId> span);
  /// The selected stretch of time.
  std::optional<report::Range> range() const { return range_; }
  void select(report::Range range) { range_ = range; }
  void clear_range() { range_.reset(); }
  /// True once, when the card with the range's statistics was clicked: its numbers are wanted as text.
  bool take_copy() { return std::exchange(copy_asked_, false); }

  /// Shows this stretch of time, eased.
  void show(trace::Ns begin, trace::Ns end) { view_.show(static_cast<double>(begin), static_cast<double>(end)); }
  void fit() { view_.fit(); }
  void follow() { view_.resume(); }
  bool following() const { return view_.follow() != TimelineView::Follow::none; }
  const TimelineView& view() const { return view_; }

  void show_messages(bool on) { all_messages_ = on; }
  bool shows_messages() const { return all_messages_; }
  void fold_in_flight(bool on) { fold_ = on; }

 private:
  enum class Drag { none, pan, range, press };
  struct Area;  // where the parts of the widget are this frame

  void keys(Ui& ui, const trace::Trace& trace);
  void mouse(Ui& ui, const trace::Trace& trace, const Area& area);
  void wheel(const Area& area);
  void step(const trace::Trace& trace, int direction);
  void decide(const trace::Trace& trace, const Area& area, bool running);
  void paint(Ui& ui, const trace::Trace& trace, const Area& area);
  void paint_selected(Ui& ui, const trace::Trace& trace, const Area& area);
  void paint_range(Ui& ui, const trace::Trace& trace, const Area& area, bool running);
  void paint_bottom(Ui& ui, const trace::Trace& trace, const Area& area, bool running);
  bool toggle(Ui& ui, double& right, double y, const char* word, const char* tip, bool on);
  void hover(Ui& ui, const trace::Trace& trace, const Area& area);
  bool over_card() const;
  std::optional<report::Picked> under_mouse(const Area& area) const;

  TimelineView view_;
  std::optional<trace::SpanId> selected_;
  std::optional<report::Range> range_;
  bool all_messages_ = false;
  bool fold_ = true;
  int legend_lines_ = 1;     ///< two once the legend of this trace did not fit: the rows do not move back
  double scroll_ = 0;        ///< pixels the rows are moved up
  Drag drag_ = Drag::none;
  double drag_from_ = 0;     ///< the instant where a range began
  ImVec2 pressed_at_{};

  // Decided each frame.
  report::View window_;
  std::optional<analysis::IdealRun> ideal_;  ///< of a run that has ended
  report::InFlightCurves kept_;              ///< likewise
  std::optional<std::uint64_t> ideal_revision_;
  std::vector<report::Row> rows_;
  report::Placement placement_;
  report::MessageIndex messages_;
  std::vector<report::Arrow> streams_;               ///< launches, and waits between streams
  std::vector<report::Arrow> streams_in_view_;
  std::optional<std::uint64_t> streams_revision_;
  const trace::Trace* seen_ = nullptr;
  /// What the rows were decided for; while it stays, a frame only draws.
  struct Decided {
    trace::Ns begin = 0, end = 0, now = 0;
    double pixels = 0, height = 0, scroll = 0, scale = 0;
    std::uint64_t revision = 0;
    std::size_t messages = 0;
    bool fold = false;
    bool operator==(const Decided&) const = default;
  };
  std::optional<Decided> decided_;

  // The range's statistics are kept until range or trace change.
  report::RangeStatistics statistics_;
  report::Range statistics_of_{};
  std::uint64_t statistics_revision_ = 0;
  double statistics_at_ = -1;
  std::optional<report::Box> card_;  ///< where they were drawn last
  bool copy_asked_ = false;
};

}  // namespace p2plab::gui

// Decides what of a trace is drawn where; knows no medium. The window, SVG, PNG and terminal all draw these rows.
// Cost follows the pixels, not the spans: what is narrower than a pixel or two is merged, and a merged block says how
// busy it was.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/analysis/ideal_run.h"
#include "app/trace/trace.h"

namespace p2plab::report {

struct View {
  trace::Ns begin = 0, end = 1;   ///< the visible stretch of time
  double pixels = 1;              ///< its width
  double min_pixels = 3;          ///< narrower spans merge
  trace::Ns origin = 0;           ///< the instant that people are told is 0: the run's first span
  double x(trace::Ns t) const { return static_cast<double>(t - begin) * pixels / static_cast<double>(end - begin); }
};

/// One rectangle to draw.
struct Block {
  double x0 = 0, x1 = 0;                    ///< pixels from the left of the view
  std::uint16_t depth = 0;                  ///< sub-row
  trace::Kind kind = trace::Kind::other;    ///< of the longest span inside
  trace::SpanId span = trace::kNoIndex;     ///< the longest span inside
  std::uint32_t count = 1;                  ///< spans merged into it
  float busy = 1;                           ///< share of its width covered by spans
  bool open = false;                        ///< still running: drawn with an open right edge
};

struct Row {
  trace::TrackId track = 0;
  int rank = 0;
  std::string lane;
  std::uint16_t depths = 1;
  bool in_flight = false;      ///< operations from post to completion; may be folded
  bool folded = false;         ///< all sub-rows drawn over each other in one thin row
  bool ghost = false;          ///< the ideal run under the lane above: pale, and not measured
  std::span<const analysis::IdealSpan> ideal;  ///< of a ghost
  std::vector<Block> blocks;   ///< by depth, then from left to right
};

struct RowOptions {
  bool in_flight = true;        ///< show the lanes `in flight` at all
  bool fold_in_flight = false;
  const analysis::IdealRun* ideal = nullptr;  ///< laid under the lanes whose actions it holds; outlives the rows
};

/// Which rows there are: by rank, then host, compute, comm, other streams, in flight. Their blocks are still empty, so
/// that only those on screen need be filled.
std::vector<Row> rows(const trace::Trace& trace, const RowOptions& options = {});
/// Decides the blocks of one row.
void fill(const trace::Trace& trace, const View& view, Row& row);
/// Both at once, for a picture of all rows.
std::vector<Row> layout(const trace::Trace& trace, const View& view);

/// When the first span began: starting the ranks takes longer than many a run.
trace::Ns first_begin(const trace::Trace& trace);
/// When the last span ended; the newest instant while one is open. The ranks' own ending takes longer than many a run.
trace::Ns last_end(const trace::Trace& trace);
/// From the first span to the last's end, with a little air on both sides.
View whole(const trace::Trace& trace, double pixels);

/// "F3", "B0", "send", … : what stands on a block, in the trace's own words; people are shown shown_label (words.h).
std::string label(const trace::Trace& trace, const trace::Span& span);
/// The word for a kind without a name of its own: "send", "wait", …
const char* kind_word(trace::Kind kind);

}  // namespace p2plab::report

#include "app/report/timeline_layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "app/trace/lod.h"

namespace p2plab::report {
namespace {

using trace::Kind;
using trace::Ns;

int lane_order(const std::string& lane, bool in_flight) {
  if (in_flight) return 4;
  if (lane == "host") return 0;
  if (lane == "compute") return 1;
  if (lane == "comm") return 2;
  return 3;
}

/// Largest multiple of `step` not above `t`.
Ns floor_to(Ns t, Ns step) {
  const Ns q = t / step;
  return (t % step < 0 ? q - 1 : q) * step;
}

/// Places the spans of one sub-row of one track.
class LaneFill {
 public:
  LaneFill(const trace::Trace& trace, const trace::Row& lane, const View& view, std::uint16_t depth,
           std::vector<Block>& out)
      : trace_(trace), lane_(lane), view_(view), depth_(depth), out_(out),
        ns_per_pixel_(static_cast<double>(view.end - view.begin) / view.pixels),
        stretch_(std::max<Ns>(1, static_cast<Ns>(ns_per_pixel_ * view.min_pixels))) {}

  void run() {
    const std::size_t last = lane_.first_beginning_at(view_.end);
    std::size_t i = lane_.first_ending_after(view_.begin);
    while (i < last) {
      std::size_t next = i + 1;
      if (!wide(i)) {
        // Merging goes by fixed stretches of time, so that panning does not make merged blocks flicker.
        next = std::min(first_beginning_at(floor_to(lane_[i].begin, stretch_) + stretch_, next), last);
        // Only the last that begins within the stretch can reach beyond it.
        if (next > i + 1 && wide(next - 1)) --next;
      }
      ended(lane_.stretch(i, next));
      step_ = next - i;
      i = next;
    }
    if (lane_.open() != trace::kNoIndex) open(lane_.open());
  }

 private:
  /// Stretches hold about equally many spans, so the search begins where the next one should end; it touches a few
  /// neighbours in memory instead of a dozen places.
  std::size_t first_beginning_at(Ns t, std::size_t from) const {
    const std::size_t guess = from + step_ - step_ / 8;
    if (guess < lane_.size() && lane_[guess].begin < t) from = guess;
    return lane_.first_beginning_at(t, from);
  }
  bool wide(std::size_t i) const { return lane_[i].end - lane_[i].begin >= stretch_; }

  /// Keeps coordinates of spans that leave the view small enough for any medium, with their edges out of sight.
  double x(Ns t) const { return std::clamp(view_.x(t), -16.0, view_.pixels + 16.0); }

  Block block(Ns begin, Ns end, trace::SpanId id) const {
    Block b;
    b.x0 = x(begin);
    b.x1 = std::max(x(end), b.x0 + std::min(2.0, view_.min_pixels));  // the shortest span can still be seen
    b.depth = depth_;
    b.span = id;
    b.kind = trace_.span(id).kind;
    return b;
  }

  void ended(const trace::Stretch& stretch) {
    Block b = block(stretch.begin, stretch.end, stretch.longest);
    b.count = static_cast<std::uint32_t>(stretch.count);
    if (b.count > 1) {
      const double drawn = std::max(static_cast<double>(stretch.end - stretch.begin), (b.x1 - b.x0) * ns_per_pixel_);
      b.busy = static_cast<float>(std::clamp(static_cast<double>(stretch.busy_ns) / drawn, 0.0, 1.0));
    }
    out_.push_back(b);
  }

  void open(trace::SpanId id) {
    const Ns begin = trace_.span(id).begin, end = std::max(trace_.now(), begin);
    if (begin >= view_.end || end < view_.begin) return;
    Block b = block(begin, end, id);
    b.open = true;
    out_.push_back(b);
  }

  const trace::Trace& trace_;
  const trace::Row& lane_;
  const View& view_;
  std::uint16_t depth_;
  std::vector<Block>& out_;
  double ns_per_pixel_;
  Ns stretch_;
  std::size_t step_ = 0;  ///< spans in the last stretch
};

/// Puts each rank's ideal actions under the lane on which they really ran.
void add_ghosts(const trace::Trace& trace, const analysis::IdealRun& ideal, std::vector<Row>& rows) {
  for (std::size_t i = rows.size(); i-- > 0;) {
    const auto rank = static_cast<std::size_t>(rows[i].rank);
    if (rank >= ideal.ranks.size() || ideal.ranks[rank].empty()) continue;
    if (trace.span(ideal.ranks[rank].front().measured).track != rows[i].track) continue;
    Row ghost;
    ghost.track = rows[i].track;
    ghost.rank = rows[i].rank;
    ghost.lane = "ideal";
    ghost.ghost = true;
    ghost.ideal = ideal.ranks[rank];
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(ghost));
  }
}

/// Few actions, and none overlap: each is a block, those narrower than two pixels join the one before.
void fill_ghost(const trace::Trace& trace, const View& view, Row& row) {
  for (const analysis::IdealSpan& ideal : row.ideal) {
    if (ideal.end <= view.begin || ideal.begin >= view.end) continue;
    Block b;
    b.x0 = std::clamp(view.x(ideal.begin), -16.0, view.pixels + 16.0);
    b.x1 = std::max(std::clamp(view.x(ideal.end), -16.0, view.pixels + 16.0), b.x0 + 1);
    b.span = ideal.measured;
    b.kind = trace.span(ideal.measured).kind;
    if (!row.blocks.empty() && b.x1 - row.blocks.back().x0 < view.min_pixels) {
      row.blocks.back().x1 = b.x1;
      ++row.blocks.back().count;
      continue;
    }
    row.blocks.push_back(b);
  }
}

}  // namespace

std::vector<Row> rows(const trace::Trace& trace, const RowOptions& options) {
  std::vector<Row> out;
  for (trace::TrackId id = 0; id < trace.tracks().size(); ++id) {
    const trace::Track& track = trace.tracks()[id];
    Row row;
    row.track = id;
    row.rank = track.rank;
    row.lane = trace.name(track.lane);
    row.in_flight = track.lane == trace.in_flight_lane();
    if (row.in_flight && (!options.in_flight || track.rows.empty())) continue;
    row.folded = row.in_flight && options.fold_in_flight;
    row.depths = row.folded ? std::uint16_t{1} : static_cast<std::uint16_t>(std::max<std::size_t>(1, track.rows.size()));
    out.push_back(std::move(row));
  }
  std::stable_sort(out.begin(), out.end(), [](const Row& a, const Row& b) {
    return std::tuple(a.rank, lane_order(a.lane, a.in_flight)) < std::tuple(b.rank, lane_order(b.lane, b.in_flight));
  });
  if (options.ideal != nullptr) add_ghosts(trace, *options.ideal, out);
  return out;
}

void fill(const trace::Trace& trace, const View& view, Row& row) {
  row.blocks.clear();
  if (view.end <= view.begin || view.pixels <= 0) return;
  if (row.ghost) return fill_ghost(trace, view, row);
  // Sub-rows in flight are many and low: coarser stretches show as much and cost half.
  View coarse = view;
  if (row.in_flight) coarse.min_pixels *= 2;
  const auto& lanes = trace.tracks()[row.track].rows;
  for (std::size_t depth = 0; depth < lanes.size(); ++depth) {
    const auto shown = row.folded ? std::uint16_t{0} : static_cast<std::uint16_t>(depth);
    LaneFill(trace, lanes[depth], coarse, shown, row.blocks).run();
  }
}

std::vector<Row> layout(const trace::Trace& trace, const View& view) {
  std::vector<Row> out = rows(trace);
  for (Row& row : out) fill(trace, view, row);
  return out;
}

Ns first_begin(const trace::Trace& trace) {
  Ns first = trace::kOpen;
  for (const trace::Track& track : trace.tracks())
    for (const trace::Row& row : track.rows) {
      if (row.size() > 0) first = std::min(first, row[0].begin);
      else if (row.open() != trace::kNoIndex) first = std::min(first, trace.span(row.open()).begin);
    }
  return first == trace::kOpen ? 0 : first;
}

Ns last_end(const trace::Trace& trace) {
  Ns last = 0;
  bool any = false;
  for (const trace::Track& track : trace.tracks())
    for (const trace::Row& row : track.rows) {
      if (row.open() != trace::kNoIndex) return trace.now();
      if (row.size() > 0) last = std::max(last, row[row.size() - 1].end);
      any = any || row.size() > 0;
    }
  return any ? last : trace.now();
}

View whole(const trace::Trace& trace, double pixels) {
  View view;
  view.pixels = pixels;
  const Ns first = first_begin(trace), last = std::max(last_end(trace), first + 1), air = std::max<Ns>(1, (last - first) / 100);
  view.origin = first_begin(trace);
  view.begin = first - std::min(first, air);
  view.end = last + air;
  return view;
}

const char* kind_word(Kind kind) {
  switch (kind) {
    case Kind::other: return "other";
    case Kind::compute: return "compute";
    case Kind::forward: return "forward";
    case Kind::backward: return "backward";
    case Kind::weight: return "weight";
    case Kind::optimizer: return "optimizer";
    case Kind::send: return "send";
    case Kind::receive: return "receive";
    case Kind::collective: return "collective";
    case Kind::copy: return "copy";
    case Kind::wait: return "wait";
  }
  return "other";
}

std::string label(const trace::Trace& trace, const trace::Span& span) {
  const char letter = span.kind == Kind::forward ? 'F' : span.kind == Kind::backward ? 'B' : span.kind == Kind::weight ? 'W' : '\0';
  if (letter != '\0' && span.microbatch >= 0)
    return span.chunk > 0 ? fmt::format("{}{}.{}", letter, span.microbatch, span.chunk)
                          : fmt::format("{}{}", letter, span.microbatch);
  const std::string& name = trace.name(span.name);
  return name.empty() ? kind_word(span.kind) : name;
}

}  // namespace p2plab::report

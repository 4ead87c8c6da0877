#include "app/report/draw_timeline.h"

#include <algorithm>
#include <cmath>

#include "app/report/quantity.h"
#include "app/report/words.h"

namespace p2plab::report {
namespace {

constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

/// An open span has no right edge: it fades out instead.
void fade_out(Canvas& canvas, const Box& box, Paint paint) {
  constexpr int kSteps = 4;
  const double step = 3;
  for (int i = 0; i < kSteps; ++i) {
    const double x = box.x1 + i * step;
    canvas.fill({x, box.y0, x + step, box.y1}, {paint.ink, paint.alpha * (kSteps - i) / (kSteps + 1.0)});
  }
}

void draw_block(Canvas& canvas, const Box& box, const Block& block, const Row& row, double radius) {
  // Busy shading: a merged stretch that is mostly idle is pale, and never invisible.
  double alpha = block.count > 1 ? 0.3 + 0.7 * static_cast<double>(block.busy) : 1.0;
  if (row.ghost) alpha *= 0.4;
  else if (row.folded) alpha *= 0.45;
  else if (row.in_flight) alpha *= 0.6;
  const Paint paint{ink(block.kind), alpha};
  const double corner = box.width() < 3 * radius ? 0 : std::min(radius, box.height() / 2);
  if (block.kind == trace::Kind::wait) {
    canvas.fill(box, {Ink::muted, 0.12 * alpha}, corner);
    canvas.hatch(box, {Ink::muted, 0.7 * alpha});
  } else {
    canvas.fill(box, paint, corner);
  }
  if (block.count > 1) canvas.fill({box.x0, box.y1 - 2, box.x1, box.y1}, {Ink::text, 0.35});  // the mark of a merged block
  if (block.open) fade_out(canvas, box, block.kind == trace::Kind::wait ? Paint{Ink::muted, 0.4} : paint);
}

}  // namespace

std::string ghost_tip(const trace::Trace& trace, const Row& row, const Block& block, const content::Text& text) {
  for (const analysis::IdealSpan& ideal : row.ideal) {
    if (ideal.measured != block.span) continue;
    const trace::Ns origin = first_begin(trace);
    return text("report.ghost", {{"label", shown_label(trace, trace.span(ideal.measured), text)}, {"begin", duration(ideal.begin - origin)},
                                 {"end", duration(ideal.end - origin)}, {"lag", duration(ideal.lag)}});
  }
  return {};
}

void draw_row_ground(Canvas& canvas, const Frame& frame, const View& view, const Row& row, const Place& place, const content::Text& text) {
  const double y = frame.top + place.y;
  const bool header_line = place.y - place.header_y >= 10 * frame.scale;
  if (place.header && header_line)
    canvas.text(frame.name_left, frame.top + place.header_y + (place.y - place.header_y) / 2, text("report.rank", {{"n", std::to_string(row.rank)}}),
                {Ink::text}, Type::body);
  if (!row.folded && !row.ghost) canvas.fill({frame.left, y, frame.left + view.pixels, y + place.height}, {Ink::ground, 0.55});
  // The thin row of the ideal run is named where its name does not touch the next one's; the legend has it, too.
  if (row.ghost && place.height < 13 * frame.scale) return;
  const bool rank_here = place.header && !header_line;
  const std::string name = fitted(canvas, rank_here ? text("report.rank", {{"n", std::to_string(row.rank)}}) : shown_lane(row.lane, text), frame.left - frame.name_left - 8 * frame.scale);
  const double height = row.in_flight ? std::min(place.height, 14 * frame.scale) : place.first;
  canvas.text(frame.name_left, y + height / 2, name, {rank_here ? Ink::text : Ink::muted});
}

void draw_blocks(Canvas& canvas, const Frame& frame, const View& view, const trace::Trace& trace, const Row& row, const Place& place,
                 const content::Text& words, const std::function<std::string(const Block&)>& tooltip) {
  for (const Block& block : row.blocks) {
    const double x0 = std::max(block.x0, 0.0), x1 = std::min(block.x1, view.pixels);
    if (x1 <= x0) continue;
    const double top = frame.top + place.top(block.depth);
    Box box{frame.left + x0, top, frame.left + x1, top + place.tall(block.depth) - (block.depth > 0 || row.in_flight ? 1 : 0)};
    // A hair of ground keeps neighbours of one colour apart.
    if (box.width() > 4) box.x1 -= 1;
    const bool item = canvas.wants_items() && tooltip;
    if (item) canvas.begin_item(row.ghost ? ghost_tip(trace, row, block, words) : tooltip(block));
    draw_block(canvas, box, block, row, 3 * frame.scale);
    // A blocking call holds its lane: hatched like every other wait, in its own colour.
    const trace::Span& span = trace.span(block.span);
    if (block.count == 1 && !row.in_flight && trace::is_communication(span.kind) && (span.flags & trace::kBlocking) != 0 && box.width() > 8 * frame.scale)
      canvas.hatch(box, {Ink::on_block, 0.22});
    const double room = box.width() - 1 * frame.scale;
    if (room >= 10 * frame.scale && box.height() >= 12 * frame.scale) {
      const std::string text = block.count > 1 ? "×" + std::to_string(block.count) : shown_label(trace, span, words);
      const std::string shown = fitted(canvas, text, room);
      if (!shown.empty()) {
        const double middle = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1) / 2;
        const bool wait = block.kind == trace::Kind::wait;
        if (wait) {  // a quiet place among the hatch
          const double half = canvas.width(shown) / 2 + 3 * frame.scale;
          canvas.fill({middle - half, box.y0 + 1, middle + half, box.y1 - 1}, {Ink::panel, 0.85});
        }
        canvas.text(middle, y, shown, {wait ? Ink::muted : row.ghost ? Ink::text : Ink::on_block}, Type::small, Align::centre);
      }
    }
    if (item) canvas.end_item();
  }
}

void draw_axis(Canvas& canvas, const Frame& frame, const View& view, double label_y, double top, double bottom) {
  for (const Tick& tick : ticks(view.begin, view.end, view.pixels, 76 * frame.scale, view.origin)) {
    const double x = std::floor(frame.left + view.x(tick.at)) + 0.5;
    canvas.line(x, top, x, bottom, {Ink::hairline, 0.8});
    // The last label ends inside the picture.
    const double half = canvas.width(tick.label) / 2;
    const double at = std::clamp(x, frame.left + half, frame.left + view.pixels - half);
    canvas.text(at, label_y, tick.label, {Ink::muted}, Type::small, Align::centre);
  }
}

Legend legend(const std::vector<Row>& rows, bool messages) {
  Legend out;
  out.messages = messages;
  for (const Row& row : rows) {
    out.ideal = out.ideal || (row.ghost && !row.blocks.empty());
    for (const Block& block : row.blocks) {
      out.kinds.insert(block.kind);
      out.open = out.open || block.open;
      out.merged = out.merged || block.count > 1;
    }
  }
  return out;
}

bool draw_legend(Canvas& canvas, const content::Text& text, const Legend& legend, LegendPlace place) {
  const double scale = place.scale, left = place.x;
  bool all = true;
  const auto entry = [&](const std::string& word, const auto& swatch) {
    const double wide = 24 * scale + canvas.width(word);
    if (place.x + wide > place.right && place.below > 0) {
      place = {left, place.y + place.below, place.below_right, scale, 0, 0};
    }
    if (place.x + wide > place.right) {
      all = false;
      return;
    }
    swatch(Box{place.x, place.y - 6 * scale, place.x + 18 * scale, place.y + 6 * scale});
    canvas.text(place.x + 24 * scale, place.y, word, {Ink::muted});
    place.x += wide + 18 * scale;
  };
  for (const trace::Kind kind : legend.kinds)
    entry(text(std::string("span.") + kind_word(kind)), [&](const Box& box) {
      if (kind == trace::Kind::wait) {
        canvas.fill(box, {Ink::muted, 0.12}, 2);
        canvas.hatch(box, {Ink::muted, 0.7});
      } else {
        canvas.fill(box, {ink(kind)}, 2);
      }
    });
  if (legend.ideal)
    entry(shown_lane("ideal", text), [&](const Box& box) {
      const double middle = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1) / 2;
      canvas.fill({box.x0, y - 3 * scale, middle - 1, y + 3 * scale}, {Ink::forward, 0.4}, 2);
      canvas.fill({middle, y - 3 * scale, box.x1, y + 3 * scale}, {Ink::backward, 0.4}, 2);
    });
  if (legend.kept)
    entry(text("report.legend-in-flight"), [&](const Box& box) {
      const double middle = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1) / 2;
      canvas.fill({box.x0, y, middle, box.y1}, {Ink::accent, 0.16});
      canvas.fill({middle, box.y0, box.x1, box.y1}, {Ink::accent, 0.16});
      canvas.line(box.x0, y, middle, y, {Ink::accent, 0.8});
      canvas.line(middle, y, middle, box.y0, {Ink::accent, 0.8});
      canvas.line(middle, box.y0, box.x1, box.y0, {Ink::accent, 0.8});
    });
  if (legend.messages)
    entry(text("report.message"), [&](const Box& box) { canvas.line(box.x0, box.y1, box.x1, box.y0, {Ink::send}, 1.2 * scale); });
  if (legend.streams)
    entry(text("report.legend-streams"), [&](const Box& box) { canvas.line(box.x0, box.y1, box.x1, box.y0, {Ink::muted}, 1.2 * scale); });
  if (legend.merged)
    entry(text("report.legend-merged"), [&](const Box& box) {
      canvas.fill(box, {Ink::muted, 0.35}, 2);
      canvas.fill({box.x0, box.y1 - 2, box.x1, box.y1}, {Ink::text, 0.5});
    });
  if (legend.open)
    entry(text("report.legend-open"), [&](const Box& box) {
      const double step = box.width() / 6;
      for (int i = 0; i < 6; ++i) canvas.fill({box.x0 + step * i, box.y0, box.x0 + step * (i + 1), box.y1}, {Ink::muted, 0.8 - 0.13 * i});
    });
  return all;
}

RowOf::RowOf(const trace::Trace& trace, const std::vector<Row>& rows, const Placement& placement)
    : trace_(trace), rows_(rows), placement_(placement), of_track_(trace.tracks().size(), kNoRow) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows[i].ghost) of_track_[rows[i].track] = i;
}

std::optional<std::size_t> RowOf::row(trace::SpanId span) const {
  const std::size_t row = of_track_[trace_.span(span).track];
  if (row == kNoRow) return std::nullopt;
  return row;
}

std::optional<double> RowOf::middle(trace::SpanId span) const {
  const auto at = row(span);
  if (!at) return std::nullopt;
  const Place& place = placement_.rows[*at];
  const std::uint16_t depth = rows_[*at].folded ? std::uint16_t{0} : trace_.span(span).depth;
  return place.top(depth) + place.tall(depth) / 2;
}

void draw_arrows(Canvas& canvas, const Frame& frame, const View& view, const trace::Trace& trace, const std::vector<Row>& rows,
                 const Placement& placement, const std::vector<Arrow>& arrows, double alpha, double width) {
  const RowOf row_of(trace, rows, placement);
  for (const Arrow& arrow : arrows) {
    const auto y0 = row_of.middle(arrow.send), y1 = row_of.middle(arrow.receive);
    if (!y0 || !y1) continue;
    const auto seen = clip({view.x(arrow.begin), *y0, view.x(arrow.end), *y1}, 0, -1e9, view.pixels, 1e9);
    if (!seen) continue;
    const Paint paint{arrow.inside ? Ink::muted : Ink::send, alpha};
    const double x0 = frame.left + seen->x0, x1 = frame.left + seen->x1;
    canvas.line(x0, frame.top + seen->y0, x1, frame.top + seen->y1, paint, width, arrow.pending || arrow.uncertain);
    if (arrow.pending || view.x(arrow.end) < 0 || view.x(arrow.end) > view.pixels) continue;  // the tip is not in sight
    const double dx = seen->x1 - seen->x0, dy = seen->y1 - seen->y0, length = std::hypot(dx, dy);
    if (length < 1) continue;
    const double ux = dx / length, uy = dy / length, size = (4 + width) * frame.scale;
    const double tx = x1, ty = frame.top + seen->y1;
    canvas.triangle(tx, ty, tx - size * ux - size * 0.45 * uy, ty - size * uy + size * 0.45 * ux,
                    tx - size * ux + size * 0.45 * uy, ty - size * uy - size * 0.45 * ux, paint);
  }
}

}  // namespace p2plab::report

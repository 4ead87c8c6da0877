#include "app/report/timeline_picture.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "app/report/conditions.h"
#include "app/report/stream_arrows.h"
#include "app/report/describe.h"
#include "app/report/draw_in_flight.h"
#include "app/report/draw_timeline.h"
#include "app/report/quantity.h"

namespace p2plab::report {
namespace {

constexpr double kMargin = 24, kNames = 96, kAxis = 28, kLegend = 30;

}  // namespace

struct TimelinePicture::Impl {
  const trace::Trace& trace;
  const content::Text& text;
  PictureText around;
  PictureOptions options;
  View view;
  std::optional<analysis::IdealRun> ideal;
  std::vector<Row> shown;
  Placement placement;
  InFlightCurves kept;
  Arrows messages;
  std::vector<Arrow> streams;
  std::optional<PictureHeading> heading;
  double rows_top = 0, height = 0;

  Impl(const trace::Trace& t, const content::Text& words, PictureText texts, PictureOptions o)
      : trace(t), text(words), around(std::move(texts)), options(o) {
    if (around.title.empty()) around.title = trace.run.demo.empty() ? "P2P Lab" : trace.run.demo;
    if (around.conditions.empty()) around.conditions = conditions(trace.run, text);
    const double pixels = options.width - 2 * kMargin - kNames;
    view = whole(trace, pixels);
    if (options.end > options.begin) {
      view.begin = options.begin;
      view.end = options.end;
    }
    if (options.ideal) ideal = analysis::differing_ideal_run(trace);
    shown = rows(trace, {.in_flight = options.in_flight, .fold_in_flight = true, .ideal = ideal ? &*ideal : nullptr});
    for (Row& row : shown) fill(trace, view, row);
    placement = place(shown);
    if (options.kept) kept = analysis::in_flight(trace);
    if (options.arrows) {
      messages = arrows(trace, view.begin, view.end);
      streams = in_view(stream_arrows(trace), view.begin, view.end);
    }
    heading.emplace(around, kMargin, options.width - 2 * kMargin);
    rows_top = kMargin + heading->height() + kAxis;
    height = rows_top + std::max(placement.height, 60.0) + kLegend + kMargin;
  }

  void draw_foot(Canvas& canvas) const {
    const double y = height - kMargin - 4;
    std::string warning;
    if (const std::uint64_t lost = trace.dropped(); lost > 0) warning = text("report.dropped", {{"n", std::to_string(lost)}});
    else if (messages.left_out > 0) warning = text("report.arrows-left-out", {{"n", std::to_string(messages.left_out)}});
    double right = options.width - kMargin;
    if (!warning.empty()) {
      canvas.text(right, y, warning, {Ink::unsure}, Type::small, Align::right);
      right -= canvas.width(warning) + 12;
    }
    Legend signs = legend(shown, !messages.shown.empty());
    signs.streams = !streams.empty();
    signs.kept = std::any_of(kept.begin(), kept.end(), [](const auto& curve) { return !curve.empty(); });
    draw_legend(canvas, text, signs, {.x = kMargin + kNames, .y = y, .right = right});
  }
};

TimelinePicture::TimelinePicture(const trace::Trace& trace, const content::Text& text, PictureText around, PictureOptions options)
    : impl_(std::make_unique<Impl>(trace, text, std::move(around), options)) {}
TimelinePicture::~TimelinePicture() = default;
double TimelinePicture::width() const { return impl_->options.width; }
double TimelinePicture::height() const { return impl_->height; }

std::string TimelinePicture::alternative() const {
  const trace::Trace& trace = impl_->trace;
  return impl_->text("report.alternative", {{"ranks", std::to_string(trace.ranks())}, {"time", duration(trace.now() - first_begin(trace))},
                                            {"spans", std::to_string(trace.spans().size())},
                                            {"messages", std::to_string(trace.messages().size())}});
}

void TimelinePicture::draw(Canvas& canvas) const {
  const Impl& p = *impl_;
  canvas.fill({0, 0, width(), height()}, {Ink::panel});
  p.heading->draw(canvas, kMargin);
  const Frame frame{kMargin + kNames, p.rows_top, kMargin, 1};
  if (p.trace.spans().empty()) {
    canvas.text(width() / 2, p.rows_top + 30, p.text("report.empty"), {Ink::muted}, Type::body, Align::centre);
    return;
  }
  for (std::size_t i = 0; i < p.shown.size(); ++i)
    draw_row_ground(canvas, frame, p.view, p.shown[i], p.placement.rows[i], p.text);
  draw_axis(canvas, frame, p.view, p.rows_top - kAxis / 2 - 2, p.rows_top - 2, p.rows_top + p.placement.height);
  const auto words = [&](const Block& block) {
    std::string out;
    if (block.count > 1)
      out = p.text("report.merged", {{"n", std::to_string(block.count)}, {"percent", std::to_string(static_cast<int>(block.busy * 100 + 0.5F))}}) + "\n";
    return out + tooltip(p.trace, block.span, p.text);
  };
  for (std::size_t i = 0; i < p.shown.size(); ++i) draw_blocks(canvas, frame, p.view, p.trace, p.shown[i], p.placement.rows[i], p.text, words);
  draw_in_flight(canvas, frame, p.view, p.kept, p.shown, p.placement, p.text);
  draw_arrows(canvas, frame, p.view, p.trace, p.shown, p.placement, p.streams, 0.6);
  draw_arrows(canvas, frame, p.view, p.trace, p.shown, p.placement, p.messages.shown, p.messages.shown.size() > 200 ? 0.3 : 0.75);
  p.draw_foot(canvas);
}

}  // namespace p2plab::report

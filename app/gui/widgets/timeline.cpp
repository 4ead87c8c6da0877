#include "app/gui/widgets/timeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/icons.h"
#include "app/gui/widgets/imgui_canvas.h"
#include "app/gui/widgets/timeline_area.h"
#include "app/report/describe.h"
#include "app/report/quantity.h"
#include "app/report/words.h"

namespace p2plab::gui {

using report::Align;
using report::Box;
using report::Ink;
using report::Type;

namespace {

/// Narrower than anything report draws, for many ranks in a small window: a rank's name stands on its first lane.
constexpr report::RowMetrics kTightRows{.header = 0, .rank_gap = 4, .lane = 14, .thin = 10, .flight = 5, .folded = 5, .ghost = 5, .gap = 1};

/// The window's letters are 14 px high, and report writes a label from 12 px on: a row in between stays without.
void without_clipped_labels(report::Placement& placement, double scale) {
  const auto settle = [scale](double& height, double needed) {
    if (height < needed * scale) height = std::min(height, 11.5 * scale);
  };
  for (report::Place& place : placement.rows) {
    settle(place.first, 14);
    settle(place.sub, 15);
  }
}

}  // namespace

void TimelineWidget::reset() {
  view_.reset();
  selected_.reset();
  range_.reset();
  card_.reset();
  scroll_ = 0;
  legend_lines_ = 1;
  drag_ = Drag::none;
  messages_ = {};
  streams_.clear();
  streams_revision_.reset();
  statistics_at_ = -1;
  seen_ = nullptr;
  ideal_.reset();
  ideal_revision_.reset();
  decided_.reset();
}

void TimelineWidget::draw(Ui& ui, const trace::Trace* trace, bool running, ImVec2 at, ImVec2 size, const char* nothing) {
  static const trace::Trace kNothing;
  const bool empty = trace == nullptr || trace->spans().empty();
  const trace::Trace& shown = trace == nullptr ? kNothing : *trace;
  if (trace != seen_) {  // never carry an id or an index over to another trace
    reset();
    seen_ = trace;
  }

  Area area(ui, at, size, legend_lines_);
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("timeline", {std::max(size.x, 1.0F), std::max(size.y - static_cast<float>(area.bottom.height()), 1.0F)},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  area.hovered = ImGui::IsItemHovered();

  if (!empty) keys(ui, shown);
  // The mouse meets what was drawn last: the rows of the frame before.
  if (!empty) mouse(ui, shown, area);
  view_.update(static_cast<double>(running ? shown.now() : report::last_end(shown)), running, ui.seconds, ui.animate, static_cast<double>(report::first_begin(shown)));
  decide(shown, area, running);

  ImguiCanvas canvas(ui, ImGui::GetWindowDrawList());
  report::draw_axis(canvas, area.frame(scroll_), window_, (area.axis.y0 + area.axis.y1) / 2, area.rows.y0, empty ? area.rows.y0 : area.rows.y1);  // no grid through the words
  if (empty) {
    canvas.text((area.rows.x0 + area.rows.x1) / 2, (area.rows.y0 + area.rows.y1) / 2, ui.text(running ? "timeline.starting" : nothing), {Ink::muted}, Type::body, Align::centre);
    return;
  }
  paint(ui, shown, area);
  paint_range(ui, shown, area, running);
  if (area.bottom.height() > 0) paint_bottom(ui, shown, area, running);
  if (area.hovered && drag_ == Drag::none) hover(ui, shown, area);
  if (wants_redraw()) ui.moving = true;
}

void TimelineWidget::decide(const trace::Trace& trace, const Area& area, bool running) {
  if (!running && ideal_revision_ != trace.revision()) {  // a pass over the trace, so once, when nothing changes any more
    ideal_ = analysis::differing_ideal_run(trace);
    kept_ = analysis::in_flight(trace);
    ideal_revision_ = trace.revision();
    decided_.reset();
  } else if (running && ideal_revision_) {
    ideal_.reset();
    kept_.clear();
    ideal_revision_.reset();
    decided_.reset();
  }
  window_.begin = static_cast<trace::Ns>(std::floor(view_.begin()));
  window_.end = std::max(static_cast<trace::Ns>(std::ceil(view_.end())), window_.begin + 1);
  window_.pixels = std::max(1.0, area.rows.width());
  window_.min_pixels = 3 * area.scale;
  window_.origin = report::first_begin(trace);
  messages_.update(trace);  // a message can complete without a new record
  constexpr std::size_t kLive = 5000;  // spans; beyond, a pass over them waits for the end of the run
  if (streams_revision_ != trace.revision() && (!running || trace.spans().size() < kLive)) {
    streams_ = report::stream_arrows(trace);
    streams_revision_ = trace.revision();
  }
  const Decided now{window_.begin, window_.end, trace.now(), window_.pixels, area.rows.height(), scroll_, area.scale,
                    trace.revision(), trace.messages().size(), fold_};
  if (decided_ == now) return;
  const analysis::IdealRun* ideal = ideal_ ? &*ideal_ : nullptr;
  rows_ = report::rows(trace, {.in_flight = true, .fold_in_flight = fold_, .ideal = ideal});
  placement_ = report::place_within(rows_, area.scale, area.rows.height());
  if (fold_ && placement_.height > area.rows.height()) {  // the ranks come before their operations in flight
    rows_ = report::rows(trace, {.in_flight = false, .ideal = ideal});
    placement_ = report::place_within(rows_, area.scale, area.rows.height());
    if (placement_.height > area.rows.height()) placement_ = report::place(rows_, area.scale, kTightRows);
    if (placement_.height > area.rows.height() && ideal != nullptr) {
      rows_ = report::rows(trace, {.in_flight = false});
      placement_ = report::place(rows_, area.scale, kTightRows);
    }
  }
  without_clipped_labels(placement_, area.scale);
  scroll_ = std::clamp(scroll_, 0.0, std::max(0.0, placement_.height - area.rows.height()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const report::Place& place = placement_.rows[i];
    if (place.y + place.height >= scroll_ && place.y <= scroll_ + area.rows.height()) report::fill(trace, window_, rows_[i]);
  }
  streams_in_view_ = report::in_view(streams_, window_.begin, window_.end);
  decided_ = now;
}

void TimelineWidget::paint(Ui& ui, const trace::Trace& trace, const Area& area) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImguiCanvas canvas(ui, list);
  const report::Frame frame = area.frame(scroll_);
  list->PushClipRect({static_cast<float>(area.all.x0), static_cast<float>(area.rows.y0)},
                     {static_cast<float>(area.rows.x1), static_cast<float>(area.rows.y1)}, true);
  const auto visible = [&](const report::Place& place) {
    return place.y + place.height >= scroll_ && (place.header ? place.header_y : place.y) <= scroll_ + area.rows.height();
  };
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (visible(placement_.rows[i]))
      report::draw_row_ground(canvas, frame, window_, rows_[i], placement_.rows[i], ui.text);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (visible(placement_.rows[i])) report::draw_blocks(canvas, frame, window_, trace, rows_[i], placement_.rows[i], ui.text);
  report::draw_in_flight(canvas, frame, window_, kept_, rows_, placement_, ui.text);

  if (all_messages_) {
    report::draw_arrows(canvas, frame, window_, trace, rows_, placement_, streams_in_view_, 0.6, ui.px(1));
    const report::Arrows arrows = messages_.arrows(trace, window_.begin, window_.end);
    report::draw_arrows(canvas, frame, window_, trace, rows_, placement_, arrows.shown, arrows.shown.size() > 200 ? 0.35 : 0.75, ui.px(1));
  }
  paint_selected(ui, trace, area);
  list->PopClipRect();

  // A bar at the right says where the rows are when they do not fit.
  if (placement_.height > area.rows.height() + 1) {
    const double share = area.rows.height() / placement_.height, tall = area.rows.height() * share;
    const double top = area.rows.y0 + scroll_ * share;
    canvas.fill({area.rows.x1 - ui.px(4), top, area.rows.x1, top + tall}, {Ink::muted, 0.5}, ui.px(2));
  }
}

void TimelineWidget::paint_selected(Ui& ui, const trace::Trace& trace, const Area& area) {
  if (!selected_ || *selected_ >= trace.spans().size()) return;
  ImguiCanvas canvas(ui, ImGui::GetWindowDrawList());
  const report::Frame frame = area.frame(scroll_);
  report::draw_arrows(canvas, frame, window_, trace, rows_, placement_, messages_.of(trace, *selected_), 1, ui.px(2));
  report::draw_arrows(canvas, frame, window_, trace, rows_, placement_, report::at_span(streams_, *selected_), 1, ui.px(2));
  const trace::Span& span = trace.span(*selected_);
  const auto row = report::RowOf(trace, rows_, placement_).row(*selected_);
  if (!row) return;
  const report::Place& place = placement_.rows[*row];
  const std::uint16_t depth = rows_[*row].folded ? std::uint16_t{0} : span.depth;
  const double x0 = std::clamp(window_.x(span.begin), -4.0, window_.pixels + 4);
  const double x1 = std::clamp(window_.x(span.open() ? std::max(trace.now(), span.begin) : span.end), -4.0, window_.pixels + 4);
  if (x1 < 0 || x0 > window_.pixels) return;
  const double y = frame.top + place.top(depth);
  canvas.outline({frame.left + x0 - 1, y - 1, frame.left + std::max(x1, x0 + 3) + 1, y + place.tall(depth) + 1}, {Ink::text}, ui.px(2), ui.px(3));
}

void TimelineWidget::paint_range(Ui& ui, const trace::Trace& trace, const Area& area, bool running) {
  card_.reset();
  if (!range_) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImguiCanvas canvas(ui, list);
  const double x0 = area.rows.x0 + std::clamp(window_.x(range_->begin), 0.0, window_.pixels);
  const double x1 = area.rows.x0 + std::clamp(window_.x(range_->end), 0.0, window_.pixels);
  canvas.fill({x0, area.rows.y0, x1, area.rows.y1}, {Ink::accent, 0.10});
  for (const double x : {x0, x1}) canvas.line(x, area.rows.y0, x, area.rows.y1, {Ink::accent}, ui.px(1));

  // A live range is summed up again four times a second, a still one once.
  const bool stale = !(statistics_of_ == *range_) || statistics_revision_ != trace.revision();
  if (statistics_at_ < 0 || (stale && (!running || ui.seconds - statistics_at_ > 0.25))) {
    statistics_ = report::range_statistics(trace, *range_);
    statistics_of_ = *range_;
    statistics_revision_ = trace.revision();
    statistics_at_ = ui.seconds;
  }

  const double line = ui.px(20), pad = ui.px(12);
  const std::vector<const char*> heads{"timeline.count", "timeline.sum", "timeline.min", "timeline.mean", "timeline.max"};
  const double first = ui.px(110), column = ui.px(76);
  const double wide = first + column * static_cast<double>(heads.size()) + 2 * pad;
  const double tall = line * (3 + static_cast<double>(statistics_.kinds.size())) + 2 * pad;
  // Beside the range where there is room, else at the side that hides less of it.
  double left = x1 + ui.px(8);
  if (left + wide > area.rows.x1) left = x0 - ui.px(8) - wide;
  if (left < area.rows.x0) left = (x0 + x1) / 2 > (area.rows.x0 + area.rows.x1) / 2 ? area.rows.x0 : area.rows.x1 - wide;
  const Box card{left, area.rows.y0 + ui.px(8), left + wide, area.rows.y0 + ui.px(8) + tall};
  card_ = card;
  const bool pointed = area.hovered && drag_ == Drag::none && over_card();
  canvas.fill(card, {Ink::raised, 0.97}, ui.px(6));
  canvas.outline(card, {Ink::hairline}, 1, ui.px(6));
  if (pointed) {
    draw_icon(*list, Icon::copy, {static_cast<float>(card.x1 - pad), static_cast<float>(card.y0 + pad)}, ui.px(11), colour(ui.palette().muted));
    ImGui::SetTooltip("%s", ui.text("timeline.copy-tip").c_str());
  }
  double y = card.y0 + pad + line / 2;
  canvas.text(left + pad, y, ui.text("timeline.selection", {{"time", report::duration(range_->width())}}), {Ink::text}, Type::body);
  y += line;
  const auto ratio = statistics_.overlap.ratio();
  const std::string overlap = ratio ? ui.text("timeline.overlap", {{"percent", fmt::format("{:.1f}", *ratio * 100)},
                                                                  {"exposed", report::duration(statistics_.overlap.exposed_ns())}})
                                    : ui.text("timeline.overlap-none");
  canvas.text(left + pad, y, overlap, {Ink::muted});
  y += line;
  for (std::size_t i = 0; i < heads.size(); ++i)
    canvas.text(left + pad + first + column * static_cast<double>(i + 1), y, ui.text(heads[i]), {Ink::muted}, Type::small, Align::right);
  for (const report::KindStatistics& kind : statistics_.kinds) {
    y += line;
    canvas.fill({left + pad, y - ui.px(5), left + pad + ui.px(10), y + ui.px(5)}, {report::ink(kind.kind)}, ui.px(2));
    canvas.text(left + pad + ui.px(18), y, ui.text(std::string("span.") + report::kind_word(kind.kind)), {Ink::text});
    const std::string cells[] = {std::to_string(kind.count), report::duration(kind.sum), report::duration(kind.min), report::duration(kind.mean()),
                                 report::duration(kind.max)};
    for (std::size_t i = 0; i < std::size(cells); ++i)
      canvas.text(left + pad + first + column * static_cast<double>(i + 1), y, cells[i], {Ink::text}, Type::small, Align::right);
  }
}

bool TimelineWidget::toggle(Ui& ui, double& right, double y, const char* word, const char* tip, bool on) {
  ImguiCanvas canvas(ui, ImGui::GetWindowDrawList());
  const std::string text = ui.text(word);
  const double wide = canvas.width(text) + ui.px(16), tall = ui.px(22);
  const Box box{right - wide, y - tall / 2, right, y + tall / 2};
  right -= wide + ui.px(4);
  ImGui::SetCursorScreenPos({static_cast<float>(box.x0), static_cast<float>(box.y0)});
  const bool clicked = ImGui::InvisibleButton(word, {static_cast<float>(wide), static_cast<float>(tall)});
  const bool hovered = ImGui::IsItemHovered();
  if (on || hovered) canvas.fill(box, {on ? Ink::accent : Ink::raised, on ? 0.22 : 1.0}, ui.px(6));
  canvas.text((box.x0 + box.x1) / 2, y, text, {on ? Ink::accent : Ink::muted}, Type::small, Align::centre);
  if (hovered) ImGui::SetTooltip("%s", ui.text(tip).c_str());
  return clicked;
}

void TimelineWidget::paint_bottom(Ui& ui, const trace::Trace& trace, const Area& area, bool running) {
  const double y = area.bottom.y0 + ui.px(Area::kLine / 2 + 2);
  double right = area.bottom.x1;
  if (toggle(ui, right, y, "timeline.fit", "timeline.fit-tip", false)) view_.fit();
  if (running && toggle(ui, right, y, "timeline.live", "timeline.live-tip", following())) following() ? view_.pause() : view_.resume();
  if (toggle(ui, right, y, "timeline.arrows", "timeline.arrows-tip", all_messages_)) all_messages_ = !all_messages_;
  if (toggle(ui, right, y, "timeline.flight", "timeline.flight-tip", !fold_)) fold_ = !fold_;

  ImguiCanvas canvas(ui, ImGui::GetWindowDrawList());
  std::string warning;
  if (const std::uint64_t lost = trace.dropped(); lost > 0) warning = ui.text("report.dropped", {{"n", std::to_string(lost)}});
  if (!warning.empty()) {
    canvas.text(area.all.x0, y, report::fitted(canvas, warning, right - area.all.x0), {Ink::unsure});
    return;
  }
  report::Legend signs = report::legend(rows_, all_messages_);
  signs.streams = all_messages_ && !streams_.empty();
  signs.kept = std::any_of(kept_.begin(), kept_.end(), [](const auto& curve) { return !curve.empty(); });
  const bool whole = report::draw_legend(canvas, ui.text, signs,
                                         {.x = area.all.x0, .y = y, .right = right - ui.px(8), .scale = area.scale,
                                          .below = legend_lines_ > 1 ? ui.px(Area::kNextLine) : 0.0, .below_right = area.all.x1});
  if (!whole && legend_lines_ == 1) {
    legend_lines_ = 2;
    ui.moving = true;
  }
}

void TimelineWidget::hover(Ui& ui, const trace::Trace& trace, const Area& area) {
  if (over_card()) return;  // what it hides is not pointed at
  const auto picked = under_mouse(area);
  if (!picked || !picked->block) return;
  const report::Block& block = rows_[picked->row].blocks[*picked->block];
  const trace::Span& span = trace.span(block.span);
  if (rows_[picked->row].ghost) {
    ImGui::SetTooltip("%s", report::ghost_tip(trace, rows_[picked->row], block, ui.text).c_str());
    return;
  }
  ImGui::BeginTooltip();
  if (block.count > 1)
    ImGui::TextUnformatted(ui.text("report.merged", {{"n", std::to_string(block.count)}, {"percent", std::to_string(std::lround(block.busy * 100))}}).c_str());
  ImGui::TextColored(colour4(report::colour(ui.palette(), block.kind)), "%s", report::shown_label(trace, span, ui.text).c_str());
  ImGui::SameLine();
  ImGui::TextDisabled("%s", ui.text(std::string("span.") + report::kind_word(span.kind)).c_str());
  if (ImGui::BeginTable("facts", 2, ImGuiTableFlags_SizingFixedFit)) {
    for (const auto& [name, value] : report::describe(trace, block.span, ui.text)) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextDisabled("%s", name.c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(value.c_str());
    }
    ImGui::EndTable();
  }
  ImGui::EndTooltip();
}

}  // namespace p2plab::gui

// The timeline's place in the window, and what the guide asks of it.
#include <algorithm>

#include "app/gui/model/copied.h"
#include "app/gui/model/zoom_span.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/report/timeline_layout.h"

namespace p2plab::gui {
namespace {

/// True when it could be carried out; a span that is not there yet is waited for while the run lasts.
bool carry_out(App& app, const trace::Trace& trace, const Zoom& zoom) {
  if (std::holds_alternative<ZoomFit>(zoom)) {
    app.timeline.fit();
    return true;
  }
  if (const auto* time = std::get_if<ZoomTime>(&zoom)) {
    const auto origin = report::first_begin(trace);  // as on the axis
    app.timeline.show(origin + time->begin_ns, origin + time->end_ns);
    return true;
  }
  const auto id = find_span(trace, std::get<ZoomSpan>(zoom));
  if (!id) return !app.session.running();
  const auto& span = trace.span(*id);
  const auto end = span.open() ? trace.now() : span.end, width = std::max<trace::Ns>(end - span.begin, 1000);
  app.selected = *id;
  app.timeline.show(span.begin - width, end + width);
  return true;
}

}  // namespace

std::string range_as_text(const Ui& ui, const App& app) {
  const auto* trace = app.session.trace();
  const auto range = app.timeline.range();
  if (!trace || !range) return {};
  return as_text(report::range_statistics(*trace, *range), *range, report::first_begin(*trace), app.conditions(ui.text), ui.text);
}

void draw_timeline(Ui& ui, App& app, Rect rect) {
  begin_panel(ui, "timeline", rect, false);
  draw_timeline_here(ui, app);
  end_panel();
}

namespace {

/// Charts or the timeline, where a demo has both.
bool charts_chosen(Ui& ui, App& app) {
  if (!has_charts(app)) return false;
  const std::vector<TabItem> items{{ui.text("tab.charts"), false}, {ui.text("tab.timeline"), false}};
  const bool now = app.charts.value_or(true);
  const bool wanted = tabs(ui, "picture", items, now ? 0 : 1, ImGui::GetContentRegionAvail().x) == 0;
  if (wanted != now) app.charts = wanted;
  return wanted;
}

}  // namespace

void draw_timeline_here(Ui& ui, App& app) {
  if (charts_chosen(ui, app) && draw_charts(ui, app)) return;
  const auto* trace = app.session.trace();
  const bool running = app.session.running();
  if (app.timeline_of != app.session.generation()) {
    app.timeline_of = app.session.generation();
    app.timeline.reset();
    app.selected = app.timeline_selected = trace::kNoIndex;
  }
  if (trace && app.zoom && !(app.zoom_pending_end && running) && carry_out(app, *trace, *app.zoom)) {
    app.zoom.reset();
    app.zoom_pending_end = false;
  }
  // Selected elsewhere since the last frame: shown here too.
  if (trace && app.selected != app.timeline_selected)
    app.timeline.select(*trace, app.selected == trace::kNoIndex ? std::nullopt : std::optional(app.selected));
  app.timeline.draw(ui, trace, running, ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail(), app.model.step() ? "timeline.nothing_on_tour" : "timeline.nothing");
  app.selected = app.timeline_selected = app.timeline.selected().value_or(trace::kNoIndex);
  if (trace && app.timeline.take_copy()) app.copy(ui, range_as_text(ui, app));
  ui.moving = ui.moving || app.timeline.wants_redraw();
}

}  // namespace p2plab::gui

// Every view of the window: one function here, one file each. A view draws state and calls actions; it keeps nothing.
#pragma once
#include "app/gui/app.h"
#include "app/gui/model/layout.h"

namespace p2plab::gui {

void draw_navigation(Ui& ui, App& app, const Layout& layout);
/// Title, conditions, knobs in one row, and the one primary button. In a low window the verdict takes the conditions' line.
void draw_header(Ui& ui, App& app, Rect rect, bool low, int lines);
/// How many lines the conditions take in a header of this width, as far as a window of this height has them.
int conditions_lines(const Ui& ui, const App& app, float width, float window_height);
float header_height(const Ui& ui, int lines);
/// All conditions of the run, the last of `lines` cut when there are more; the whole is the tooltip, and a click copies it.
void draw_conditions(Ui& ui, App& app, float width, int lines);
/// The guide's panel: what to see in this step, back and next.
void draw_guide(Ui& ui, App& app, Rect rect, bool low);
float guide_height(const Ui& ui, const App& app, float width, bool low);

/// The largest thing of the window.
void draw_timeline(Ui& ui, App& app, Rect rect);
/// The same without a panel of its own, into what the current one has left.
void draw_timeline_here(Ui& ui, App& app);

/// The numbers of the stretch of time that is selected, with their conditions; empty while none is.
std::string range_as_text(const Ui& ui, const App& app);

/// What the demo measured, drawn, in the timeline's place; false when there is nothing to draw yet.
bool draw_charts(Ui& ui, App& app);
/// The shown run has charts, by its demo.
bool has_charts(const App& app);

// Tabs below the timeline.
void draw_numbers(Ui& ui, App& app);
void draw_wait_for(Ui& ui, App& app);
void draw_bytes(Ui& ui, App& app);
void draw_log(Ui& ui, App& app);

// The right column, or a tab when the window is narrow.
void draw_code(Ui& ui, App& app, float height);
void draw_selection(Ui& ui, App& app);
void draw_verdict(Ui& ui, App& app);
/// The verdict in one line, for where the card is out of sight; a click goes to the card.
void draw_verdict_strip(Ui& ui, App& app);
/// 0 when there is nothing to say.
float verdict_strip_width(Ui& ui, App& app);

/// The list of lessons, or the one that is open.
void draw_lessons(Ui& ui, App& app, Rect rect);

/// The list of claims, or the page of one.
void draw_claims(Ui& ui, App& app, Rect rect);

/// The list of labs, or the one that is open.
void draw_labs(Ui& ui, App& app, Rect rect);

/// The drill and the mock interview: the first page, a card, the report.
void draw_drill(Ui& ui, App& app, Rect rect);
/// A file of progress that was dropped on the window.
void import_progress(const content::Text& text, App& app, const std::filesystem::path& file, double seconds);
void draw_drill_home(Ui& ui, App& app, Rect rect);
void draw_mock_report(Ui& ui, App& app, Rect rect);
void draw_traces(Ui& ui, App& app, Rect rect, int lines);
void draw_help(Ui& ui, App& app);

}  // namespace p2plab::gui

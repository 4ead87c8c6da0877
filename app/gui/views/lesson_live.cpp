// A live block in the page: what to predict, the command, its timeline and its number; or a question and its answers.
#include <cstdio>
#include <utility>

#include "app/content/live_block.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/views/lesson_parts.h"
#include "app/gui/widgets/basic.h"
#include "app/gui/widgets/imgui_canvas.h"
#include "app/gui/widgets/text_field.h"
#include "app/report/conditions.h"

namespace p2plab::gui {
namespace {

using content::Live;

/// Moves and scales what is drawn: a picture's own coordinates begin at 0 and know no display scale.
class PlacedCanvas : public report::Canvas {
 public:
  PlacedCanvas(report::Canvas& on, double x, double y, double scale) : on_(on), x_(x), y_(y), s_(scale) {}
  void fill(const report::Box& b, report::Paint p, double r) override { on_.fill(moved(b), p, r * s_); }
  void outline(const report::Box& b, report::Paint p, double w, double r) override { on_.outline(moved(b), p, w, r * s_); }
  void hatch(const report::Box& b, report::Paint p) override { on_.hatch(moved(b), p); }
  void line(double a, double b, double c, double d, report::Paint p, double w, bool dashed) override { on_.line(x(a), y(b), x(c), y(d), p, w, dashed); }
  void triangle(double a, double b, double c, double d, double e, double f, report::Paint p) override { on_.triangle(x(a), y(b), x(c), y(d), x(e), y(f), p); }
  void text(double a, double b, std::string_view t, report::Paint p, report::Type type, report::Align align) override { on_.text(x(a), y(b), t, p, type, align); }
  double width(std::string_view t, report::Type type) override { return on_.width(t, type) / s_; }

 private:
  double x(double v) const { return x_ + v * s_; }
  double y(double v) const { return y_ + v * s_; }
  report::Box moved(const report::Box& b) const { return {x(b.x0), y(b.y0), x(b.x1), y(b.y1)}; }
  report::Canvas& on_;
  double x_, y_, s_;
};

/// A button that the keyboard can reach, too.
bool reached(Ui& ui, LessonPage& page, bool clicked) {
  const bool here = page.focus.next();
  if (here) {
    draw_focus(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (page.focus.arrived()) ImGui::SetScrollHereY(0.5f);
  }
  return clicked || (here && page.focus.entered());
}

void draw_timeline_of(Ui& ui, const App& app, LessonPage& page, std::size_t index, const LiveState& state, float width) {
  auto& drawn = page.drawn[index];
  const double design = static_cast<double>(width) / ui.theme.scale();
  if (drawn.of != state.trace.get() || drawn.width != design || drawn.language != ui.text.language()) {
    report::PictureText around;
    if (const auto& run = state.trace->run; run.demo.empty() && run.knobs.contains("schedule")) around.title = run.knobs.at("schedule");
    around.conditions = report::conditions(state.trace->run, ui.text);
    for (const auto& demo : app.model.demos())
      if (demo.id == state.trace->run.demo) around.conditions = report::conditions(state.trace->run, ui.text, &demo);
    report::PictureOptions options;
    options.width = design;
    options.in_flight = false;  // as low as it can be: the page goes on below
    drawn.picture = std::make_unique<report::TimelinePicture>(*state.trace, ui.text, std::move(around), options);
    drawn.of = state.trace.get();
    drawn.width = design;
    drawn.language = ui.text.language();
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto height = static_cast<float>(drawn.picture->height() * ui.theme.scale());
  ImguiCanvas canvas(ui, ImGui::GetWindowDrawList());
  PlacedCanvas placed(canvas, at.x, at.y, ui.theme.scale());
  drawn.picture->draw(placed);
  ImGui::Dummy({width, height});
}

/// The first lines of what a command said.
std::string head(const std::string& output) {
  std::size_t end = 0;
  for (int lines = 0; lines < 14 && end != std::string::npos; ++lines) end = output.find('\n', end == 0 && lines == 0 ? 0 : end + 1);
  return end == std::string::npos ? output : output.substr(0, end) + "\n…";
}

/// Keeps how a prediction came out, once.
void note(LessonPage& page, std::size_t index, LiveState& state, content::Foreseen how) {
  if (std::exchange(state.noted, true) || !page.reader.lesson()) return;
  page.log.predicted(page.reader.lesson()->id, index, how);
}

/// What was predicted in words only its author can compare.
void draw_tick(Ui& ui, LessonPage& page, std::size_t index, LiveState& state, float width) {
  const auto& p = ui.palette();
  if (state.ticked) return paragraph(ui, ui.fonts.body, *state.ticked ? p.good : p.unsure, ui.text(*state.ticked ? "lesson.ticked_right" : "lesson.ticked_off", {{"said", state.said}}), width);
  paragraph(ui, ui.fonts.body, p.text, ui.text("lesson.tick_ask", {{"said", state.said}}), width);
  const bool yes = reached(ui, page, button(ui, "tick-yes", ui.text("lesson.tick_yes")));
  ImGui::SameLine(0, ui.px(8));
  const bool no = reached(ui, page, button(ui, "tick-no", ui.text("lesson.tick_no")));
  if (!yes && !no) return;
  state.ticked = yes;
  note(page, index, state, yes ? content::Foreseen::right : content::Foreseen::off);
}

void draw_answer(Ui& ui, LessonPage& page, std::size_t index, const Live& live, LiveState& state, float width) {
  const auto& p = ui.palette();
  const std::string verdict = "verdict." + state.shown;  // where the answer is one, it has a word in this language
  const std::string value = ui.text.has(verdict) ? ui.text(verdict) : state.shown;
  if (!state.scored) {
    const bool same = report::same_word(state.said, state.shown, ui.text), number = state.shown.find_first_of("0123456789") != std::string::npos;
    if (same) note(page, index, state, content::Foreseen::right);
    if (same) return paragraph(ui, ui.fonts.body, p.good, ui.text("lesson.guess_right", {{"value", value}, {"said", state.said}}), width);
    if (!state.shown.empty()) paragraph(ui, ui.fonts.body, p.good, ui.text("lesson.number", {{"value", value}}), width);
    if (!live.ask.empty() && !state.said.empty() && !number) draw_tick(ui, page, index, state, width);
    return;
  }
  using Score = report::Guess::Score;
  char said[32];
  std::snprintf(said, sizeof said, "%g", state.scored->said);
  const Score score = state.scored->score;
  note(page, index, state, score == Score::right ? content::Foreseen::right : score == Score::close ? content::Foreseen::close : content::Foreseen::off);
  paragraph(ui, ui.fonts.body, score == Score::off ? p.unsure : p.good,
            ui.text(score == Score::right ? "lesson.guess_right" : score == Score::close ? "lesson.guess_close" : "lesson.guess_off", {{"value", value}, {"said", said}}), width);
}

void draw_result(Ui& ui, App& app, LessonPage& page, std::size_t index, const Live& live, LiveState& state, float width) {
  const auto& p = ui.palette();
  ImGui::Dummy({1, ui.px(2)});
  if (state.state == LiveState::State::failed) {
    paragraph(ui, ui.fonts.body, p.bad, ui.text("lesson.failed"), width);
    return paragraph(ui, ui.fonts.code, p.text, head(state.output), width);
  }
  if (state.trace) draw_timeline_of(ui, app, page, index, state, width);
  else if (live.kind == Live::Kind::claim) paragraph(ui, ui.fonts.code, p.text, head(state.output), width);
  draw_answer(ui, page, index, live, state, width);
  for (const auto& finding : state.json.value("findings", nlohmann::ordered_json::array()))
    if (finding.contains("detail") && finding["detail"].is_string()) paragraph(ui, ui.fonts.small, p.muted, finding["detail"].get<std::string>(), width);
  if (!live.why.empty()) paragraph(ui, ui.fonts.body, p.text, live.why, width);
  if (state.trace && reached(ui, page, button(ui, "open", ui.text("lesson.open_trace")))) app.open(state.trace_file);
}

bool installed(const App& app, const Live& live) {
  if (live.kind != Live::Kind::demo) return true;
  for (const auto& demo : app.model.demos())
    if (demo.id == live.id) return true;
  return false;
}

void draw_controls(Ui& ui, App& app, LessonPage& page, std::size_t index, const Live& live, LiveState& state, float width) {
  const auto& p = ui.palette();
  if (!installed(app, live)) return paragraph(ui, ui.fonts.small, p.muted, ui.text("lesson.not_here", {{"demo", live.id}}), width);
  const bool running = page.reader.running() == index;
  bool entered = false;
  if (!live.ask.empty() && !running) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(10), ui.px(4)));
    const bool here = page.focus.next();
    if (here && page.focus.arrived()) ImGui::SetKeyboardFocusHere();
    entered = text_line("##guess", ui.text("lesson.guess_hint").c_str(), state.guess, ui.px(170));
    ImGui::PopStyleVar();
    if (here) {
      draw_focus(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
      if (page.focus.arrived()) ImGui::SetScrollHereY(0.5f);
    }
    const std::string unit = report::guess_unit(live.look);
    if (!unit.empty()) {
      ImGui::SameLine(0, ui.px(6));
      ImGui::BeginGroup();
      ImGui::Dummy({1, ui.px(2)});
      line(ui, ui.fonts.small, p.muted, unit);
      ImGui::EndGroup();
    }
    ImGui::SameLine(0, ui.px(10));
  }
  const bool again = state.state == LiveState::State::done || state.state == LiveState::State::failed;
  const std::string label = ui.text(running ? "lesson.stop" : again ? "lesson.again" : !live.ask.empty() && state.guess.empty() ? "lesson.run_unpredicted" : "lesson.run");
  const bool clicked = reached(ui, page, button(ui, "run", label, !running, running ? Icon::stop : Icon::play));
  if (running && clicked) {
    page.reader.stop();
  } else if (clicked || entered) {
    page.drawn.erase(index);
    page.reader.run(index, live, ui.text.language());
  }
  if (running) {
    ImGui::SameLine(0, ui.px(10));
    ImGui::BeginGroup();
    ImGui::Dummy({1, ui.px(2)});
    line(ui, ui.fonts.small, p.muted, ui.text("gui.running"));
    ImGui::EndGroup();
  } else if (live.kind == Live::Kind::demo) {
    ImGui::SameLine(0, ui.px(8));
    if (reached(ui, page, button(ui, "demo", ui.text("lesson.open_demo")))) app.open_demo(live.command, "host");
  }
}

void draw_quiz(Ui& ui, LessonPage& page, std::size_t index, const Live& live, LiveState& state, float width) {
  const auto& p = ui.palette();
  for (std::size_t i = 0; i < live.answers.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const bool answered = state.chosen.has_value(), right = i == live.right, mine = state.chosen == i;
    const report::Rgb ink = !answered ? p.text : right ? p.good : mine ? p.unsure : p.muted;
    const std::string words = std::to_string(i + 1) + "  " + live.answers[i];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float mark = compat::font_size(ui.fonts.body);
    if (answered && (right || mine)) draw_icon(*ImGui::GetWindowDrawList(), right ? Icon::check : Icon::cross, {at.x + mark * 0.4f, at.y + mark * 0.6f}, mark * 0.7f, colour(ink));
    ImGui::SetCursorScreenPos({at.x + mark * 1.2f, at.y});
    paragraph(ui, ui.fonts.body, ink, words, width - mark * 1.2f);
    ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
    const ImVec2 end{at.x + width, ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y};
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(at);
    const bool clicked = ImGui::InvisibleButton("answer", {width, std::max(1.0f, end.y - at.y)});
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (reached(ui, page, clicked)) {
      state.chosen = i;
      note(page, index, state, right ? content::Foreseen::right : content::Foreseen::off);
    }
    ImGui::SetCursorScreenPos(after);
    ImGui::PopID();
  }
  if (!state.chosen) return;
  ImGui::Dummy({1, ui.px(2)});
  paragraph(ui, ui.fonts.body, *state.chosen == live.right ? p.good : p.unsure,
            *state.chosen == live.right ? ui.text("lesson.quiz_right") : ui.text("lesson.quiz_wrong", {{"n", std::to_string(live.right + 1)}}), width);
  paragraph(ui, ui.fonts.body, p.text, live.why, width);
}

}  // namespace

void draw_live(Ui& ui, App& app, LessonPage& page, std::size_t index, const Live& live, float width) {
  const auto& p = ui.palette();
  LiveState& state = page.reader.live(index);
  const float pad = ui.px(14), inner = width - 2 * pad;
  auto& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw.ChannelsSplit(2);
  draw.ChannelsSetCurrent(1);
  ImGui::PushID(static_cast<int>(index));
  ImGui::SetCursorScreenPos({at.x + pad, at.y + pad * 0.8f});
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(8)));
  line(ui, ui.fonts.small, p.accent, ui.text("lesson.kind_" + std::string(to_string(live.kind))), inner);
  if (!live.ask.empty()) paragraph(ui, ui.fonts.body, p.text, live.kind == Live::Kind::quiz ? live.ask : ui.text("lesson.predict", {{"ask", live.ask}}), inner);
  if (live.kind == Live::Kind::quiz) {
    draw_quiz(ui, page, index, live, state, inner);
  } else {
    line(ui, ui.fonts.code, p.muted, content::typed_command(live.command), inner);
    draw_controls(ui, app, page, index, live, state, inner);
    if (state.state == LiveState::State::done || state.state == LiveState::State::failed) draw_result(ui, app, page, index, live, state, inner);
  }
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + pad * 0.8f;
  draw.ChannelsSetCurrent(0);
  draw.AddRectFilled(at, {at.x + width, bottom}, colour(p.panel), ui.px(6));
  draw.AddRect(at, {at.x + width, bottom}, colour(p.hairline), ui.px(6));
  draw.ChannelsMerge();
  ImGui::SetCursorScreenPos({at.x, bottom});
  ImGui::Dummy({width, 1});
  ImGui::PopID();
}

}  // namespace p2plab::gui

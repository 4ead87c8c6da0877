// A drill card: the question with its clocks, confidence, the corrected answer, what was said, the grade.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <fmt/format.h>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/drill_parts.h"
#include "app/gui/views/lesson_parts.h"
#include "app/gui/views/reading.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/gui/widgets/text_field.h"
#include "app/report/card_heading.h"
#include "app/report/mock_report.h"
#include "app/report/right_or_wrong.h"

namespace p2plab::gui {
namespace {

using content::Card;
using content::CardKind;

bool enter(const Ui& ui) { return ui.pressed(GLFW_KEY_ENTER) || ui.pressed(GLFW_KEY_KP_ENTER); }

std::string_view in_language(const Ui& ui, const content::Twin& text) { return text.in(ui.text.language()); }

void gap(const Ui& ui, float height = 8) { ImGui::Dummy({1, ui.px(height)}); }

/// Code or programs on a raised ground, lines numbered from `first`.
void code_box(const Ui& ui, const std::vector<std::pair<std::string, std::string>>& lines, report::Rgb ink, float width) {
  const auto& p = ui.palette();
  const float step = compat::font_size(ui.fonts.code) * 1.3f, height = step * static_cast<float>(lines.size()) + ui.px(16);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height});
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, colour(p.raised), ui.px(6));
  float y = at.y + ui.px(8), mark = 0;
  for (const auto& [label, text] : lines) mark = std::max(mark, width_of(ui.fonts.code, label));
  for (const auto& [label, text] : lines) {
    draw_text(ui.fonts.code, {at.x + ui.px(10), y}, colour(p.muted), label);
    draw_text(ui.fonts.code, {at.x + ui.px(20) + mark, y}, colour(ink), text);
    y += step;
  }
}

std::vector<std::pair<std::string, std::string>> numbered_lines(const std::string& code) {
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    out.emplace_back(std::to_string(out.size() + 1), code.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

void draw_question(Ui& ui, const Drill& drill, float width) {
  const auto& p = ui.palette();
  const Card& card = drill.card();
  paragraph(ui, ui.fonts.body, p.text, in_language(ui, card.question), width);
  if (!card.code.empty()) {
    gap(ui);
    code_box(ui, numbered_lines(card.code), p.text, width);
  }
  if (drill.stepper()) {
    std::vector<std::pair<std::string, std::string>> lines;
    for (int rank = 0; rank < drill.stepper()->ranks(); ++rank) lines.emplace_back("rank " + std::to_string(rank), card.ranks[static_cast<std::size_t>(rank)]);
    gap(ui);
    code_box(ui, lines, p.text, width);
  }
  if (card.kind == CardKind::order && drill.phase() < DrillPhase::answer) {
    gap(ui);
    for (std::size_t i = 0; i < drill.shuffled().size(); ++i)
      paragraph(ui, ui.fonts.body, p.text, fmt::format("{}) {}", static_cast<char>('a' + i), in_language(ui, card.steps[static_cast<std::size_t>(drill.shuffled()[i])])), width);
  }
}

/// What is typed, with a caret.
void typed_box(const Ui& ui, const std::string& typed, const std::string& unit) {
  const auto& p = ui.palette();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ui.px(200), ui.px(34)};
  ImGui::Dummy(size);
  auto& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, colour(p.raised), ui.px(6));
  draw.AddRect(at, {at.x + size.x, at.y + size.y}, colour(p.accent), ui.px(6), 0, std::max(1.0f, ui.px(1.5f)));
  const float y = at.y + (size.y - compat::font_size(ui.fonts.body)) / 2, x = at.x + ui.px(10);
  draw_text(ui.fonts.body, {x, y}, colour(p.text), typed);
  const float caret = x + width_of(ui.fonts.body, typed) + ui.px(1);
  draw.AddRectFilled({caret, y}, {caret + std::max(1.0f, ui.px(1.5f)), y + compat::font_size(ui.fonts.body)}, colour(p.accent));
  draw_text(ui.fonts.body, {at.x + size.x + ui.px(10), y}, colour(p.muted), unit);
}

void stand_of_ranks(Ui& ui, const content::Stepper& stepper) {
  const auto& p = ui.palette();
  for (int rank = 0; rank < stepper.ranks(); ++rank) {
    const bool done = stepper.finished(rank), blocked = stepper.blocked(rank);
    line(ui, ui.fonts.code, blocked ? p.bad : done ? p.good : p.text,
         fmt::format("rank {}: {}", rank, done ? ui.text("drill.rank_finished") : stepper.call(rank) + (blocked ? ui.text("drill.rank_blocked") : std::string())));
  }
}

void draw_ask(Ui& ui, Drill& drill, float width) {
  const auto& p = ui.palette();
  const Card& card = drill.card();
  for (const auto& key : ui.keys)
    if (key.character != 0 && !(card.kind == CardKind::cause_bug || card.kind == CardKind::true_false)) drill.type(key.character);
  if (ui.pressed(GLFW_KEY_BACKSPACE)) drill.erase();
  gap(ui, 12);
  bool give = enter(ui);
  switch (card.kind) {
    case CardKind::true_false: {
      line(ui, ui.fonts.body, p.muted, ui.text("drill.gui_true"));
      const bool t = key_button(ui, "true", "T", ui.text("drill.gui_holds")) || ui.pressed(GLFW_KEY_T);
      ImGui::SameLine(0, ui.px(8));
      const bool f = key_button(ui, "false", "F", ui.text("drill.gui_holds_not")) || ui.pressed(GLFW_KEY_F);
      if (t || f) {
        drill.say(t);
        give = true;
      }
      break;
    }
    case CardKind::predict:
    case CardKind::spot_bug:
    case CardKind::order:
      line(ui, ui.fonts.body, p.muted, ui.text(card.kind == CardKind::predict ? "drill.ask_number" : card.kind == CardKind::spot_bug ? "drill.ask_line" : "drill.ask_order"));
      typed_box(ui, drill.typed(), card.prediction.unit);
      if (drill.refused()) paragraph(ui, ui.fonts.small, p.unsure, card.kind == CardKind::predict ? report::no_number(card, drill.typed(), ui.text) : ui.text("drill.bad_order", {{"value", drill.typed()}}), width);
      give = key_button(ui, "give", "Enter", ui.text("drill.gui_give")) || give;
      break;
    case CardKind::cause_bug: {
      stand_of_ranks(ui, *drill.stepper());
      gap(ui);
      for (int rank = 0; rank < drill.stepper()->ranks(); ++rank) {
        const std::string key = std::to_string(rank), label = ui.text("drill.gui_step");
        if (rank > 0) flow(ui, key, label, width);
        if (key_button(ui, ("step" + key).c_str(), key, label) || ui.pressed(GLFW_KEY_0 + rank)) drill.step(rank);
      }
      flow(ui, "R", ui.text("drill.gui_again"), width);
      if (key_button(ui, "again", "R", ui.text("drill.gui_again")) || ui.pressed(GLFW_KEY_R)) drill.start_again();
      flow(ui, "Enter", ui.text("drill.gui_give_up"), width);
      give = key_button(ui, "give", "Enter", ui.text("drill.gui_give_up")) || give || drill.stepper()->deadlocked();
      break;
    }
    case CardKind::pitch: case CardKind::follow_up: case CardKind::pitfall: case CardKind::resume:
      line(ui, ui.fonts.body, p.muted, ui.text("drill.gui_speak"), width);
      give = key_button(ui, "give", "Enter", ui.text("drill.gui_spoken")) || give || ui.pressed(GLFW_KEY_SPACE);
      break;
  }
  if (give) drill.give(ui.seconds);
}

void draw_confidence(Ui& ui, Drill& drill, float width) {
  gap(ui, 12);
  if (drill.stepper()) {
    stand_of_ranks(ui, *drill.stepper());
    line(ui, ui.fonts.body, drill.attempt().deadlocked ? ui.palette().good : ui.palette().unsure, ui.text(drill.attempt().deadlocked ? "drill.deadlocked" : "drill.not_deadlocked"), width);
    gap(ui);
  }
  line(ui, ui.fonts.body, ui.palette().muted, ui.text("drill.gui_sure"), width);
  for (int i = 1; i <= 5; ++i) {
    const std::string key = std::to_string(i), label = std::to_string(i * 20 - 10) + " %";
    if (i > 1) flow(ui, key, label, width);
    if (key_button(ui, ("sure" + key).c_str(), key, label) || ui.pressed(GLFW_KEY_0 + i)) drill.be_sure(i * 20 - 10);
  }
  flow(ui, "Enter", ui.text("drill.gui_unsure"), width);
  if (key_button(ui, "unsure", "Enter", ui.text("drill.gui_unsure")) || enter(ui)) drill.be_sure(0);
}

/// Heading and words of one part of the answer.
void part(Ui& ui, const std::string& heading, std::string_view text, report::Rgb ink, float width) {
  gap(ui);
  line(ui, ui.fonts.small, ui.palette().accent, heading, width);
  paragraph(ui, ui.fonts.body, ink, text, width);
}

/// The sentence with the learner's own numbers, and a field for each blank.
void draw_resume(Ui& ui, App& app, float width) {
  const auto& p = ui.palette();
  Drill& drill = app.drill;
  const auto filled = drill.filled();
  const std::string sentence = report::resume_sentence(drill.card(), filled, ui.text.language());
  part(ui, ui.text("drill.gui_template"), sentence, p.text, width);
  if (button(ui, "copy-sentence", ui.text("gui.copy"), false, Icon::copy)) app.copy(ui, sentence);
  const bool to_first = ui.pressed(GLFW_KEY_TAB);
  bool changed = false;
  for (std::size_t i = 0; i < filled.size(); ++i) {
    const auto& each = filled[i];
    std::string typed = drill.blanks[each.blank->name];
    line(ui, ui.fonts.small, p.muted, each.blank->what.in(ui.text.language()), width);
    if (i == 0 && to_first) ImGui::SetKeyboardFocusHere();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(10), ui.px(4)));
    const std::string hint = each.run != nullptr ? each.value : ui.text(each.blank->metric.empty() ? "drill.gui_type_it" : "drill.gui_measure_it");
    const bool entered = text_line(("##blank-" + each.blank->name).c_str(), hint.c_str(), typed, std::min(width, ui.px(420)));
    ImGui::PopStyleVar();
    changed = changed || entered || ImGui::IsItemDeactivatedAfterEdit();
    drill.blanks[each.blank->name] = typed;
    const auto* next_run = i + 1 < filled.size() ? filled[i + 1].run : nullptr;
    if (each.run != nullptr && each.run != next_run) paragraph(ui, ui.fonts.small, p.muted, ui.text("drill.gui_measured_in", {{"run", each.run->conditions}}), width);
  }
  if (app.kept_error) paragraph(ui, ui.fonts.small, p.bad, ui.text("drill.gui_not_kept", {{"why", ui.text(*app.kept_error)}}), width);
  if (changed) drill.save_blanks();
}

void draw_card_answer(Ui& ui, App& app, float width) {
  Drill& drill = app.drill;
  const auto& p = ui.palette();
  const Card& card = drill.card();
  gap(ui);
  hairline(ui);
  if (card.kind == CardKind::true_false) part(ui, ui.text("drill.gui_you", {{"you", ui.text(*drill.attempt().said_true ? "drill.gui_holds" : "drill.gui_holds_not")}}), ui.text(card.holds ? "drill.holds" : "drill.holds_not"), p.text, width);
  if (card.kind == CardKind::predict)
    part(ui, ui.text("drill.gui_you", {{"you", drill.typed().empty() ? "–" : drill.typed()}}), fmt::format("= {:.6g} {}", card.prediction.value, card.prediction.unit), p.text, width);
  if (card.kind == CardKind::spot_bug) part(ui, ui.text("drill.gui_you", {{"you", drill.typed().empty() ? "–" : drill.typed()}}), ui.text("drill.fault_line", {{"n", std::to_string(card.line)}}), p.text, width);
  if (const auto right = content::is_right(card, drill.attempt())) paragraph(ui, ui.fonts.body, *right ? p.good : p.bad, report::right_or_wrong(card, drill.attempt(), ui.text), width);
  if (!card.says.empty()) part(ui, ui.text("drill.gui_card_says"), in_language(ui, card.says), p.muted, width);
  part(ui, ui.text(card.kind == CardKind::pitch ? "drill.gui_thirty" : card.says.empty() ? "drill.gui_answer" : "drill.gui_better"), in_language(ui, card.answer), p.text, width);
  if (!card.two_minutes.empty()) {
    part(ui, ui.text("drill.two_minutes"), in_language(ui, card.two_minutes), p.text, width);
    part(ui, ui.text("drill.five_minutes"), in_language(ui, card.five_minutes), p.text, width);
  }
  if (!card.sentence.empty()) draw_resume(ui, app, width);
  for (std::size_t i = 0; i < card.steps.size(); ++i) paragraph(ui, ui.fonts.body, p.text, fmt::format("{}. {}", i + 1, in_language(ui, card.steps[i])), width);
  gap(ui);
  if (content::points_count(card.kind)) {
    line(ui, ui.fonts.small, p.accent, ui.text("drill.gui_points"), width);
    for (std::size_t i = 0; i < card.points.size(); ++i) {
      const std::string key = std::to_string(i + 1);
      if (tick_row(ui, ("point" + key).c_str(), key, in_language(ui, card.points[i].text), drill.attempt().points[i], p.good, width) || ui.pressed(GLFW_KEY_1 + static_cast<int>(i))) drill.toggle_point(i);
    }
    if (tick_row(ui, "proof", "Y", ui.text("drill.gui_proof"), drill.attempt().proof, p.good, width) || (drill.phase() == DrillPhase::answer && ui.pressed(GLFW_KEY_Y))) drill.toggle_proof();
    if (!card.fatal.empty()) line(ui, ui.fonts.small, p.bad, ui.text("drill.gui_fatal"), width);
    for (std::size_t i = 0; i < card.fatal.size(); ++i) {
      const std::string key(1, static_cast<char>('A' + i));
      if (tick_row(ui, ("fatal" + key).c_str(), key, in_language(ui, card.fatal[i]), drill.attempt().fatal[i], p.bad, width) || ui.pressed(GLFW_KEY_A + static_cast<int>(i))) drill.toggle_fatal(i);
    }
  } else {
    for (const auto& point : card.points) paragraph(ui, ui.fonts.body, p.text, "· " + std::string(in_language(ui, point.text)), width);
  }
  gap(ui, 4);
  paragraph(ui, ui.fonts.small, p.muted, ui.text("drill.source") + card.source, width);
}

/// Opens what proves the card: a demo with its knobs, a lesson, a lab, a claim that is run at once; a schedule runs below the card.
void prove(Ui& ui, App& app) {
  const auto* evidence = app.drill.prove();
  if (evidence == nullptr) return;
  if (evidence->kind == "demo" && app.model.choose_demo(evidence->target)) {
    for (std::size_t i = 0; i < evidence->arguments.size(); ++i) {
      const std::string& word = evidence->arguments[i];
      if (word == "--strict") app.model.conditions().strict = true;
      else if (word == "--semantics" && i + 1 < evidence->arguments.size()) app.model.conditions().semantics = evidence->arguments[++i];
      else if (const auto equals = word.find('='); equals != std::string::npos) {
        try {
          app.model.set_knob(word.substr(0, equals), word.substr(equals + 1));
        } catch (const Error&) {  // a knob of a later version: the demo opens with its own
        }
      }
    }
    app.model.leave_walkthrough();
    app.model.place = Place::demos;
    return;
  }
  if (evidence->kind == "lesson") {
    app.model.place = Place::lessons;
    app.lessons.asked = evidence->target;
    return;
  }
  if (evidence->kind == "claim" || evidence->kind == "lab") {
    follow(app, evidence->kind + ":" + evidence->target);
    app.claims.run_asked = evidence->kind == "claim";
    return;
  }
  content::Live live;  // a schedule on the virtual clock: here and now
  live.command = evidence->command();
  const auto& prediction = app.drill.card().prediction;
  if (prediction.command == live.command) live.look = prediction.metric;
  app.proof.reader.close();
  app.proof.drawn.clear();
  app.drill.proof = live;
  app.proof.reader.run(0, live, ui.text.language());
}

/// What proves the card, run below it.
void draw_proof(Ui& ui, App& app, float width) {
  gap(ui);
  draw_live(ui, app, app.proof, 0, *app.drill.proof, width);
  const bool running = app.proof.reader.running().has_value();
  if (running || app.proof.to_top) ImGui::SetScrollHereY(1);
  app.proof.to_top = running;  // once more when its picture is there
}

/// The keys of this phase, always in sight below the card.
void draw_foot(Ui& ui, App& app, float width) {
  Drill& drill = app.drill;
  const auto& p = ui.palette();
  if (drill.phase() == DrillPhase::answer) {
    if (key_button(ui, "finish", "Enter", ui.text("drill.gui_grade"), true) || enter(ui)) return drill.finish();
  } else if (drill.phase() == DrillPhase::graded) {
    const auto& grade = drill.grade();
    line(ui, ui.fonts.body, grade.good() ? p.good : grade.letter == 'C' ? p.unsure : p.bad,
         ui.text(grade.error ? "drill.grade_error" : "drill.grade", {{"letter", std::string(1, grade.letter)}, {"score", fmt::format("{:.0f} %", grade.score * 100)}, {"error", fmt::format("{:.1f} %", grade.error.value_or(0) * 100)}}) +
             (drill.due() ? "   " + ui.text("drill.next_on", {{"day", content::to_string(*drill.due())}}) : std::string()),
         width);
    if (key_button(ui, "next", "Enter", ui.text("drill.gui_next"), true) || enter(ui)) return drill.next(ui.seconds);
    flow(ui, "P", ui.text("drill.gui_prove"), width);
    const bool clicked = key_button(ui, "prove", "P", ui.text("drill.gui_prove"));
    tooltip(ui, report::evidence_command(drill.card()));
    if (clicked || ui.pressed(GLFW_KEY_P)) return prove(ui, app);
  }
  if (drill.phase() != DrillPhase::ask && drill.phase() != DrillPhase::confidence) flow(ui, "Esc", ui.text("drill.gui_leave"), width);
  if (key_button(ui, "leave", "Esc", ui.text("drill.gui_leave"))) drill.leave();
}

void draw_card(Ui& ui, App& app, Rect rect) {
  Drill& drill = app.drill;
  const auto& p = ui.palette();
  const Card& card = drill.card();
  begin_panel(ui, "card", rect, false);
  const float width = ImGui::GetContentRegionAvail().x, left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
  const float clock = std::min(ui.px(300), width * 0.42f);
  line(ui, ui.fonts.small, p.muted, (drill.is_follow_up() ? ui.text("drill.follow_up") + " · " : "") + drill.heading(ui.text), width - clock - ui.px(12));
  line(ui, ui.fonts.small, p.accent, report::card_heading(drill.cards(), card, ui.text), width - clock - ui.px(12));
  ImGui::SetCursorPos({left + width - clock, top});
  clocks(ui, drill.seconds(ui.seconds), card.seconds(), clock);
  const float from = top + ui.px(42), foot = ui.px(drill.phase() == DrillPhase::graded ? 66 : 38);
  const float height = rect.h - from - foot - ui.px(12);
  begin_area(ui, ("body-" + card.id).c_str(), {left, from, width, height}, false, true);
  const float inner = std::min(ImGui::GetContentRegionAvail().x - ui.px(8), ui.px(860));
  scroll_by_keys(ui);
  gap(ui, 2);
  draw_question(ui, drill, inner);
  const DrillPhase phase = drill.phase();
  if (phase == DrillPhase::ask) draw_ask(ui, drill, inner);
  else if (phase == DrillPhase::confidence) draw_confidence(ui, drill, inner);
  else draw_card_answer(ui, app, inner);
  if (drill.proof) draw_proof(ui, app, inner);
  end_area();
  ImGui::SetCursorPos({left, from + height + ui.px(6)});
  if (phase == drill.phase()) {
    draw_foot(ui, app, width);
  } else {
    ui.moving = true;  // the key that changed the phase must not be taken twice in one frame
  }
  end_panel();
}

}  // namespace

void draw_drill(Ui& ui, App& app, Rect rect) {
  Drill& drill = app.drill;
  drill.open(app.session.installation().assets());
  drill.use(ui.text.language());
  app.tell(ui, drill.take_left_out());
  if (!drill.is_open()) {
    begin_area(ui, "drill-error", rect);
    ImGui::SetCursorPos({ui.px(8), ui.px(8)});
    ImGui::BeginGroup();
    paragraph(ui, ui.fonts.body, ui.palette().bad, ui.text(*drill.error()), rect.w - ui.px(16));
    ImGui::EndGroup();
    end_area();
    return;
  }
  if (drill.asked) drill.start_card(*drill.asked, ui.seconds);
  drill.asked.reset();
  switch (drill.phase()) {
    case DrillPhase::home: return draw_drill_home(ui, app, rect);
    case DrillPhase::report: return draw_mock_report(ui, app, rect);
    case DrillPhase::ask: case DrillPhase::confidence: case DrillPhase::answer: case DrillPhase::graded: return draw_card(ui, app, rect);
  }
}

}  // namespace p2plab::gui

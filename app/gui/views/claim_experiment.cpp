// One setting of a claim: what it runs, what the claim says of its number, what was measured, and the pictures of the runs.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <fmt/format.h>

#include "app/check/links.h"
#include "app/content/live_block.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/model/copied.h"
#include "app/gui/views/claim_parts.h"
#include "app/gui/widgets/basic.h"
#include "app/gui/widgets/imgui_canvas.h"
#include "app/report/claim_report.h"
#include "app/report/conditions.h"
#include "app/report/moved_canvas.h"
#include "app/report/result_charts.h"

namespace p2plab::gui {
namespace {

using content::ClaimOutcome;
using State = ClaimState::State;

const check::DemoManifest* demo_called(const App& app, const std::string& id) {
  for (const auto& demo : app.model.demos())
    if (demo.id == id) return &demo;
  return nullptr;
}

/// "< 1.00 ×", "= 27.3 % ±1 %", "≠ deadlock": what the claim says of the number.
std::string says_of_number(const Ui& ui, const content::Experiment& experiment) {
  const auto& says = experiment.predicts;
  const std::string relation = says.relation == "!=" ? "≠" : says.relation == "<=" ? "≤" : says.relation == ">=" ? "≥" : says.relation;
  if (!says.word.empty()) return relation + " " + (ui.text.has("verdict." + says.word) ? ui.text("verdict." + says.word) : says.word);
  const std::string value = relation + " " + check::claim_number(says.value, experiment.unit);
  const bool equals = says.relation == "=" || says.relation == "!=";
  return !equals || says.tolerance == 0 ? value : value + (says.value == 0 ? fmt::format(" ±{:g}", says.tolerance) : fmt::format(" ±{:g} %", says.tolerance * 100));
}

report::Rgb ink_of(const Ui& ui, ClaimOutcome outcome) {
  const auto& p = ui.palette();
  return outcome == ClaimOutcome::confirmed ? p.good : outcome == ClaimOutcome::refuted ? p.bad : p.muted;
}

ClaimsPage::Drawn& drawn_of(Ui& ui, App& app, bool counter, std::size_t index, const ClaimState::Shown& shown, double width) {
  auto& drawn = app.claims.drawn[{counter, index}];
  if (drawn.width == width && drawn.language == ui.text.language()) return drawn;
  drawn = {};
  drawn.width = width;
  drawn.language = ui.text.language();
  const auto* demo = demo_called(app, shown.demo);
  if (demo != nullptr && shown.metrics.is_object()) drawn.charts = report::result_charts(*demo, shown.metrics, check::load_links(app.session.installation().assets() / "links.toml"), ui.text);
  if (!shown.trace || (!drawn.charts.empty() && !demo->results.timeline)) return drawn;
  report::PictureText around;
  if (const auto& run = shown.trace->run; run.demo.empty() && run.knobs.contains("schedule")) around.title = run.knobs.at("schedule");
  report::PictureOptions options;
  around.conditions = report::conditions(shown.trace->run, ui.text, demo);
  options.width = width;
  options.in_flight = false;  // as low as it can be: the page goes on below
  drawn.timeline = std::make_unique<report::TimelinePicture>(*shown.trace, ui.text, std::move(around), options);
  return drawn;
}

void draw_pictures(Ui& ui, App& app, bool counter, std::size_t index, const ClaimState::Shown& shown, float width) {
  const double design = static_cast<double>(width) / ui.theme.scale();
  const auto& drawn = drawn_of(ui, app, counter, index, shown, design);
  ImguiCanvas window(ui, ImGui::GetWindowDrawList());
  for (const auto& chart : drawn.charts) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const double height = report::least_chart_height(chart, design);
    report::MovedCanvas canvas(window, at.x, at.y, ui.theme.scale());
    const auto spots = report::draw_chart(canvas, chart, {0, 0, design, height});
    ImGui::Dummy({width, static_cast<float>(height * ui.theme.scale())});
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (auto spot = spots.rbegin(); ImGui::IsItemHovered() && spot != spots.rend(); ++spot) {
      const report::Box box = canvas.moved(spot->box);
      if (mouse.x < box.x0 || mouse.x > box.x1 || mouse.y < box.y0 || mouse.y > box.y1) continue;
      tooltip(ui, spot->words + "\n" + ui.text("gui.copy_spot"));
      if (ImGui::IsItemClicked()) app.copy(ui, as_text(chart, *spot, shown.trace ? report::conditions(shown.trace->run, ui.text, demo_called(app, shown.demo)) : shown.command));
      break;
    }
  }
  if (!drawn.timeline) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  report::MovedCanvas canvas(window, at.x, at.y, ui.theme.scale());
  drawn.timeline->draw(canvas);
  ImGui::Dummy({width, static_cast<float>(drawn.timeline->height() * ui.theme.scale())});
}

void draw_outcome(Ui& ui, App& app, bool counter, const ClaimState& state, float width) {
  const auto& p = ui.palette();
  if (state.state == State::failed) return paragraph(ui, ui.fonts.body, p.bad, ui.text(*state.error), width);
  const auto& result = state.result;
  const std::string outcome = report::claim_outcome(result, ui.text) + (result.backend == "host" ? "  ·  " + ui.text("claim.on_mpi") : "");
  if (result.counter) {  // neither confirms nor refutes the claim: a sentence, without a sign
    paragraph(ui, ui.fonts.title, p.text, outcome, width);
  } else {
    const auto ink = ink_of(ui, result.outcome);
    const Icon sign = result.outcome == ClaimOutcome::confirmed ? Icon::check : result.outcome == ClaimOutcome::refuted ? Icon::cross : Icon::question;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = compat::font_size(ui.fonts.title);
    ImGui::Dummy({side, side});
    draw_icon(*ImGui::GetWindowDrawList(), sign, {at.x + side * 0.4f, at.y + side * 0.55f}, side * 0.7f, colour(ink));
    ImGui::SameLine(0, ui.px(6));
    line(ui, ui.fonts.title, ink, outcome, width - side - ui.px(6));
  }
  paragraph(ui, ui.fonts.body, p.text, report::claim_shows(result, ui.text), width);
  if (!result.as_declared()) paragraph(ui, ui.fonts.body, p.unsure, ui.text("claim.not_as_declared"), width);
  paragraph(ui, ui.fonts.body, p.muted, ui.text("claim.own_verdict", {{"verdict", report::claim_verdict(*result.claim, ui.text)}}), width);
  for (std::size_t i = 0; i < state.shown.size(); ++i) {
    const auto& shown = state.shown[i];
    ImGui::PushID(static_cast<int>(i));
    ImGui::Dummy({1, ui.px(2)});
    line(ui, ui.fonts.code, p.muted, shown.command, width);
    draw_pictures(ui, app, counter, i, shown, width);
    if (shown.trace && reached(ui, app.claims, button(ui, "open", ui.text("lesson.open_trace")))) app.open(shown.trace_file);
    ImGui::PopID();
  }
}

void draw_buttons(Ui& ui, App& app, bool counter, const ClaimState* state, float width) {
  ClaimsPage& page = app.claims;
  const content::Claim& claim = *page.reader.claim();
  const bool running = page.reader.running(claim, counter), again = state != nullptr && state->state != State::running;
  const std::string label = ui.text(running ? "lesson.stop" : again ? "lesson.again" : counter ? "claim.run_counter" : "claim.run");
  const bool clicked = reached(ui, page, button(ui, "run", label, !running, running ? Icon::stop : Icon::play));
  tooltip(ui, ui.text(counter ? "claim.run_counter_tip" : "claim.run_tip"));
  const bool key = counter ? ui.pressed(GLFW_KEY_C) : ui.pressed(GLFW_KEY_SPACE) || ui.pressed(GLFW_KEY_R) || std::exchange(page.run_asked, false);
  if (running && (clicked || key)) return page.reader.stop();
  if (clicked || key) return page.reader.run(counter, "sim", ui.text.language());
  if (running) {
    const auto [done, all] = page.reader.progress();
    ImGui::SameLine(0, ui.px(10));
    ImGui::BeginGroup();
    ImGui::Dummy({1, ui.px(2)});
    line(ui, ui.fonts.small, ui.palette().muted, ui.text("claim.running", {{"n", std::to_string(std::min(done + 1, all))}, {"all", std::to_string(all)}}), width);
    ImGui::EndGroup();
    return;
  }
  if (claim.host) {
    ImGui::SameLine(0, ui.px(8));
    const bool host = reached(ui, page, button(ui, "host", ui.text("claim.run_host")));
    tooltip(ui, ui.text("claim.run_host_tip"));
    if (host) page.reader.run(counter, "host", ui.text.language());
  }
  const auto& first = (counter ? claim.counter : claim.experiment)->runs.front();
  if (first.front() != "run" || demo_called(app, first[1]) == nullptr) return;
  ImGui::SameLine(0, ui.px(8));
  const bool ran_on_host = state != nullptr && state->state == State::done && state->result.backend == "host";
  if (reached(ui, page, button(ui, "demo", ui.text("lesson.open_demo")))) app.open_demo(first, ran_on_host ? "host" : "sim");  // where the claim runs
}

}  // namespace

bool reached(Ui& ui, ClaimsPage& page, bool clicked) {
  const bool here = page.focus.next();
  if (here) {
    draw_focus(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (page.focus.arrived()) ImGui::SetScrollHereY(0.5f);
  }
  return clicked || (here && page.focus.entered());
}

void draw_experiment(Ui& ui, App& app, bool counter, float width) {
  const auto& p = ui.palette();
  ClaimsPage& page = app.claims;
  const content::Claim& claim = *page.reader.claim();
  const auto& experiment = counter ? claim.counter : claim.experiment;
  const float pad = ui.px(14), inner = width - 2 * pad;
  auto& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw.ChannelsSplit(2);
  draw.ChannelsSetCurrent(1);
  ImGui::PushID(counter ? "counter" : "experiment");
  ImGui::SetCursorScreenPos({at.x + pad, at.y + pad * 0.8f});
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(8)));
  line(ui, ui.fonts.small, p.accent, ui.text(counter ? "claim.counter_here" : "claim.experiment"), inner);
  const ClaimState* state = page.reader.state(claim, counter);
  const bool ended = state != nullptr && state->state != State::running;
  if (!ended || state->shown.empty())
    for (const auto& words : experiment->runs) line(ui, ui.fonts.code, p.muted, content::typed_command(words), inner);
  if (!experiment->says.empty() && !ended) paragraph(ui, ui.fonts.body, p.text, ui.text("claim.another_sentence", {{"sentence", experiment->says.in(ui.text.language())}}), inner);
  const std::string number = report::claim_number_name(*experiment, experiment->runs.size() == 2, ui.text);
  paragraph(ui, ui.fonts.body, p.text,
            ended && !state->result.shown.empty() ? ui.text("claim.said_and_is", {{"number", number}, {"said", says_of_number(ui, *experiment)}, {"is", ui.text.has("verdict." + state->result.shown) ? ui.text("verdict." + state->result.shown) : state->result.shown}})
                                                  : ui.text("claim.said", {{"number", number}, {"said", says_of_number(ui, *experiment)}}),
            inner);
  draw_buttons(ui, app, counter, state, inner);
  state = page.reader.state(claim, counter);  // the button may have begun it anew
  if (state != nullptr && state->state != State::running) draw_outcome(ui, app, counter, *state, inner);
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

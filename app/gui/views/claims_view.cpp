// The place of claims: the list with its filters, or the page of one.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/claim_parts.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/gui/widgets/text_field.h"
#include "app/report/claim_report.h"
#include "app/report/wrap.h"

namespace p2plab::gui {
namespace {

using content::Claim;
using content::ClaimVerdict;

constexpr float kReadableClaim = 860;  ///< design pixels: text and pictures

report::Rgb ink_of(const Ui& ui, ClaimVerdict verdict) {
  const auto& p = ui.palette();
  switch (verdict) {
    case ClaimVerdict::holds: return p.good;
    case ClaimVerdict::holds_when: return p.accent;
    case ClaimVerdict::misleading: return p.unsure;
    case ClaimVerdict::wrong: break;
  }
  return p.bad;
}

std::string verdict_word(const Ui& ui, ClaimVerdict verdict) { return ui.text("claim.badge_" + std::string(to_string(verdict))); }

/// Once this frame is drawn: what is being drawn belongs to the claim that is open.
void ask_for(App& app, const std::string& id) { app.claims.asked = id; }

void take_claim_keys(Ui& ui, App& app, float page_height) {
  ClaimsPage& page = app.claims;
  const float step = ui.px(48);
  for (const KeyPress& press : ui.keys) {
    if (press.key == GLFW_KEY_DOWN) page.scroll_by += step;
    if (press.key == GLFW_KEY_UP) page.scroll_by -= step;
    if (press.key == GLFW_KEY_PAGE_DOWN) page.scroll_by += page_height - step;
    if (press.key == GLFW_KEY_PAGE_UP) page.scroll_by -= page_height - step;
    if (press.key == GLFW_KEY_HOME) page.scroll_by = -1e6f;
    if (press.key == GLFW_KEY_END) page.scroll_by = 1e6f;
  }
  if (!page.reader.claim()) {
    if (ui.typed('/')) page.to_query = true;
    if (ui.pressed(GLFW_KEY_T)) page.reader.next_topic();
    if (ui.pressed(GLFW_KEY_V)) page.reader.next_verdict();
    return;
  }
  if (ui.pressed(GLFW_KEY_L) || ui.pressed(GLFW_KEY_BACKSPACE)) ask_for(app, {});
  if (ui.pressed(GLFW_KEY_N))
    if (const auto* next = page.reader.neighbour(+1)) ask_for(app, next->id);
  if (ui.pressed(GLFW_KEY_P))
    if (const auto* before = page.reader.neighbour(-1)) ask_for(app, before->id);
}

void scroll_claims(ClaimsPage& page) {
  if (page.to_top) ImGui::SetScrollY(0);
  else if (page.scroll_by != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + page.scroll_by, 0.0f, ImGui::GetScrollMaxY()));
  page.to_top = false;
  page.scroll_by = 0;
}

/// The outcome of what was run of it, in a word behind its title.
void outcome_mark(Ui& ui, ClaimsPage& page, const Claim& claim) {
  const auto& p = ui.palette();
  const ClaimState* state = page.reader.state(claim, false);
  if (state == nullptr) return;
  ImGui::SameLine(0, ui.px(10));
  if (state->state == ClaimState::State::running) return line(ui, ui.fonts.small, p.muted, ui.text("gui.running"));
  if (state->state != ClaimState::State::done) return line(ui, ui.fonts.small, p.bad, ui.text("gui.could_not"));
  const auto outcome = state->result.outcome;
  line(ui, ui.fonts.small, outcome == content::ClaimOutcome::confirmed ? p.good : outcome == content::ClaimOutcome::refuted ? p.bad : p.muted,
       ui.text("claim.outcome_" + std::string(to_string(outcome))) + (state->result.shown.empty() || state->result.number.is_string() ? "" : "  " + state->result.shown));
}

/// One claim of the list; true when it was chosen.
bool claim_row(Ui& ui, ClaimsPage& page, const Claim& claim, float width) {
  const auto& p = ui.palette();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(claim.id.c_str());
  ImGui::BeginGroup();
  verdict_badge(ui, claim.verdict);
  ImGui::SameLine(0, ui.px(10));
  line(ui, ui.fonts.small, p.muted, claim.id, width - verdict_badge_width(ui, claim.verdict) - ui.px(160));
  outcome_mark(ui, page, claim);
  paragraph(ui, ui.fonts.body, p.text, claim.claim.in(ui.text.language()), width);
  ImGui::EndGroup();
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({at.x - ui.px(8), at.y - ui.px(4)});
  const bool clicked = ImGui::InvisibleButton("claim", {width + ui.px(16), std::max(1.0f, after.y - at.y)});
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), colour(p.text, 0.05f), ui.px(6));
  }
  const bool chosen = reached(ui, page, clicked);
  ImGui::SetCursorScreenPos(after);
  ImGui::Dummy({1, ui.px(4)});
  ImGui::PopID();
  return chosen;
}

/// Topic, verdict and words to look for; what does not fit into the first line goes on in the next.
void draw_filters(Ui& ui, ClaimsPage& page, float left, float width) {
  auto& reader = page.reader;
  const auto next = [&](float need) {
    ImGui::SameLine(0, ui.px(8));
    if (ImGui::GetCursorPosX() + need <= left + width) return;
    ImGui::NewLine();
    ImGui::SetCursorPosX(left);
  };
  const std::string topic = reader.topic == 0 ? ui.text("claim.all") : reader.claims()->topics()[reader.topic - 1].title.in(ui.text.language());
  if (reached(ui, page, chip(ui, "topic", ui.text("claim.topic"), topic))) ImGui::OpenPopup("topics");
  if (ImGui::BeginPopup("topics")) {
    for (std::size_t i = 0; i <= reader.claims()->topics().size(); ++i)
      if (ImGui::Selectable((i == 0 ? ui.text("claim.all") : reader.claims()->topics()[i - 1].title.in(ui.text.language())).c_str(), i == reader.topic)) reader.topic = i;
    ImGui::EndPopup();
  }
  const std::string verdict = reader.verdict ? verdict_word(ui, *reader.verdict) : ui.text("claim.all");
  next(chip_width(ui, ui.text("claim.verdict"), verdict));
  if (reached(ui, page, chip(ui, "verdict", ui.text("claim.verdict"), verdict))) reader.next_verdict();
  next(ui.px(200));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(10), ui.px(4)));
  const bool here = page.focus.next();
  if (page.to_query || (here && page.focus.arrived())) ImGui::SetKeyboardFocusHere();
  page.to_query = false;
  text_line("##query", ui.text("claim.query_hint").c_str(), reader.query, ui.px(200));
  ImGui::PopStyleVar();
  if (here) draw_focus(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void draw_list_of_claims(Ui& ui, App& app, Rect rect) {
  ClaimsPage& page = app.claims;
  const auto& p = ui.palette();
  const float margin = ui.px(16), width = std::min(ui.px(kReadableClaim), rect.w - 2 * margin - ui.px(8));
  const auto listed = page.reader.listed();
  ImGui::SetCursorPos({margin, ui.px(8)});
  line(ui, ui.fonts.title, p.text, ui.text("place.claims"));
  ImGui::SameLine(0, ui.px(12));
  ImGui::SetCursorPosY(ui.px(15));
  line(ui, ui.fonts.small, p.muted, ui.text("claim.listed", {{"n", std::to_string(listed.size())}, {"all", std::to_string(page.reader.claims()->all().size())}}));
  ImGui::SetCursorPos({margin, ui.px(46)});
  draw_filters(ui, page, margin, rect.w - 2 * margin);
  const float head = ImGui::GetCursorPosY() + ui.px(6);
  begin_area(ui, "claims", {0, head, rect.w, rect.h - head}, false, true);
  scroll_claims(page);
  ImGui::SetCursorPos({margin, ui.px(4)});
  ImGui::BeginGroup();
  std::string chosen;
  const content::ClaimTopic* heading = nullptr;
  if (listed.empty()) paragraph(ui, ui.fonts.body, p.muted, ui.text("claim.none_listed"), width);
  for (const Claim* claim : listed) {
    if (heading == nullptr || heading->id != claim->topic) {
      const auto& topics = page.reader.claims()->topics();
      heading = &*std::find_if(topics.begin(), topics.end(), [&](const auto& each) { return each.id == claim->topic; });
      ImGui::Dummy({1, ui.px(4)});
      line(ui, ui.fonts.body, p.accent, heading->title.in(ui.text.language()), width);
      ImGui::Dummy({1, ui.px(2)});
    }
    if (claim_row(ui, page, *claim, width)) chosen = claim->id;
  }
  ImGui::Dummy({1, ui.px(24)});
  ImGui::EndGroup();
  end_area();
  if (!chosen.empty()) ask_for(app, chosen);
}

/// A coloured bar at the left: the sentence to say instead.
void better_sentence(Ui& ui, App& app, const Claim& claim, float width) {
  const auto& p = ui.palette();
  const float pad = ui.px(14);
  auto& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw.ChannelsSplit(2);
  draw.ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos({at.x + pad, at.y + pad * 0.6f});
  ImGui::BeginGroup();
  line(ui, ui.fonts.small, p.good, ui.text("claim.better"), width - 2 * pad);
  paragraph(ui, ui.fonts.body, p.text, claim.better.in(ui.text.language()), width - 2 * pad);
  if (reached(ui, app.claims, button(ui, "copy", ui.text("gui.copy"), false, Icon::copy))) app.copy(ui, claim.better.in(ui.text.language()));
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + pad * 0.6f;
  draw.ChannelsSetCurrent(0);
  draw.AddRectFilled(at, {at.x + width, bottom}, colour(mix(p.ground, p.good, 0.10f)), ui.px(6));
  draw.AddRectFilled(at, {at.x + ui.px(3), bottom}, colour(p.good));
  draw.ChannelsMerge();
  ImGui::SetCursorScreenPos({at.x, bottom});
  ImGui::Dummy({width, 1});
}

/// A button of the page's head.
bool head_of_page(Ui& ui, ClaimsPage& page, const char* id, const std::string& label, bool enabled) {
  if (!enabled) return false;
  const bool out = reached(ui, page, button(ui, id, label));
  ImGui::SameLine(0, ui.px(8));
  return out;
}

void draw_claim(Ui& ui, App& app, Rect rect) {
  ClaimsPage& page = app.claims;
  const auto& p = ui.palette();
  const Claim& claim = *page.reader.claim();
  const float margin = ui.px(16), head = ui.px(46);
  ImGui::SetCursorPos({margin, ui.px(10)});
  if (head_of_page(ui, page, "list", ui.text("claim.list"), true)) ask_for(app, {});
  const auto* before = page.reader.neighbour(-1);
  const auto* next = page.reader.neighbour(+1);
  if (head_of_page(ui, page, "before", ui.text("claim.before"), before != nullptr)) ask_for(app, before->id);
  if (head_of_page(ui, page, "next", ui.text("claim.next"), next != nullptr)) ask_for(app, next->id);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(5));
  line(ui, ui.fonts.small, p.muted, ui.text("claim.keys"), std::max(1.0f, rect.w - margin - ImGui::GetCursorPosX()));

  begin_area(ui, "claim-page", {0, head, rect.w, rect.h - head}, false, true);
  scroll_claims(page);
  const float width = std::min(ui.px(kReadableClaim), rect.w - 2 * margin - ui.px(8));
  ImGui::SetCursorPos({margin, ui.px(4)});
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(10)));
  paragraph(ui, ui.fonts.title, p.text, claim.claim.in(ui.text.language()), width);
  paragraph(ui, ui.fonts.small, p.muted, claim.id + "  ·  " + report::claim_speaker(claim, ui.text), width);
  verdict_badge(ui, claim.verdict);
  paragraph(ui, ui.fonts.body, p.text, claim.why.in(ui.text.language()), width);
  better_sentence(ui, app, claim, width);
  if (claim.experiment) {
    draw_experiment(ui, app, false, width);
    draw_experiment(ui, app, true, width);
  } else {
    page.run_asked = false;
    line(ui, ui.fonts.body, p.muted, ui.text("claim.outcome_" + std::string(to_string(claim.declared()))), width);
    paragraph(ui, ui.fonts.body, p.text, claim.awaits.empty() ? ui.text("claim.no_run_can_show") : ui.text("claim.awaits", {{"what", claim.awaits}}), width);
  }
  if (const auto sources = report::claim_sources(claim, page.reader.sources(), ui.text); !sources.empty()) {
    line(ui, ui.fonts.small, p.muted, ui.text("lesson.sources"), width);
    for (const auto& each : sources) paragraph(ui, ui.fonts.small, p.text, each, width);
  }
  ImGui::Dummy({1, ui.px(24)});
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  end_area();
}

}  // namespace

float verdict_badge_width(const Ui& ui, ClaimVerdict verdict) { return width_of(ui.fonts.small, verdict_word(ui, verdict)) + ui.px(16); }

void verdict_badge(const Ui& ui, ClaimVerdict verdict) {
  const auto ink = ink_of(ui, verdict);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = verdict_badge_width(ui, verdict), height = compat::font_size(ui.fonts.small) + ui.px(6);
  ImGui::Dummy({width, height});
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, colour(mix(ui.palette().ground, ink, 0.18f)), ui.px(4));
  draw_text(ui.fonts.small, {at.x + ui.px(8), at.y + ui.px(3)}, colour(ink), verdict_word(ui, verdict));
}

void draw_claims(Ui& ui, App& app, Rect rect) {
  ClaimsPage& page = app.claims;
  page.focus.begin_frame(ui);
  begin_area(ui, "claims-place", rect);
  if (!page.reader.claims() || page.reader.error()) {
    ImGui::SetCursorPos({ui.px(16), ui.px(8)});
    if (page.reader.error()) paragraph(ui, ui.fonts.body, ui.palette().bad, ui.text(*page.reader.error()), rect.w - ui.px(32));
  }
  if (page.generation != page.reader.generation()) {
    page.drawn.clear();
    page.generation = page.reader.generation();
  }
  app.tell(ui, page.reader.take_left_out());
  if (page.reader.claims()) {
    take_claim_keys(ui, app, rect.h - ui.px(82));
    if (page.reader.claim()) draw_claim(ui, app, {0, 0, rect.w, rect.h});
    else draw_list_of_claims(ui, app, {0, 0, rect.w, rect.h});
  }
  end_area();
  if (!page.asked) return;
  page.asked->empty() ? page.reader.close() : page.reader.open(*page.asked);
  page.asked.reset();
  page.focus.leave();
  page.to_top = true;
  ui.moving = true;  // the next frame shows it
}

}  // namespace p2plab::gui

// ImGui's style from the palette.
#include "app/gui/theme.h"

namespace p2plab::gui {

ImVec4 colour4(report::Rgb rgb, float alpha) {
  const auto part = [rgb](int shift) { return static_cast<float>((rgb >> shift) & 0xff) / 255.0f; };
  return {part(16), part(8), part(0), alpha};
}

ImU32 colour(report::Rgb rgb, float alpha) { return ImGui::ColorConvertFloat4ToU32(colour4(rgb, alpha)); }

report::Rgb mix(report::Rgb a, report::Rgb b, float share) {
  report::Rgb out = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    const float from = static_cast<float>((a >> shift) & 0xff), to = static_cast<float>((b >> shift) & 0xff);
    out |= static_cast<report::Rgb>(from + (to - from) * share + 0.5f) << shift;
  }
  return out;
}

void Theme::apply() const {
  const auto& p = palette();
  ImGuiStyle style;
  style.WindowPadding = {px(16), px(12)};
  style.FramePadding = {px(12), px(6)};
  style.ItemSpacing = {px(8), px(8)};
  style.ItemInnerSpacing = {px(8), px(4)};
  style.ScrollbarSize = px(10);
  style.GrabMinSize = px(12);
  style.WindowRounding = style.ChildRounding = style.FrameRounding = style.PopupRounding = style.GrabRounding = px(6);
  style.ScrollbarRounding = px(5);
  style.WindowBorderSize = style.ChildBorderSize = style.FrameBorderSize = 0;
  style.PopupBorderSize = 1;
  style.MouseCursorScale = scale_;
  style.AntiAliasedLinesUseTex = true;

  auto& c = style.Colors;
  for (auto& each : c) each = colour4(p.raised);
  c[ImGuiCol_Text] = colour4(p.text);
  c[ImGuiCol_TextDisabled] = colour4(p.muted);
  c[ImGuiCol_WindowBg] = colour4(p.ground);
  c[ImGuiCol_ChildBg] = colour4(p.panel, 0);
  c[ImGuiCol_PopupBg] = colour4(mix(p.panel, p.raised, 0.5f));
  c[ImGuiCol_Border] = colour4(p.hairline);
  c[ImGuiCol_BorderShadow] = colour4(0, 0);
  c[ImGuiCol_Separator] = colour4(p.hairline);
  c[ImGuiCol_FrameBg] = c[ImGuiCol_Button] = colour4(p.raised);
  c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_ButtonHovered] = c[ImGuiCol_HeaderHovered] = colour4(mix(p.raised, p.text, 0.06f));
  c[ImGuiCol_FrameBgActive] = c[ImGuiCol_ButtonActive] = c[ImGuiCol_HeaderActive] = colour4(mix(p.raised, p.text, 0.12f));
  c[ImGuiCol_Header] = colour4(p.raised);
  c[ImGuiCol_CheckMark] = c[ImGuiCol_SliderGrab] = c[ImGuiCol_SliderGrabActive] = colour4(p.accent);
  c[ImGuiCol_ScrollbarBg] = colour4(p.panel, 0);
  c[ImGuiCol_ScrollbarGrab] = colour4(p.hairline);
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = colour4(p.muted);
  c[ImGuiCol_TextSelectedBg] = colour4(p.accent, 0.35f);
  c[ImGuiCol_NavHighlight] = colour4(p.accent);
  c[ImGuiCol_ModalWindowDimBg] = colour4(p.ground, 0.6f);
  ImGui::GetStyle() = style;
}

}  // namespace p2plab::gui

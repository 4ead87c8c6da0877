// Dear ImGui 1.86 (Debian 12), 1.90 (Debian 13) and 1.92 differ in a few names; all of it is here and nowhere else.
#pragma once
#include <imgui.h>

#include <cfloat>

namespace p2plab::gui::compat {

/// A child window with the window padding in force.
inline bool begin_child(const char* id, ImVec2 size, bool padded, ImGuiWindowFlags flags = 0) {
#if IMGUI_VERSION_NUM >= 19000
  return ImGui::BeginChild(id, size, padded ? ImGuiChildFlags_AlwaysUseWindowPadding : ImGuiChildFlags{}, flags);
#else
  return ImGui::BeginChild(id, size, false, flags | (padded ? ImGuiWindowFlags_AlwaysUseWindowPadding : 0));
#endif
}

/// The size a font was loaded at, in pixels.
inline float font_size(const ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
  return font->LegacySize;
#else
  return font->FontSize;
#endif
}

inline void push_font(ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, font->LegacySize);
#else
  ImGui::PushFont(font);
#endif
}

/// Whether the font itself has a picture for this character (not the replacement box).
inline bool has_glyph(ImFont* font, ImWchar c) {
#if IMGUI_VERSION_NUM >= 19200
  return font->IsGlyphInFont(c);
#else
  return font->FindGlyphNoFallback(c) != nullptr;
#endif
}

/// The mouse is nowhere: nothing is hovered in this frame. Between the platform's NewFrame and ImGui's.
inline void forget_mouse() {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
#else
  ImGui::GetIO().MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
#endif
}

/// From 1.92 the renderer asks for glyphs as they are drawn; before, the atlas is built with stated ranges.
constexpr bool kDynamicFonts = IMGUI_VERSION_NUM >= 19200;

/// After the font set has changed: makes the renderer take the new atlas.
inline void build_atlas() {
#if IMGUI_VERSION_NUM < 19200
  ImGui::GetIO().Fonts->Build();
#endif
}

}  // namespace p2plab::gui::compat

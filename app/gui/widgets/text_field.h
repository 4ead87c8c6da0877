// Text fields over a std::string that grows as it is typed into.
#pragma once
#include <imgui.h>

#include <string>

namespace p2plab::gui {

bool text_area(const char* id, std::string& text, ImVec2 size);
/// One line; true when Enter was pressed.
bool text_line(const char* id, const char* hint, std::string& text, float width);

}  // namespace p2plab::gui

// ImGui asks through a callback for more room.
#include "app/gui/widgets/text_field.h"

namespace p2plab::gui {
namespace {

int grow(ImGuiInputTextCallbackData* data) {
  auto& text = *static_cast<std::string*>(data->UserData);
  text.resize(static_cast<std::size_t>(data->BufTextLen));
  data->Buf = text.data();
  return 0;
}

}  // namespace

bool text_area(const char* id, std::string& text, ImVec2 size) {
  return ImGui::InputTextMultiline(id, text.data(), text.capacity() + 1, size,
                                   ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_AllowTabInput, grow, &text);
}

bool text_line(const char* id, const char* hint, std::string& text, float width) {
  ImGui::SetNextItemWidth(width);
  return ImGui::InputTextWithHint(id, hint, text.data(), text.capacity() + 1,
                                  ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_EnterReturnsTrue, grow, &text);
}

}  // namespace p2plab::gui

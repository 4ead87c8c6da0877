// One window with OpenGL: GLFW and ImGui's two backends, wrapped once. It says when a redraw could show something new.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/model/layout.h"
#include "app/gui/ui.h"

struct GLFWwindow;

namespace p2plab::gui {

struct Size {
  int width = 0, height = 0;
};
constexpr int kLeastWidth = 640, kLeastHeight = 480;  ///< below, nothing has room

/// Rows from the top, three bytes a pixel.
struct Picture {
  Size size;
  std::vector<std::uint8_t> rgb;
};

class Window {
 public:
  /// Throws Error "gui.no_display" or "gui.no_opengl" with exit status 2.
  Window(Size size, const std::string& title, const content::Text& text);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Waits at most `seconds` for an event. True when an event came that may change the picture.
  bool wait(double seconds);
  bool wants_to_close() const;
  void close();
  /// The display's own scale, 1.0 … 2.5.
  float display_scale() const;
  Size size() const;

  /// Key presses since the last call.
  std::vector<KeyPress> take_keys();
  /// Files dropped on the window since the last call.
  std::vector<std::filesystem::path> take_dropped();

  /// Without the mouse nothing is hovered: for pictures.
  void begin_frame(bool with_mouse = true);
  /// Draws and shows the frame. With `changed`, only this part need be drawn again; `picture`, if given, gets a copy of all.
  void end_frame(std::uint32_t ground, const std::optional<Rect>& changed = std::nullopt, Picture* picture = nullptr);
  /// Makes the renderer take a rebuilt font atlas. Call between frames, `rebuild` does the building.
  template <class F>
  void replace_fonts(F rebuild) {
    drop_font_texture();
    rebuild();
    make_font_texture();
  }

 private:
  Picture read(Size size) const;
  void drop_font_texture();
  void make_font_texture();
  static Window& of(GLFWwindow* window);

  GLFWwindow* window_ = nullptr;
  bool keeps_picture_ = false;  ///< the back buffer still holds the last frame after a swap
  Size last_;
  bool drawn_ = false;
  bool event_ = true;
  std::vector<KeyPress> keys_;
  std::vector<std::filesystem::path> dropped_;
};

}  // namespace p2plab::gui

// GLFW and OpenGL. Our callbacks are set first, so that ImGui's chain to them.
#include "app/gui/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <GL/gl.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "app/gui/imgui_compat.h"

namespace p2plab::gui {
namespace {

std::string last_glfw_error;
void remember_error(int, const char* what) { last_glfw_error = what; }

/// Nothing is drawn outside of `part`.
void clip(ImDrawData& data, Rect part) {
  for (int i = 0; i < data.CmdListsCount; ++i)
    for (ImDrawCmd& command : data.CmdLists[i]->CmdBuffer) {
      ImVec4& at = command.ClipRect;
      at = {std::max(at.x, part.x), std::max(at.y, part.y), std::min(at.z, part.right()), std::min(at.w, part.bottom())};
      if (at.z < at.x) at.z = at.x;  // the renderer skips what is empty
      if (at.w < at.y) at.w = at.y;
    }
}

}  // namespace

Window& Window::of(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

Window::Window(Size size, const std::string& title, const content::Text& text) {
  glfwSetErrorCallback(remember_error);
  const auto named = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
  };
  const bool wayland = named("WAYLAND_DISPLAY") || named("WAYLAND_SOCKET");
#ifdef GLFW_PLATFORM_X11  // GLFW 3.4 otherwise asks for Wayland first, whose library then complains on stderr
  if (!wayland) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
  if (!glfwInit()) throw Error("gui.no_display", {{"why", named("DISPLAY") || wayland ? last_glfw_error : text("gui.display_unset")}});
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SAMPLES, 0);       // ImGui smooths its own edges; on llvmpipe more samples cost the frame rate
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "p2plab");
  window_ = glfwCreateWindow(size.width, size.height, title.c_str(), nullptr, nullptr);
  if (!window_) {
    glfwTerminate();
    throw Error("gui.no_opengl", {{"why", last_glfw_error}});
  }
  glfwSetWindowUserPointer(window_, this);
  glfwSetWindowSizeLimits(window_, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(0);  // the loop paces itself, and waiting for a blank would hold up the polling of a run

  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int, int action, int mods) {
    of(w).event_ = true;
    if (action != GLFW_RELEASE) of(w).keys_.push_back({key, mods, 0, action == GLFW_REPEAT});
  });
  glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned character) {
    of(w).event_ = true;
    of(w).keys_.push_back({0, 0, character, false});
  });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    of(w).event_ = true;
    for (int i = 0; i < count; ++i) of(w).dropped_.emplace_back(paths[i]);
  });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double, double) { of(w).event_ = true; });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int) { of(w).event_ = true; });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { of(w).event_ = true; });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { of(w).event_ = true; });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { of(w).event_ = true; });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { of(w).event_ = true; });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int) { of(w).event_ = true; });

  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;  // nothing is written beside the learner's files
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 150");
  // Mesa's software renderer shows a frame by copying it, so its back buffer still holds the last one and need only be
  // drawn where something changed. On a graphics card the whole costs nothing and the buffer holds anything.
  const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  keeps_picture_ = renderer && std::string_view(renderer).find("llvmpipe") != std::string_view::npos;
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::wait(double seconds) {
  event_ = false;
  if (seconds > 0) glfwWaitEventsTimeout(seconds);
  else glfwPollEvents();
  return event_;
}

bool Window::wants_to_close() const { return glfwWindowShouldClose(window_) != 0; }
void Window::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

float Window::display_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::clamp(std::max(x, y), 1.0f, 2.5f);
}

Size Window::size() const {
  Size out;
  glfwGetFramebufferSize(window_, &out.width, &out.height);
  return out;
}

std::vector<KeyPress> Window::take_keys() { return std::exchange(keys_, {}); }
std::vector<std::filesystem::path> Window::take_dropped() { return std::exchange(dropped_, {}); }

void Window::begin_frame(bool with_mouse) {
  ImGui_ImplOpenGL3_NewFrame();
  drawn_ = true;
  ImGui_ImplGlfw_NewFrame();
  if (!with_mouse) compat::forget_mouse();
  ImGui::NewFrame();
}

void Window::end_frame(std::uint32_t ground, const std::optional<Rect>& changed, Picture* picture) {
  ImGui::Render();
  ImDrawData& data = *ImGui::GetDrawData();
  const Size at = size();
  const bool partial = keeps_picture_ && changed && at.width == last_.width && at.height == last_.height;
  last_ = at;
  if (partial) {
    clip(data, *changed);
    const ImVec2 scale = data.FramebufferScale;
    glEnable(GL_SCISSOR_TEST);
    glScissor(static_cast<int>(changed->x * scale.x), at.height - static_cast<int>(changed->bottom() * scale.y),
              static_cast<int>(changed->w * scale.x), static_cast<int>(changed->h * scale.y));
  }
  glViewport(0, 0, at.width, at.height);
  const ImVec4 c = colour4(ground);
  glClearColor(c.x, c.y, c.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  if (picture) *picture = read(at);
  glfwSwapBuffers(window_);
}

Picture Window::read(Size at) const {
  Picture out{at, {}};
  const auto row = static_cast<std::size_t>(at.width) * 3;
  std::vector<std::uint8_t> bottom_up(row * static_cast<std::size_t>(at.height));
  out.rgb.resize(bottom_up.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, at.width, at.height, GL_RGB, GL_UNSIGNED_BYTE, bottom_up.data());
  for (std::size_t y = 0; y < static_cast<std::size_t>(at.height); ++y)
    std::memcpy(&out.rgb[y * row], &bottom_up[(static_cast<std::size_t>(at.height) - 1 - y) * row], row);
  return out;
}

// From 1.92 the renderer follows the atlas by itself; before, its texture is made with the first frame.
void Window::drop_font_texture() {
#if IMGUI_VERSION_NUM < 19200
  if (drawn_) ImGui_ImplOpenGL3_DestroyFontsTexture();
#endif
}

void Window::make_font_texture() {
#if IMGUI_VERSION_NUM < 19200
  if (drawn_) ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

}  // namespace p2plab::gui

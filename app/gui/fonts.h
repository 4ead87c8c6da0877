// The fonts of the window: Noto Sans CJK SC and its monospaced sister, or what the machine has.
#pragma once
#include <imgui.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace p2plab::gui {

/// Unicode characters the atlas must hold.
using Characters = std::set<char32_t>;
/// Adds the characters of a UTF-8 text; malformed bytes add nothing.
void add_characters(Characters& to, std::string_view utf8);
/// Latin, Greek, arrows and mathematics: what numbers, code and formulas are written with.
Characters basic_characters();
/// True when the text holds a character that is not among these.
bool needs_more(const Characters& have, std::string_view utf8);

/// Loads and reloads the atlas. The font file is mapped, not read: only the glyphs that are wanted cost time.
class Fonts {
 public:
  Fonts();
  ~Fonts();
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  /// Rebuilds the atlas; the renderer must drop its old texture first.
  void build(float scale, const Characters& wanted);
  /// False when no CJK font is on this machine: Chinese cannot be shown.
  bool has_chinese() const;
  /// Characters among `wanted` for which the text fonts have no picture.
  std::vector<char32_t> missing(const Characters& wanted) const;

  ImFont* body = nullptr;    ///< 17 px
  ImFont* title = nullptr;   ///< 24 px
  ImFont* small = nullptr;   ///< 14 px, secondary text
  ImFont* code = nullptr;    ///< 14 px, monospaced

 private:
  struct File;
  std::unique_ptr<File> sans_, mono_;
  std::vector<ImWchar> ranges_;
};

}  // namespace p2plab::gui

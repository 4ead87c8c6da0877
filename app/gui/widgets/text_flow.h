// Running text of several looks in the window: strong, code, links, and glossary terms that explain themselves.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "app/content/document.h"
#include "app/gui/model/lesson_reader.h"
#include "app/gui/ui.h"
#include "app/report/flow.h"

namespace p2plab::gui {

/// Which of the things on a page the keyboard is at. Things count themselves as they are drawn.
class Focus {
 public:
  /// Once a frame, before anything is drawn.
  void begin_frame(Ui& ui);
  /// The next thing of the page; true when the keyboard is at it.
  bool next();
  /// The keyboard came here in this frame: the thing has to be brought into sight.
  bool arrived() const { return moved_; }
  /// Enter was pressed on the thing that next() spoke of last.
  bool entered() const { return at_ == count_ - 1 && enter_; }
  void leave() { at_ = -1; }
  bool anywhere() const { return at_ >= 0; }

 private:
  int at_ = -1, count_ = 0, of_ = 0;
  bool enter_ = false, moved_ = false;
};

class TextFlow {
 public:
  /// Draws at the cursor and takes the height; the target of the link that was chosen, or nothing.
  std::string draw(Ui& ui, const content::Inlines& inlines, const std::vector<MarkedTerm>& terms, ImFont* font, report::Rgb ink, float width, bool strong, Focus& focus);
  /// The width the text would take in one line.
  float natural_width(const Ui& ui, const content::Inlines& inlines, ImFont* font) const;
  /// The texts drawn so far are gone, or the fonts are.
  void forget() { laid_.clear(); }

 private:
  struct Laid {
    std::string plain;
    std::vector<report::FlowLine> lines;
    float width = 0, font_size = 0;
  };
  const Laid& lay(const Ui& ui, const content::Inlines& inlines, ImFont* font, float width);
  std::map<const content::Inlines*, Laid> laid_;
};

/// A line around what the keyboard is at.
void draw_focus(const Ui& ui, ImVec2 min, ImVec2 max);

}  // namespace p2plab::gui

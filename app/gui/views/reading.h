// Markdown on a page of the window, block by block: what lessons and labs have in common.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/gui/app.h"
#include "app/gui/widgets/text_flow.h"

namespace p2plab::gui {

constexpr float kReadable = 760;  ///< design pixels of running text

/// The page that a document is drawn on.
struct Reading {
  TextFlow& flow;
  Focus& focus;
  std::function<const std::vector<MarkedTerm>&(const content::Inlines&)> terms;
  std::function<void(std::size_t index, const content::Live& live, float width)> live{};  ///< draws a live block; empty: there are none
};

/// At the cursor; the first heading is left out, because it stands in the page's head. Links are followed.
void draw_document(Ui& ui, App& app, const Reading& page, const content::Document& document, float width);
/// Lines of code in a box; in a console the lines that are typed are lit.
void draw_code_box(Ui& ui, const std::string& text, float width, bool console = false);
/// Goes where a link leads: "lesson:ID", "demo:ID", "claim:ID", "lab:NN", "card:ID".
void follow(App& app, const std::string& target);

}  // namespace p2plab::gui

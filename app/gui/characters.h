// The characters that the font atlas must have: of everything that is shipped, and of what users and ranks write.
#pragma once
#include <filesystem>

#include "app/gui/app.h"
#include "app/gui/fonts.h"

namespace p2plab::gui {

/// Every character the window may have to show from the start: all texts, demos and walkthroughs in both languages.
Characters shipped_characters(const content::Text& text, const Model& model);

/// Every character of every file in the folder that is shipped to be read: lessons, cards, claims, labs, demos, glossary, texts.
void add_files(Characters& out, const std::filesystem::path& folder);

/// What users and ranks write: looked at only when it has grown, so that the atlas is rebuilt on first need.
class UserText {
 public:
  /// True when `have` lacks characters that are now on screen; they are added to it.
  bool extend(Characters& have, App& app, const content::Text& text);

 private:
  std::size_t seen_ = 0;
  int generation_ = -1;
};

}  // namespace p2plab::gui

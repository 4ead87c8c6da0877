// What the place of lessons keeps between frames.
#pragma once
#include <map>
#include <memory>

#include "app/content/reading_log.h"
#include "app/gui/model/lesson_reader.h"
#include "app/gui/widgets/text_flow.h"
#include "app/report/timeline_picture.h"

namespace p2plab::gui {

struct LessonPage {
  explicit LessonPage(launch::Installation installation) : reader(std::move(installation)) {}

  /// The timeline of a live block, decided for a width, a language and a run.
  struct Drawn {
    std::unique_ptr<report::TimelinePicture> picture;
    const trace::Trace* of = nullptr;
    double width = 0;
    content::Language language = content::Language::en;
  };

  LessonReader reader;
  content::ReadingLog log;
  TextFlow flow;
  Focus focus;
  std::map<std::size_t, Drawn> drawn;
  int generation = -1;       ///< of the reader, when the caches were made
  float scale = 0;           ///< of the fonts, likewise
  content::Document trail;   ///< what the open lesson leads to
  content::Language trail_language = content::Language::en;
  bool at_end = false;       ///< the end of the open lesson has been in sight
  bool to_top = false;       ///< another page is shown from now on
  float scroll_by = 0;       ///< what the keys ask for
  std::optional<std::string> asked;  ///< the lesson to open once this frame is drawn; empty: the list
};

}  // namespace p2plab::gui

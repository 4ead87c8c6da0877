// What the place of labs keeps between frames.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/gui/model/labs.h"
#include "app/gui/widgets/text_flow.h"
#include "app/gui/widgets/timeline.h"

namespace p2plab::gui {

/// What the one panel of a small window shows.
enum class LabTab { text, result, timeline };

struct LabPage {
  explicit LabPage(launch::Installation installation) : model(std::move(installation)) {}

  /// What the timeline is to show once it knows the trace.
  struct Wanted {
    trace::SpanId span = trace::kNoIndex;
    trace::Ns begin = 0, end = 0;  ///< equal: the whole run
  };

  Labs model;
  TextFlow flow;
  Focus focus;
  TimelineWidget timeline;
  std::shared_ptr<const trace::Trace> trace;  ///< that the timeline shows
  std::optional<Wanted> wanted;
  LabTab tab = LabTab::text;
  int generation = -1, results = -1;  ///< of the model, when this was made
  float scale = 0;                    ///< of the fonts, likewise
  bool to_top = false;                ///< another page is shown from now on
  bool visible = false;               ///< the place was shown in the frame before
  float scroll_by = 0;                ///< what the keys ask for
  float head = 0;                     ///< height of title and buttons in the frame before
  std::optional<std::string> asked;   ///< the lab to open once this frame is drawn; empty: the list
};

}  // namespace p2plab::gui

// What the place of claims keeps between frames.
#pragma once
#include <map>
#include <memory>

#include "app/gui/model/claims_reader.h"
#include "app/gui/widgets/text_flow.h"
#include "app/report/chart.h"
#include "app/report/timeline_picture.h"

namespace p2plab::gui {

struct ClaimsPage {
  explicit ClaimsPage(launch::Installation installation) : reader(std::move(installation)) {}

  /// What one command drew, decided for a width and a language.
  struct Drawn {
    std::unique_ptr<report::TimelinePicture> timeline;
    std::vector<report::Chart> charts;
    double width = 0;
    content::Language language = content::Language::en;
  };

  ClaimsReader reader;
  Focus focus;
  std::map<std::pair<bool, std::size_t>, Drawn> drawn;  ///< by counter-setting and command
  int generation = -1;       ///< of the reader, when the cache was made
  bool to_top = false;       ///< another page is shown from now on
  bool to_query = false;     ///< the keyboard is to be given to the field that filters
  float scroll_by = 0;       ///< what the keys ask for
  std::optional<std::string> asked;  ///< the claim to open once this frame is drawn; empty: the list
  bool run_asked = false;    ///< run its experiment as soon as it is open
};

}  // namespace p2plab::gui

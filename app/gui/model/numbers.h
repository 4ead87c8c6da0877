// The numbers of a run as the learner reads them: a big figure, beside it the ideal or the alternative it must be
// compared with. Names are those of CONTRACTS.md; what a name means is looked up in assets/text/gui.toml.
#pragma once
#include <string>
#include <vector>

#include "app/check/demo_run.h"
#include "app/content/text.h"
#include "app/report/figure.h"

namespace p2plab::gui {

struct Number {
  std::string id;          ///< the metric's name
  std::string title;
  std::string figure;
  std::string beside;      ///< the ideal, the limit, the other schedule; empty if there is none
  std::string before;      ///< the same number in the run before
  std::string how;         ///< how it is computed, on which window
};

struct Share {
  std::string id, title;
  double value = 0;        ///< 0 … 1 of the whole
  std::string figure;
};

using report::figure;

/// In the order of the manifest; a number that another one is compared with does not stand by itself.
std::vector<Number> numbers(const check::DemoManifest& demo, const check::RunRequest& request,
                            const nlohmann::ordered_json& metrics, const nlohmann::ordered_json* before, const content::Text& text);

/// Bubble by cause, largest first; empty without "idle_by_cause".
std::vector<Share> shares(const nlohmann::ordered_json& metrics, const content::Text& text);

/// What differs between two requests, "Communication blocking", for the heading of the column of the run before.
std::string difference(const check::DemoManifest& demo, const check::RunRequest& now, const check::RunRequest& before, const content::Text& text);

/// One line of text with its conditions, to be pasted into a report.
std::string as_text(const Number& number, const std::string& conditions);

}  // namespace p2plab::gui

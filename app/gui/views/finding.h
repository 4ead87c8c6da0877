// A finding with its sites, each of which can be clicked where its span is known.
#pragma once
#include "app/analysis/finding.h"
#include "app/gui/ui.h"

namespace p2plab::gui {

/// Draws it at the cursor. The span of the site that was clicked, else kNoIndex; `index` tells findings of a page apart.
trace::SpanId draw_finding(Ui& ui, const analysis::Finding& finding, int index, float width);

}  // namespace p2plab::gui

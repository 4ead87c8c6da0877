// The parts of the place of lessons that stand in files of their own.
#pragma once
#include "app/gui/app.h"

namespace p2plab::gui {

/// A live block at the cursor, `width` wide; `index` is that of the block in the document. `page` runs it and keeps what it showed.
void draw_live(Ui& ui, App& app, LessonPage& page, std::size_t index, const content::Live& live, float width);

}  // namespace p2plab::gui

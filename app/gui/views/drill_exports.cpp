// What leaves the drill as files: notes for Anki, the cheat sheet, the evidence page, the progress.
#include <GLFW/glfw3.h>

#include "app/gui/views/drill_parts.h"
#include "app/gui/widgets/basic.h"
#include "app/report/card_files.h"
#include "app/report/saved_runs.h"
#include "app/trace/atomic_file.h"

namespace p2plab::gui {
namespace {

void say_for_a_while(const Ui& ui, App& app, std::string text) {
  app.notice = std::move(text);
  app.notice_until = ui.seconds + 5;
}

/// Writes it where the window was started, and says so; `write` is given the file's path.
template <class Write>
void export_to(const Ui& ui, App& app, const char* name, const Write& write) {
  try {
    const auto path = std::filesystem::absolute(name);
    write(path);
    say_for_a_while(ui, app, ui.text("gui.wrote", {{"file", path.string()}}));
  } catch (const Error& error) {
    say_for_a_while(ui, app, ui.text(error));
  }
}

}  // namespace

void draw_exports(Ui& ui, App& app, float width) {
  const auto asked = [&](const char* id, const char* key, int code, const char* text, bool first = false) {
    const std::string label = ui.text(text);
    if (!first) flow(ui, key, label, width);
    return key_button(ui, id, key, label) || ui.pressed(code);
  };
  line(ui, ui.fonts.small, ui.palette().muted, ui.text("drill.gui_take_out"), width);
  const bool zh = ui.text.language() == content::Language::zh;
  if (asked("anki", "A", GLFW_KEY_A, "drill.gui_anki", true))
    export_to(ui, app, "p2plab-anki.txt", [&](const auto& path) { trace::write_file(path, report::anki_notes(app.drill.cards(), ui.text)); });
  if (asked("sheet", "S", GLFW_KEY_S, "drill.gui_sheet"))
    export_to(ui, app, "p2plab-cheatsheet.html", [&](const auto& path) { trace::write_file(path, report::cheat_sheet(app.drill.cards(), ui.text)); });
  if (asked("evidence", "E", GLFW_KEY_E, "drill.gui_evidence"))
    export_to(ui, app, zh ? "p2plab-evidence-zh.html" : "p2plab-evidence-en.html", [&](const auto& path) {
      const auto folder = content::data_directory() / "runs";
      trace::write_file(path, report::evidence_page(report::saved_runs(folder, app.session.installation().demos()), folder, ui.text));
    });
  if (asked("progress", "P", GLFW_KEY_P, "drill.gui_progress")) export_to(ui, app, "p2plab-progress.jsonl", [&](const auto& path) { app.drill.export_progress(path); });
  paragraph(ui, ui.fonts.small, ui.palette().muted, ui.text("drill.gui_drop_progress"), width);
}

void import_progress(const content::Text& text, App& app, const std::filesystem::path& file, double seconds) {
  app.drill.open(app.session.installation().assets());
  try {
    if (app.drill.is_open()) app.notice = text("drill.gui_imported", {{"n", std::to_string(app.drill.import_progress(file))}});
  } catch (const Error& error) {
    app.notice = text(error);
  }
  app.notice_until = seconds + 5;
  app.model.place = Place::drill;
}

}  // namespace p2plab::gui

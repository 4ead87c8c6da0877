// See characters.h.
#include "app/gui/characters.h"

#include <fstream>
#include <iterator>

namespace p2plab::gui {

Characters shipped_characters(const content::Text& text, const Model& model) {
  Characters out = basic_characters();
  const auto both = [&out](const content::Twin& each) {
    add_characters(out, each.en);
    add_characters(out, each.zh);
  };
  for (const auto& [id, languages] : text.all())
    for (const auto& [language, words] : languages) add_characters(out, words);
  for (const auto& demo : model.demos()) {
    both(demo.title);
    both(demo.claim);
    for (const auto& knob : demo.knobs) {
      both(knob.title);
      both(knob.help);
    }
    for (const auto& promise : demo.promises) both(promise.says);
    for (const auto& expected : demo.expectations) both(expected.otherwise);
    for (const auto* words : check::texts(demo.results)) both(*words);
  }
  for (const auto& tour : model.walkthroughs()) {
    both(tour.title);
    for (const auto& step : tour.steps) both(step.say);
  }
  return out;
}

void add_files(Characters& out, const std::filesystem::path& folder) {
  std::error_code none;
  constexpr auto kFollow = std::filesystem::directory_options::follow_directory_symlink;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, kFollow, none)) {
    const auto ending = entry.path().extension();
    if (ending != ".toml" && ending != ".md" && ending != ".cpp" && ending != ".h" && ending != ".py") continue;
    if (entry.path().stem() == "README") continue;  // for who edits the files
    std::ifstream in(entry.path(), std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    std::erase_if(text, [](unsigned char c) { return c < ' '; });
    add_characters(out, text);
  }
}

bool UserText::extend(Characters& have, App& app, const content::Text& text) {
  const auto* run = app.session.run();
  if (app.model.place == Place::lessons) {
    app.lessons.reader.lessons();
    app.lessons.reader.document(text);
  }
  const std::string lesson = app.lessons.reader.characters();
  if (app.model.place == Place::labs) app.labs.model.task(text.language());
  const std::string lab = app.model.place == Place::labs ? app.labs.model.characters() : std::string();
  const std::string drill = (app.model.place == Place::drill || app.model.place == Place::lessons) && app.drill.is_open() ? app.drill.characters() : std::string();
  const std::string claims = app.model.place == Place::claims || app.model.place == Place::lessons ? app.claims.reader.characters() : std::string();
  std::size_t size = app.edit.text.size() + app.edit.messages().size() + app.path_field.size() + lesson.size() + lab.size() + drill.size() + claims.size();
  for (int rank = 0; run && rank < run->request().ranks; ++rank)
    for (const bool error : {false, true}) size += run->output(rank, error).head.size() + run->output(rank, error).tail.size();
  if (size == seen_ && app.session.generation() == generation_) return false;
  seen_ = size;
  generation_ = app.session.generation();
  const std::size_t before = have.size();
  add_characters(have, app.edit.text);
  add_characters(have, app.edit.messages());
  add_characters(have, app.path_field);
  add_characters(have, lesson);
  add_characters(have, lab);
  add_characters(have, drill);
  add_characters(have, claims);
  for (int rank = 0; run && rank < run->request().ranks; ++rank)
    for (const bool error : {false, true}) {
      add_characters(have, run->output(rank, error).head);
      add_characters(have, run->output(rank, error).tail);
    }
  return have.size() != before;
}

}  // namespace p2plab::gui

// p2plab-gui: opens the window and draws it again whenever something changed.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "app/check/exit_status.h"
#include "app/check/links.h"
#include "app/content/option_parser.h"
#include "app/gui/bench_frame.h"
#include "app/gui/characters.h"
#include "app/gui/options.h"
#include "app/gui/screenshot.h"
#include "app/gui/shell.h"
#include "app/gui/shot.h"
#include "app/gui/timing.h"
#include "app/gui/views/views.h"
#include "app/launch/interrupt.h"
#include "app/trace/atomic_file.h"
#include "app/trace/feed_reader.h"
#include "app/trace/save_run.h"

namespace p2plab::gui {
namespace {

constexpr double kWatchSeconds = 0.1;  ///< between two looks at a file that is watched

/// Something runs that --when-done waits for.
bool works(const App& app) {
  return app.session.running() || app.lessons.reader.running() || app.proof.reader.running() || app.labs.model.checking() || app.claims.reader.running() || app.edit.state() == Edit::State::building;
}

std::vector<std::string> link_names(const launch::Installation& installation) {
  std::vector<std::string> out{"raw"};
  for (const auto& link : check::load_links(installation.assets() / "links.toml")) out.push_back(link.id);
  return out;
}

void set_up(App& app, const Options& options) {
  if (!options.demo.empty() && !app.model.choose_demo(options.demo)) {
    std::string known;
    for (const auto& demo : app.model.demos()) known += (known.empty() ? "" : ", ") + demo.id;
    throw Error("gui.unknown_demo", {{"value", options.demo}, {"known", known}});
  }
  auto& conditions = app.model.conditions();
  if (options.ranks) conditions.ranks = *options.ranks;
  if (!options.backend.empty()) app.model.set_backend(options.backend);
  for (const auto& [given, to] : {std::pair{&options.semantics, &conditions.semantics}, {&options.link, &conditions.link}, {&options.compute, &conditions.compute}})
    if (!given->empty()) *to = *given;
  if (!options.link.empty()) check::link_argument(check::load_links(app.session.installation().assets() / "links.toml"), options.link);  // refused at once
  if (options.seed) conditions.seed = *options.seed;
  conditions.strict = options.strict;
  for (const auto& [id, value] : options.set) app.model.set_knob(id, value);
  if (app.model.demo()) check::complete(*app.model.demo(), app.model.request());
  if (!options.tab.empty()) {
    const auto tab = parse_tab(options.tab);
    if (!tab) throw Error("gui.bad_tab", {{"value", options.tab}});
    app.model.tab = *tab;
    app.tab_asked = true;
  }
  if (!options.walkthrough.empty()) {
    const auto& all = app.model.walkthroughs();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Walkthrough& each) { return each.id == options.walkthrough; });
    if (found == all.end()) {
      std::string known;
      for (const auto& each : all) known += (known.empty() ? "" : ", ") + each.id;
      throw Error("gui.unknown_walkthrough", {{"value", options.walkthrough}, {"known", known}});
    }
    app.enter(app.model.start_walkthrough(static_cast<std::size_t>(found - all.begin())));
  }
  if (!options.card.empty()) {
    app.model.place = Place::drill;
    app.drill.open(app.session.installation().assets());
    if (const auto& error = app.drill.error()) throw Error(error->id, error->params);
    if (!app.drill.start_card(options.card, 0)) throw Error("gui.unknown_card", {{"value", options.card}});
  }
  if (!options.place.empty()) {
    const auto place = parse_place(options.place);
    if (!place) throw Error("gui.bad_place", {{"value", options.place}});
    app.model.place = *place;
  }
  if (!options.open.empty()) {
    app.open(options.open);
    if (app.session.error()) throw Error(app.session.error()->id, app.session.error()->params);
  }
  if (!options.lesson.empty()) {
    app.model.place = Place::lessons;
    app.lessons.reader.open(options.lesson);
    if (const auto& error = app.lessons.reader.error()) throw Error(error->id, error->params);
  }
  if (!options.claim.empty()) {
    app.model.place = Place::claims;
    app.claims.reader.open(options.claim);
    if (const auto& error = app.claims.reader.error()) throw Error(error->id, error->params);
    if (options.autorun) return app.claims.reader.run(false, "sim", app.wanted.language);
  }
  if (!options.labs.empty()) app.labs.model.use(options.labs);
  if (!options.lab.empty()) {
    app.model.place = Place::labs;
    app.labs.model.open(options.lab);
    if (const auto& error = app.labs.model.error()) throw Error(error->id, error->params);
    if (options.autorun) return app.labs.model.check();
  }
  if (options.autorun) app.run();
}

int check_glyphs(const Fonts& fonts, const Characters& wanted) {
  const auto missing = fonts.missing(wanted);
  std::printf("%zu characters, %zu missing\n", wanted.size(), missing.size());
  for (const char32_t c : missing) std::printf("U+%04X\n", static_cast<unsigned>(c));
  return missing.empty() ? 0 : 1;
}

/// With --trace: what the shown run has recorded.
void keep_trace(const App& app, const std::filesystem::path& file) {
  if (!file.empty() && app.session.run()) trace::save_run(*app.session.trace(), file);
}

/// The window closes in mid-run: the job ends, and the trace so far is kept.
void break_off(App& app, const std::filesystem::path& trace_file) {
  if (!app.session.running()) return;
  app.cancel();
  if (trace_file.empty()) return;
  for (; app.session.running(); std::this_thread::sleep_for(trace::kLookEvery)) app.session.poll();
  keep_trace(app, trace_file);
}

int main_loop(Window& window, App& app, content::Text& text, Fonts& fonts, const Options& options, Timing& timing) {
  Characters characters = shipped_characters(text, app.model);
  const bool chinese = fonts.has_chinese();
  if (!chinese) std::fprintf(stderr, "p2plab-gui: %s\n", text("gui.no_cjk_font").c_str());
  app.wanted.language = chinese ? options.language.value_or(content::language_from_environment()) : content::Language::en;
  app.wanted.theme = options.theme.value_or(report::Theme::dark);
  app.wanted.scale = options.scale.value_or(window.display_scale());
  float scale = app.wanted.scale;
  if (options.check_glyphs)
    for (const auto& folder : {app.session.installation().assets(), app.session.installation().demos(), app.session.installation().share() / "labs"}) add_files(characters, folder);
  fonts.build(scale, characters);
  timing.mark("fonts");
  if (options.check_glyphs) return check_glyphs(fonts, characters);
  set_up(app, options);
  if (!options.trace.empty()) trace::AtomicFile probe(options.trace);  // refused before anything runs; leaves nothing behind

  const launch::Interrupt interrupt;
  UserText user_text;
  Shot shot(options);
  int frames_due = 3;  // ImGui needs a frame or two to settle what an event has changed
  bool moving = false;
  double whole_at = 0;  // when all of the window was drawn last
  double drawn_at = 0;  // when the last frame was begun
  while (!window.wants_to_close() && !interrupt.asked() && !(shot.done() && options.exit)) {
    const bool live = app.session.running() || app.edit.state() == Edit::State::building;
    const bool checking = app.labs.model.checking();
    const bool busy = live || checking || app.lessons.reader.running() || app.proof.reader.running() || app.claims.reader.running() || moving || frames_due > 0 || (shot.wanted() && !shot.done());
    const double until_next = std::max(0.0, drawn_at + 1.0 / 60 - timing.seconds());
    if (window.wait(frames_due > 0 ? 0 : busy ? until_next : app.labs.model.watches() ? kWatchSeconds : 1.0)) frames_due = 3;
    const bool grown = app.session.poll();
    if (grown && !live) frames_due = std::max(frames_due, 1);
    if (live && !app.session.running()) {
      frames_due = 3;
      app.keep_run();
      keep_trace(app, options.trace);
    }
    if (app.edit.poll()) frames_due = 3;
    if (app.lessons.reader.poll()) frames_due = 3;
    if (app.labs.model.poll()) frames_due = 3;
    if (app.claims.reader.poll()) frames_due = 3;
    if (app.proof.reader.poll()) frames_due = 3;
    if (app.edit.take_built()) app.run_program(app.edit.program());
    for (const auto& file : window.take_dropped())
      if (file.extension() == ".jsonl") import_progress(text, app, file, timing.seconds());
      else app.open(file);

    if (user_text.extend(characters, app, text) || scale != app.wanted.scale) {
      scale = app.wanted.scale;
      window.replace_fonts([&] { fonts.build(scale, characters); });
      frames_due = 3;
    }
    if (!chinese) app.wanted.language = content::Language::en;
    if (text.language() != app.wanted.language) frames_due = 3;
    text.use(app.wanted.language);

    const bool shoot = shot.due(works(app), moving, timing.seconds());
    // While ranks run, only the timeline changes by itself; twice a second all is drawn, for durations, for what they
    // print, and to be seen alive while nothing is recorded.
    const bool beat = (live || checking) && timing.seconds() - whole_at > 0.5;
    // The clock of a card that is being answered goes on by itself, once a second.
    const bool clock = app.model.place == Place::drill && app.drill.phase() == DrillPhase::ask && timing.seconds() - drawn_at > 0.9;
    if (frames_due == 0 && !grown && !moving && !shoot && !beat && !clock && !(shot.wanted() && !shot.done() && !live && !checking)) continue;
    const bool whole = frames_due > 0 || !live || shoot || beat;
    if (whole) whole_at = timing.seconds();
    frames_due = std::max(0, frames_due - 1);

    drawn_at = timing.seconds();
    timing.frame_begins();
    const Theme theme(app.wanted.theme, scale);
    theme.apply();
    window.begin_frame(!shot.wanted() || shot.done());
    Ui ui{theme, fonts, text, window.take_keys(), app.wanted.motion, timing.seconds(), false};
    if (ImGui::GetIO().WantTextInput) std::erase_if(ui.keys, [](const KeyPress& press) { return press.key != GLFW_KEY_ESCAPE && press.key < GLFW_KEY_F1; });
    const auto asked = draw_shell(ui, app);
    moving = ui.moving;
    timing.frame_built();
    Picture picture;
    window.end_frame(theme.palette().ground, whole || asked.screenshot ? std::nullopt : asked.live,
                     shoot || asked.screenshot ? &picture : nullptr);
    timing.frame_ends(live);
    if (shoot) {
      shot.taken();
      if (!options.screenshot.empty()) write_png(options.screenshot, picture);
    }
    if (asked.screenshot) {
      try {
        const auto path = next_file(".png");
        write_png(path, picture);
        app.notice = text("gui.wrote", {{"file", path.string()}});
      } catch (const Error& error) {  // the window goes on
        app.notice = text(error);
      }
      app.notice_until = timing.seconds() + 3;
      frames_due = 2;
    }
    if (asked.quit) window.close();
  }
  break_off(app, options.trace);
  timing.report();
  if (interrupt.asked()) return 130;
  if (!options.exit) return 0;
  if (const auto& error = app.session.error()) {
    std::fprintf(stderr, "p2plab-gui: %s\n", text(*error).c_str());
    return 2;
  }
  return app.session.finished() ? check::exit_status(*app.session.result()) : 0;
}

int run(int argc, char** argv) {
  Timing timing;
  std::optional<content::Text> text;
  try {
    const auto installation = launch::Installation::find();
    text.emplace(installation.assets() / "text", content::language_from_environment());
    text->use(content::language_of(argc, argv));
    text->use_place("window");
    const Options options = parse_options(argc, argv, *text);
    if (options.bench_frame) return bench_frame(*text, options.json);
    std::vector<content::LeftOut> left_out;
    auto demos = check::load_demos(installation.demos(), &left_out);
    auto walkthroughs = load_walkthroughs(installation.assets() / "walkthroughs", &left_out);
    for (const auto& each : left_out) std::fprintf(stderr, "p2plab-gui: %s\n", (*text)(each.why).c_str());
    App app(installation, std::move(demos), std::move(walkthroughs), link_names(installation));
    if (!left_out.empty()) {
      app.notice = (*text)(left_out.front().why);
      app.notice_until = timing.seconds() + 10;
    }
    timing.mark("data");
    Window window(options.size, "P2P Lab", *text);
    timing.mark("window");
    Fonts fonts;
    return main_loop(window, app, *text, fonts, options, timing);
  } catch (const Error& error) {
    std::fprintf(stderr, "p2plab-gui: %s\n", text ? (*text)(error).c_str() : error.what());
    return error.exit_status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "p2plab-gui: %s\n", error.what());
    return 3;
  }
}

}  // namespace
}  // namespace p2plab::gui

int main(int argc, char** argv) { return p2plab::gui::run(argc, argv); }

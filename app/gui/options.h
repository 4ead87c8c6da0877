// The command line of p2plab-gui.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/app.h"
#include "app/gui/window.h"

namespace p2plab::gui {

struct Options {
  std::string demo;
  std::map<std::string, std::string> set;
  std::string backend, semantics, link, compute, walkthrough, tab, lesson, lab, place, card, claim;
  std::optional<int> ranks;
  std::optional<std::uint64_t> seed;
  bool strict = false, autorun = false;
  std::filesystem::path open, screenshot, trace, labs;
  std::optional<content::Language> language;
  std::optional<report::Theme> theme;
  std::optional<float> scale;
  Size size{1280, 800};
  bool when_done = false, exit = false, check_glyphs = false, bench_frame = false;
  std::string json;  ///< of --bench-frame
  std::optional<double> after;
};

/// Help and errors are in the language of `text`. Throws Error with exit status 2; ends the program itself after --help and
/// --version.
Options parse_options(int argc, char** argv, const content::Text& text);

}  // namespace p2plab::gui

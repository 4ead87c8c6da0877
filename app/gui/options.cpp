// Flags, by CLI11.
#include "app/gui/options.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace p2plab::gui {
namespace {

Size parse_size(const std::string& text) {
  Size out;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &out.width, &out.height, &rest) != 2 || out.width < 320 || out.height < 240 ||
      out.width > 16384 || out.height > 16384)
    throw Error("gui.bad_size", {{"value", text}});
  return out;
}

report::Theme parse_theme(const std::string& text) {
  if (text == "dark") return report::Theme::dark;
  if (text == "light") return report::Theme::light;
  throw Error("gui.bad_theme", {{"value", text}});
}

constexpr const char* kExamples = R"(Examples:
  p2plab-gui                                         the list of demos
  p2plab-gui --demo pipeline --autorun               run the 1F1B demo at once
  p2plab-gui --demo deadlock --set bytes=64K --lang zh
  p2plab-gui --walkthrough deadlock                  the guided tour
  p2plab-gui --open run.p2plab-trace                 look at a saved trace
  p2plab-gui --demo pipeline --autorun --when-done --screenshot shot.png --exit)";

}  // namespace

Options parse_options(int argc, char** argv) {
  CLI::App cli{"P2P Lab: the window. Runs real multi-rank programs and shows what each stream does.", "p2plab-gui"};
  cli.footer(kExamples);
  cli.set_version_flag("--version", "p2plab-gui " P2PLAB_VERSION);
  Options out;
  std::vector<std::string> set;
  std::string language, theme, size;
  float scale = 0;
  int ranks = 0;
  double after = 0;
  cli.add_option("--demo", out.demo, "Start at this demo")->type_name("ID");
  cli.add_option("--set", set, "Set a knob of the demo")->type_name("KNOB=VALUE");
  cli.add_option("--ranks", ranks, "Number of ranks");
  cli.add_option("--semantics", out.semantics, "mpi or nccl")->type_name("NAME");
  cli.add_flag("--strict", out.strict, "Every send waits for its receive");
  cli.add_flag("--autorun", out.autorun, "Run the demo at once");
  cli.add_option("--walkthrough", out.walkthrough, "Start this guided tour")->type_name("ID");
  cli.add_option("--tab", out.tab, "numbers, wait-for, bytes, log or code")->type_name("NAME");
  cli.add_option("--open", out.open, "Show a saved trace")->type_name("FILE");
  cli.add_option("--lang", language, "en or zh (default: from LANG)")->type_name("LANG");
  cli.add_option("--theme", theme, "dark or light")->type_name("THEME");
  cli.add_option("--scale", scale, "1.0 to 2.5 (default: the display's)");
  cli.add_option("--size", size, "Size of the window, 1280x800")->type_name("WxH");
  cli.add_option("--screenshot", out.screenshot, "Write a picture of the window (PNG)")->type_name("FILE");
  cli.add_flag("--when-done", out.when_done, "… once the run has ended");
  cli.add_option("--after", after, "… after so many seconds")->type_name("SECONDS");
  cli.add_flag("--exit", out.exit, "Then end");
  cli.add_flag("--check-glyphs", out.check_glyphs, "Only check that the fonts have every character of every text");
  cli.add_flag("--bench-frame", out.bench_frame, "Only measure a frame of the timeline, without a window (p2plab bench frame)");
  cli.add_option("--json", out.json, "… and write the numbers as JSON (- is the standard output)")->type_name("FILE");
  try {
    cli.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    std::exit(cli.exit(success));
  } catch (const CLI::ParseError& error) {
    throw Error("gui.usage", {{"what", error.what()}});
  }
  for (const auto& each : set) {
    const auto at = each.find('=');
    if (at == std::string::npos || at == 0) throw Error("run.bad_set", {{"value", each}});
    out.set[each.substr(0, at)] = each.substr(at + 1);
  }
  if (!language.empty()) out.language = content::parse_language(language);
  if (!theme.empty()) out.theme = parse_theme(theme);
  if (!size.empty()) out.size = parse_size(size);
  if (ranks) out.ranks = ranks;
  if (cli.count("--after")) out.after = after;
  if (cli.count("--scale")) {
    if (!(scale >= 1.0f && scale <= 2.5f)) throw Error("gui.bad_scale", {{"value", std::to_string(scale)}});
    out.scale = scale;
  }
  return out;
}

}  // namespace p2plab::gui

// Flags, by CLI11.
#include "app/gui/options.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <utility>
#include <memory>

#include "app/check/unknown.h"
#include "app/content/option_parser.h"
#include "app/content/refused.h"

namespace p2plab::gui {
namespace {

constexpr int kMostWidth = 7680, kMostHeight = 4320;

Size parse_size(const std::string& text) {
  Size out;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, out.width);
  const bool cross = width.ptr != end && *width.ptr == 'x';
  const auto height = cross ? std::from_chars(width.ptr + 1, end, out.height) : width;
  const auto bad = [](std::errc error) { return error == std::errc::invalid_argument; };
  if (!cross || height.ptr != end || bad(width.ec) || bad(height.ec)) throw Error("gui.bad_size", {{"value", text}});
  for (const auto& [error, number] : {std::pair(width.ec, &out.width), {height.ec, &out.height}})
    if (error == std::errc::result_out_of_range) *number = -1;
  if (out.width < kLeastWidth || out.height < kLeastHeight || out.width > kMostWidth || out.height > kMostHeight)
    throw Error("gui.size_out_of_range", {{"value", text}, {"least", fmt::format("{}x{}", kLeastWidth, kLeastHeight)}, {"most", fmt::format("{}x{}", kMostWidth, kMostHeight)}});
  return out;
}

report::Theme parse_theme(const std::string& text) {
  if (text == "dark") return report::Theme::dark;
  if (text == "light") return report::Theme::light;
  throw Error("gui.bad_theme", {{"value", text}});
}

/// What the parser refused, in one sentence that names what was probably meant.
Error usage_error(const CLI::App& cli, const CLI::ParseError& error) {
  const auto rest = cli.remaining();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !rest.empty()) {
    const std::string& word = rest.front();
    if (!word.starts_with("-")) return Error("usage.too_much", {{"value", word}, {"command", cli.get_name()}});
    std::vector<std::string> options;
    for (const CLI::Option* option : cli.get_options())
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    return check::unknown("usage.unknown_option", word, options, {{"command", cli.get_name()}});
  }
  TextRef said = content::refused(error.what(), cli.get_name());
  return Error(said.id, std::move(said.params));
}

}  // namespace

Options parse_options(int argc, char** argv, const content::Text& text) {
  CLI::App cli{text("gui-help.about"), "p2plab-gui"};
  cli.formatter(std::make_shared<content::HelpFormatter>(text));
  cli.footer(text("gui-help.examples"));
  cli.option_defaults()->group(text("help.options"));
  cli.set_help_flag("-h,--help", text("help.help"));
  cli.set_version_flag("--version", "p2plab-gui " P2PLAB_VERSION, text("help.version"));
  Options out;
  std::vector<std::string> set;
  std::string language, theme, size;
  float scale = 0;
  int ranks = 0;
  std::uint64_t seed = 1;
  double after = 0;
  cli.add_option("--demo", out.demo, text("gui-help.demo"))->type_name("ID");
  cli.add_option("--set", set, text("help.set"))->type_name("KNOB=VALUE");
  cli.add_option("--ranks", ranks, text("help.ranks"))->type_name("N");
  cli.add_option("--backend", out.backend, text("help.backend"))->type_name("sim|host|cuda|nccl");
  cli.add_option("--semantics", out.semantics, text("help.semantics"))->type_name("mpi|nccl");
  cli.add_option("--link", out.link, text("help.link"))->type_name("raw|PRESET");
  cli.add_option("--compute", out.compute, text("help.compute"))->type_name("paced|real");
  cli.add_option("--seed", seed, text("help.seed"))->type_name("N");
  cli.add_flag("--strict", out.strict, text("help.strict"));
  cli.add_flag("--autorun", out.autorun, text("gui-help.autorun"));
  cli.add_option("--walkthrough", out.walkthrough, text("gui-help.walkthrough"))->type_name("ID");
  cli.add_option("--lesson", out.lesson, text("gui-help.lesson"))->type_name("ID");
  cli.add_option("--lab", out.lab, text("gui-help.lab"))->type_name("ID");
  cli.add_option("--labs", out.labs, text("help.labs_dir"))->type_name("DIR");
  cli.add_option("--tab", out.tab, text("gui-help.tab"))->type_name("NAME");
  cli.add_option("--place", out.place, text("gui-help.place"))->type_name("NAME");
  cli.add_option("--card", out.card, text("gui-help.card"))->type_name("ID");
  cli.add_option("--claim", out.claim, text("gui-help.claim"))->type_name("ID");
  cli.add_option("--open", out.open, text("gui-help.open"))->type_name("FILE");
  cli.add_option("--lang", language, text("help.lang"))->type_name("zh|en");
  cli.add_option("--theme", theme, text("gui-help.theme"))->type_name("dark|light");
  cli.add_option("--scale", scale, text("gui-help.scale"))->type_name("X");
  cli.add_option("--size", size, text("gui-help.size"))->type_name("WxH");
  cli.add_option("--screenshot", out.screenshot, text("gui-help.screenshot"))->type_name("FILE");
  cli.add_option("--trace", out.trace, text("gui-help.trace"))->type_name("FILE");
  cli.add_flag("--when-done", out.when_done, text("gui-help.when_done"));
  cli.add_option("--after", after, text("gui-help.after"))->type_name("SECONDS");
  cli.add_flag("--exit", out.exit, text("gui-help.exit"));
  cli.add_flag("--check-glyphs", out.check_glyphs, text("gui-help.check_glyphs"));
  cli.add_flag("--bench-frame", out.bench_frame, text("gui-help.bench_frame"));
  cli.add_option("--json", out.json, text("gui-help.json"))->type_name("FILE|-");
  try {
    cli.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    std::exit(cli.exit(success));
  } catch (const CLI::ParseError& error) {
    throw usage_error(cli, error);
  }
  if (!set.empty() && out.demo.empty()) throw Error("gui.set_of_what", {{"value", set.front()}});
  for (const auto& each : set) {
    const auto at = each.find('=');
    if (at == std::string::npos || at == 0) throw Error("run.bad_set", {{"value", each}});
    out.set[each.substr(0, at)] = each.substr(at + 1);
  }
  if (!language.empty()) out.language = content::parse_language(language);
  if (!theme.empty()) out.theme = parse_theme(theme);
  if (!size.empty()) out.size = parse_size(size);
  if (ranks) out.ranks = ranks;
  if (cli.count("--seed")) out.seed = seed;
  if (cli.count("--after")) out.after = after;
  if (cli.count("--scale")) {
    if (!(scale >= 1.0f && scale <= 2.5f)) throw Error("gui.bad_scale", {{"value", std::to_string(scale)}});
    out.scale = scale;
  }
  return out;
}

}  // namespace p2plab::gui

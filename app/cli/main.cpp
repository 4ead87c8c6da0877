// p2plab: the lab without a window.
#include <cstdio>
#include <iostream>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/parse.h"

namespace p2plab::cli {

namespace {

/// Help is written in the language asked for, so --lang is looked for before anything is parsed.
content::Language language_of(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--lang" && i + 1 < argc) return content::parse_language(argv[i + 1]);
    if (word.starts_with("--lang=")) return content::parse_language(word.substr(7));
  }
  return content::language_from_environment();
}

void add_all(CLI::App& app, Context& context, std::string& language) {
  app.get_formatter()->label("Usage", context("help.usage"));
  app.get_formatter()->label("OPTIONS", context("help.options_mark"));
  app.get_formatter()->label("SUBCOMMAND", context("help.subcommand_mark"));
  app.get_formatter()->label("SUBCOMMANDS", context("help.subcommand_mark"));
  app.get_formatter()->label("REQUIRED", context("help.required"));
  app.get_formatter()->label("Positionals", context("help.positionals"));
  app.get_formatter()->column_width(34);
  app.option_defaults()->group(context("help.options"));
  app.fallthrough();  // global options may stand after the subcommand
  app.set_help_flag("-h,--help", context("help.help"))->group(context("help.options"));
  app.set_version_flag("--version", "p2plab " P2PLAB_VERSION, context("help.version"));
  app.add_option("--lang", language, context("help.lang"))->type_name("zh|en");
  app.footer(context("help.examples"));
  app.require_subcommand(0, 1);
  add_run(app, context);
  add_demos(app, context);
  add_sim(app, context);
  add_schedules(app, context);
  add_links(app, context);
  add_doctor(app, context);
  add_verify(app, context);
  add_cc(app, context);
  add_bench(app, context);
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command->group(context("help.commands"));
  }
}

int parse_and_act(int argc, char** argv, Context& context) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "cc" || first == "c++") return compile_for_verify(context.installation, first == "c++", {argv + 2, argv + argc});
  CLI::App app(context("help.about"), "p2plab");
  std::string language;
  add_all(app, context, language);
  try {
    app.parse(command_line(argc, argv));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version
      if (const auto mistake = misplaced_help(app)) throw *mistake;
      const std::string below = context.below_help ? context.below_help() : std::string();
      const int status = app.exit(error);
      std::cout << below;
      return status;
    }
    throw usage_error(app, error);
  }
  if (!context.action) {
    std::cerr << app.help();
    return 2;
  }
  return context.action();
}

/// What was said on stdout has arrived, or it is an error that nobody would see otherwise.
void require_stdout() {
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw Error("usage.stdout_lost");
}

}  // namespace

}  // namespace p2plab::cli

int main(int argc, char** argv) {
  using namespace p2plab;
  std::optional<cli::Context> context;
  try {
    const auto installation = launch::Installation::find();
    context.emplace(cli::Context{installation, content::Text(installation.assets() / "text"), {}, {}});
    context->text.use(content::language_from_environment());
    context->text.use(cli::language_of(argc, argv));
    const int status = cli::parse_and_act(argc, argv, *context);
    cli::require_stdout();
    return status;
  } catch (const Error& error) {
    std::cerr << "p2plab: " << (context ? context->text(error) : std::string(error.what())) << "\n";
    return error.exit_status();
  } catch (const std::exception& error) {
    std::cerr << "p2plab: " << error.what() << "\n";
    return 3;
  }
}

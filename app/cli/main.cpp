// p2plab: the lab without a window.
#include <cstdio>
#include <iostream>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/parse.h"
#include "app/content/option_parser.h"

namespace p2plab::cli {

namespace {

void add_all(CLI::App& app, Context& context, std::string& language) {
  app.formatter(std::make_shared<content::HelpFormatter>(context.text));
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
  add_lessons(app, context);
  add_claims(app, context);
  add_claim(app, context);
  add_doctor(app, context);
  add_verify(app, context);
  add_cc(app, context);
  add_cards(app, context);
  add_drill(app, context);
  add_mock(app, context);
  add_labs(app, context);
  add_start(app, context);
  add_check(app, context);
  add_watch(app, context);
  add_hint(app, context);
  add_lab(app, context);
  add_bench(app, context);
  content::settle_help(app, context.text);
}

int parse_and_act(int argc, char** argv, Context& context) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  const bool asks_us = argc == 3 && std::string_view(argv[2]) == "--help";  // more words are the compiler's
  if ((first == "cc" || first == "c++") && !asks_us) return compile_for_verify(context.installation, first == "c++", {argv + 2, argv + argc});
  CLI::App app(context("help.about"), "p2plab");
  std::string language;
  add_all(app, context, language);
  const auto words = command_line(argc, argv);
  try {
    app.parse(std::vector<std::string>(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version
      if (const auto mistake = misplaced_help(app)) throw *mistake;
      const std::string below = context.below_help ? context.below_help() : std::string();
      const int status = app.exit(error);
      std::cout << below;
      return status;
    }
    throw usage_error(app, error, words);
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
    context->text.use(content::language_of(argc, argv));
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

// p2plab lessons: what there is to read. p2plab lesson ID: read it here, its live blocks run in place.
#include "app/content/lesson.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/cli/show_lesson.h"
#include "app/report/terminal_document.h"
#include "app/report/utf8.h"

namespace p2plab::cli {

namespace {

using nlohmann::ordered_json;

ordered_json lesson_twin(const content::Twin& twin) { return {{"en", twin.en}, {"zh", twin.zh}}; }

void print_lesson(const Context& context, const content::Lesson& lesson, const report::Terminal& terminal) {
  const auto language = context.text.language();
  std::cout << coloured(lesson.id, report::Ink::accent, terminal, true) << "  " << lesson.title.in(language) << "  "
            << coloured(context("lesson.minutes", {{"n", std::to_string(lesson.minutes)}}), report::Ink::muted, terminal) << "\n";
  content::Block block;
  block.inlines.push_back({lesson.summary.in(language), content::Inline::plain, ""});
  std::cout << report::terminal_block(block, context.text, terminal, 4);
}

}  // namespace

void add_lessons(CLI::App& app, Context& context) {
  auto json = std::make_shared<std::string>();
  CLI::App* list = app.add_subcommand("lessons", context("help.lessons"));
  list->add_option("--json", *json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  list->footer(context("help.lessons_examples"));
  list->callback([&context, json] {
    context.action = [&context, json] {
      const report::Terminal terminal = report::terminal(1);
      ordered_json out = ordered_json::array();
      for (const content::Lesson& lesson : content::load_lessons(context.installation.assets() / "lessons")) {
        if (json->empty()) print_lesson(context, lesson, terminal);
        ordered_json torch = ordered_json::array();
        for (const auto& file : content::torch_files(lesson)) torch.push_back(file.filename().string());
        out.push_back({{"id", lesson.id}, {"title", lesson_twin(lesson.title)}, {"summary", lesson_twin(lesson.summary)}, {"minutes", lesson.minutes}, {"torch", std::move(torch)}});
      }
      write_json(*json, {{"schema", "p2plab.lessons/1"}, {"lessons", std::move(out)}});
      return 0;
    };
  });

  auto id = std::make_shared<std::string>();
  auto no_run = std::make_shared<bool>(false);
  CLI::App* read = app.add_subcommand("lesson", context("help.lesson"));
  read->add_option("ID", *id, context("help.lesson_id"));
  read->add_flag("--no-run", *no_run, context("help.lesson_no_run"));
  read->footer(context("help.lesson_examples"));
  read->callback([&context, id, no_run] {
    context.action = [&context, id, no_run] {
      const auto lessons = content::load_lessons(context.installation.assets() / "lessons");
      return read_lesson(context, lessons, content::find_lesson(lessons, *id), {.run = !*no_run});
    };
  });
}

}  // namespace p2plab::cli

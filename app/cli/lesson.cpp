// p2plab lessons: what there is to read. p2plab lesson ID: read it here, its live blocks run in place.
#include "app/content/lesson.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/contents.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/cli/show_lesson.h"
#include "app/content/nearest.h"
#include "app/content/reading_log.h"
#include "app/report/terminal_document.h"
#include "app/report/utf8.h"
#include "app/trace/error.h"

namespace p2plab::cli {

namespace {

using nlohmann::ordered_json;

/// "read 2026-12-01, 3 of 4 predicted right", as far as it goes.
std::string reading_words(const Context& context, const content::ReadLesson& state) {
  std::string out = state.read ? context("lesson.read_on", {{"day", content::to_string(*state.read)}}) : "";
  if (state.predicted > 0) out += (out.empty() ? "" : "  ") + context("lesson.foreseen", {{"n", std::to_string(state.right)}, {"all", std::to_string(state.predicted)}});
  return out;
}

void print_lesson(const Context& context, const content::Lesson& lesson, const content::ReadLesson& state, const report::Terminal& terminal) {
  const auto language = context.text.language();
  std::cout << coloured(lesson.id, report::Ink::accent, terminal, true) << "  " << lesson.title.in(language) << "  "
            << coloured(context("lesson.minutes", {{"n", std::to_string(lesson.minutes)}}), report::Ink::muted, terminal);
  if (const std::string words = reading_words(context, state); !words.empty()) std::cout << "  " << coloured(words, report::Ink::good, terminal);
  std::cout << "\n";
  content::Block block;
  block.inlines.push_back({lesson.summary.in(language), content::Inline::plain, ""});
  std::cout << report::terminal_block(block, context.text, terminal, 4);
}

std::string known_lessons(const std::vector<content::Lesson>& lessons) {
  std::vector<std::string> out;
  for (const content::Lesson& lesson : lessons) out.push_back(lesson.id);
  return content::join(out);
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
      content::ReadingLog log;
      std::vector<content::LeftOut> broken;
      for (const content::Lesson& lesson : usable_lessons(context, {}, &broken)) {
        const auto state = log.state(lesson.id);
        if (json->empty()) print_lesson(context, lesson, state, terminal);
        ordered_json torch = ordered_json::array();
        for (const auto& file : content::torch_files(lesson)) torch.push_back(file.filename().string());
        out.push_back({{"id", lesson.id}, {"title", twin_json(lesson.title)}, {"summary", twin_json(lesson.summary)}, {"minutes", lesson.minutes}, {"torch", std::move(torch)},
                       {"read", state.read ? ordered_json(content::to_string(*state.read)) : ordered_json(nullptr)}, {"predicted", state.predicted}, {"predicted_right", state.right}});
      }
      write_json(*json, {{"schema", "p2plab.lessons/1"}, {"lessons", std::move(out)}, {"broken", left_out_json(context, broken)}});
      return broken.empty() ? 0 : 2;
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
      const auto lessons = usable_lessons(context, *id);
      if (id->empty()) throw Error("lesson.which", {{"known", known_lessons(lessons)}});
      return read_lesson(context, lessons, content::find_lesson(lessons, *id), {.run = !*no_run});
    };
  });
}

}  // namespace p2plab::cli

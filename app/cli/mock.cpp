// p2plab mock: an interview of 25 minutes, and its report.
#include <fmt/format.h>
#include <iostream>
#include <memory>

#include "app/cli/ask_card.h"
#include "app/cli/commands.h"
#include "app/cli/contents.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/content/deck.h"
#include "app/content/mock.h"
#include "app/content/progress.h"
#include "app/report/mock_report.h"
#include "app/trace/atomic_file.h"

namespace p2plab::cli {

namespace {

struct MockOptions {
  std::uint64_t seed = 1;
  double minutes = 25;
  std::string html, markdown;
};

int mock(Context& context, const MockOptions& options) {
  const content::Cards cards = usable_cards(context);
  Answers answers;
  if (answers.nothing()) throw Error("drill.no_terminal");
  begin_results({options.html, options.markdown});
  AskCard asker(context, answers, cards, report::saved_runs(content::kept_runs(), context.installation.demos()), options.seed);
  content::Progress progress;
  content::Mock interview(cards, options.seed, options.minutes);
  asker.say(context("mock.begin", {{"minutes", fmt::format("{:g}", options.minutes)}, {"seed", std::to_string(options.seed)}}));
  std::string lost;
  while (const content::Card* card = interview.next()) {
    const int depth = interview.asked().back().depth;
    const auto attempt = asker.ask(*card, depth == 0 ? fmt::format("[{:.0f}:00/{:g}:00]", interview.minutes_gone(), options.minutes) : context("drill.follow_up"));
    if (!attempt) break;
    interview.answered(*attempt, attempt->seconds);
    const auto& grade = interview.asked().back().grade;
    asker.say(context("drill.grade", {{"letter", std::string(1, grade.letter)}, {"score", fmt::format("{:.0f} %", grade.score * 100)}}), grade.good() ? report::Ink::good : report::Ink::unsure);
    try {
      progress.append(review_record(*card, *attempt, grade, "mock", context.text.language()));
    } catch (const Error& error) {
      lost = context("progress.not_saved", {{"why", context.text(error)}});
    }
  }
  if (!lost.empty()) asker.say(lost, report::Ink::bad);
  std::cout << "\n" << report::mock_markdown(interview, cards, context.text);
  std::cout << "\n";
  do_each({file_part(context, std::cout, options.markdown, [&] { trace::write_file(options.markdown, report::mock_markdown(interview, cards, context.text)); }),
           file_part(context, std::cout, options.html, [&] { trace::write_file(options.html, report::mock_html(interview, cards, context.text)); })});
  return answers.interrupted() ? 130 : 0;
}

}  // namespace

void add_mock(CLI::App& app, Context& context) {
  auto options = std::make_shared<MockOptions>();
  CLI::App* command = app.add_subcommand("mock", context("help.mock"));
  command->add_option("--seed", options->seed, context("help.seed"))->type_name("N");
  command->add_option("--minutes", options->minutes, context("help.mock_minutes"))->type_name("N")->check(CLI::Range(1.0, 180.0));
  command->add_option("--html", options->html, context("help.mock_html"))->type_name("FILE")->check(file_name(context));
  command->add_option("--markdown", options->markdown, context("help.mock_markdown"))->type_name("FILE")->check(file_name(context));
  command->footer(context("help.mock_examples"));
  command->callback([&context, options] { context.action = [&context, options] { return mock(context, *options); }; });
}

}  // namespace p2plab::cli

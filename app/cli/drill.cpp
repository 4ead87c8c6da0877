// p2plab drill: the cards that are due, one after another, with follow-ups by what an answer lacks.
#include <fmt/format.h>
#include <iostream>
#include <memory>

#include "app/cli/ask_card.h"
#include "app/cli/card_exports.h"
#include "app/cli/commands.h"
#include "app/cli/contents.h"
#include "app/cli/parse.h"
#include "app/cli/show_sim.h"
#include "app/content/deck.h"
#include "app/content/progress.h"
#include "app/report/mock_report.h"

namespace p2plab::cli {

namespace {

using content::Card;
using content::Day;

struct DrillOptions {
  std::string topic, date;
  double minutes = 20;
  std::uint64_t seed = 1;
  CardExports exports;
};

/// Writes a record, or says once why it could not.
class Saver {
 public:
  Saver(const Context& context, const AskCard& asker) : context_(context), asker_(asker) {}
  void save(content::Progress::Record record) {
    try {
      progress_.append(std::move(record));
    } catch (const Error& error) {
      if (!warned_) asker_.say(context_("progress.not_saved", {{"why", context_.text(error)}}), report::Ink::bad);
      warned_ = true;
    }
  }

 private:
  const Context& context_;
  const AskCard& asker_;
  content::Progress progress_;
  bool warned_ = false;
};

/// The follow-up that the heaviest missing point leads to.
const Card* follow_up_of(const content::Cards& cards, const Card& card, const content::Grade& grade) {
  for (const std::size_t point : grade.missed)
    if (!card.points[point].ask.empty()) return cards.find(card.points[point].ask);
  return nullptr;
}

void show_calibration(const Context& context, const AskCard& asker, const content::Deck& deck) {
  if (deck.calibration().empty()) return;
  std::vector<std::vector<std::string>> rows{{context("drill.confidence"), context("drill.answers"), context("drill.right")}};
  for (const auto& row : deck.calibration())
    rows.push_back({fmt::format("{} %", row.confidence), std::to_string(row.answers), fmt::format("{:.0f} %", 100.0 * row.right / row.answers)});
  asker.say("\n" + context("drill.calibration"), report::Ink::accent);
  std::cout << table(rows);
}

/// How many cards come now, out of what, and why not all of it.
std::string plan_words(const Context& context, const content::Plan& plan, const DrillOptions& options) {
  const auto n = static_cast<int>(plan.cards.size());
  const char* id = plan.due + plan.fresh == 0 ? "drill.plan_ahead" : n == plan.due + plan.fresh ? "drill.plan" : plan.cut ? "drill.plan_cut" : "drill.plan_kin";
  const std::string words = context(id, {{"n", std::to_string(n)}, {"due", std::to_string(plan.due)}, {"fresh", std::to_string(plan.fresh)}, {"minutes", fmt::format("{:g}", options.minutes)}});
  return context("drill.plan_and_keys", {{"plan", words}, {"keys", context("drill.plan_keys", {{"seed", std::to_string(options.seed)}})}});
}

int drill(Context& context, const DrillOptions& options) {
  if (const auto status = carry_out(context, options.exports)) return *status;
  const content::Cards cards = usable_cards(context);
  content::Progress progress;
  content::PlanOptions wanted{options.topic, options.minutes, {}, options.seed, content::today()};
  if (options.date.empty()) {
    wanted.interview = content::interview_of(progress.records(), wanted.today);
  } else if (options.date != "none") {
    wanted.interview = content::parse_day(options.date);
    if (!wanted.interview) throw Error("drill.bad_date", {{"value", options.date}});
  }
  const auto plan = content::Deck(cards, progress.records()).plan(wanted);

  Answers answers;
  if (answers.nothing()) throw Error("drill.no_terminal");
  AskCard asker(context, answers, cards, report::saved_runs(content::kept_runs(), context.installation.demos()), options.seed);
  Saver saver(context, asker);
  if (!options.date.empty()) saver.save(content::interview_record(wanted.interview));
  if (!plan.cards.empty()) asker.say(plan_words(context, plan, options));
  for (const Card* card : plan.leeches) {
    asker.say(context("drill.leech", {{"n", std::to_string(content::kLeechLapses)}, {"question", card->question.in(context.text.language())}, {"command", report::shell_words(report::leech_evidence(*card).command())}}), report::Ink::unsure);
    if (!answers.terminal()) continue;
    std::cout << context("drill.ask_leech") << " " << std::flush;
    const auto key = answers.key();
    std::cout << "\n";
    if (!key) return answers.interrupted() ? 130 : 0;
    if (*key != "p" && *key != "P") continue;
    asker.prove(*card, report::leech_evidence(*card));
    saver.save(proved_record(*card));
  }
  if (plan.cards.empty()) {
    asker.say(context("drill.nothing_due"));
    return 0;
  }
  int done = 0;
  std::vector<std::string> asked;
  for (std::size_t i = 0; i < plan.cards.size() && !asker.quit(); ++i) {
    const Card* card = plan.cards[i];
    for (int depth = 0; card != nullptr && depth <= 3; ++depth) {
      if (std::find(asked.begin(), asked.end(), card->id) != asked.end()) break;
      asked.push_back(card->id);
      const std::string heading = depth == 0 ? fmt::format("[{}/{}]", i + 1, plan.cards.size()) : context("drill.follow_up");
      const auto attempt = asker.ask(*card, heading);
      if (!attempt) break;
      const auto grade = content::grade(*card, *attempt);
      saver.save(review_record(*card, *attempt, grade, "drill", context.text.language()));
      ++done;
      const content::Deck now(cards, progress.records());
      const auto due = now.due(*card, wanted.interview, wanted.today);
      std::string next;
      if (now.state(*card).memory && due) next = context("drill.next_on", {{"day", content::to_string(*due)}});
      if (asker.show_grade(*card, grade, next)) saver.save(proved_record(*card));
      card = asker.quit() ? nullptr : follow_up_of(cards, *card, grade);
    }
  }
  const content::Deck after(cards, progress.records());
  show_calibration(context, asker, after);
  asker.say("\n" + context("drill.done", {{"n", std::to_string(done)}, {"file", progress.file().string()}}));
  if (wanted.interview) {
    std::string load;
    for (const int count : after.load(wanted.today, std::min(14, static_cast<int>((*wanted.interview - wanted.today).count())), wanted.interview, wanted.today)) load += (load.empty() ? "" : " ") + std::to_string(count);
    if (!load.empty()) asker.say(context("drill.load", {{"load", load}, {"day", content::to_string(*wanted.interview)}}), report::Ink::muted);
  }
  return answers.interrupted() ? 130 : 0;
}

}  // namespace

void add_drill(CLI::App& app, Context& context) {
  auto options = std::make_shared<DrillOptions>();
  CLI::App* command = app.add_subcommand("drill", context("help.drill"));
  command->add_option("--topic", options->topic, context("help.drill_topic"))->type_name("ID");
  command->add_option("--minutes", options->minutes, context("help.drill_minutes"))->type_name("N")->check(CLI::Range(1.0, 600.0));
  command->add_option("--date", options->date, context("help.drill_date"))->type_name("YYYY-MM-DD");
  command->add_option("--seed", options->seed, context("help.seed"))->type_name("N");
  add_card_exports(*command, context, options->exports);
  command->footer(context("help.drill_examples"));
  command->callback([&context, options] { context.action = [&context, options] { return drill(context, *options); }; });
}

}  // namespace p2plab::cli

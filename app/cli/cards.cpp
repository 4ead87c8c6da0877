// p2plab cards: what is drilled, with when each card comes next.
#include <iostream>
#include <memory>

#include "app/cli/card_exports.h"
#include "app/cli/commands.h"
#include "app/cli/contents.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/content/deck.h"
#include "app/content/progress.h"
#include "app/report/mock_report.h"

namespace p2plab::cli {

namespace {

using nlohmann::ordered_json;
using content::Card;

ordered_json card_json(const Card& card, const content::CardState& state) {
  ordered_json points = ordered_json::array(), evidence = ordered_json::array(), fatal = ordered_json::array();
  for (const auto& point : card.points) {
    ordered_json one = twin_json(point.text);
    one["weight"] = point.weight;
    one["ask"] = point.ask.empty() ? ordered_json(nullptr) : ordered_json(point.ask);
    points.push_back(std::move(one));
  }
  for (const auto& each : card.fatal) fatal.push_back(twin_json(each));
  for (const auto& each : card.evidence) evidence.push_back({{"kind", each.kind}, {"target", each.target}, {"command", report::shell_words(each.command())}});
  ordered_json out{{"id", card.id}, {"topic", card.topic}, {"kind", to_string(card.kind)}, {"question", twin_json(card.question)}, {"answer", twin_json(card.answer)}, {"says", twin_json(card.says)},
                   {"points", points}, {"fatal", fatal}, {"evidence", evidence}, {"source", card.source}, {"sentences", card.sentences}, {"sections", card.sections}};
  if (card.kind == content::CardKind::predict)
    out["predict"] = {{"value", card.prediction.value}, {"unit", card.prediction.unit}, {"tolerance", card.prediction.tolerance},
                      {"command", card.prediction.command.empty() ? ordered_json(nullptr) : ordered_json(report::shell_words(card.prediction.command))},
                      {"formula", card.prediction.formula.empty() ? ordered_json(nullptr) : ordered_json(card.prediction.formula)}};
  if (card.kind == content::CardKind::true_false) out["holds"] = card.holds;
  out["state"] = {{"reviews", state.reviews}, {"lapses", state.lapses}, {"grade", state.letter == 0 ? ordered_json(nullptr) : ordered_json(std::string(1, state.letter))},
                  {"due", state.memory ? ordered_json(content::to_string(state.due)) : ordered_json(nullptr)}};
  return out;
}

}  // namespace

void add_cards(CLI::App& app, Context& context) {
  struct Options {
    std::string json, topic;
    CardExports exports;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("cards", context("help.cards"));
  command->add_option("--topic", options->topic, context("help.drill_topic"))->type_name("ID");
  command->add_option("--json", options->json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  add_card_exports(*command, context, options->exports);
  command->footer(context("help.cards_examples"));
  command->callback([&context, options] {
    context.action = [&context, options] {
      if (const auto status = carry_out(context, options->exports)) return *status;
      std::vector<content::LeftOut> broken;
      const content::Cards cards = usable_cards(context, &broken);
      const content::Deck deck(cards, content::Progress().records());
      if (!options->topic.empty()) deck.plan({options->topic, 0, {}, 1, content::today()});  // refuses a topic that is none
      ordered_json list = ordered_json::array();
      std::ostream& out = people(options->json);
      for (const auto& topic : cards.topics()) {
        if (!options->topic.empty() && topic.id != options->topic) continue;
        if (options->json.empty()) out << topic.id << "  " << topic.title.in(context.text.language()) << "\n";
        for (const Card& card : cards.all()) {
          if (card.topic != topic.id) continue;
          const auto& state = deck.state(card);
          list.push_back(card_json(card, state));
          if (!options->json.empty()) continue;
          out << "    " << (state.letter == 0 ? '-' : state.letter) << "  " << card.id << "  " << card.question.in(context.text.language()) << "\n";
        }
      }
      write_json(options->json, {{"schema", "p2plab.cards/1"}, {"cards", std::move(list)}, {"broken", left_out_json(context, broken)}});
      return broken.empty() ? 0 : 2;
    };
  });
}

}  // namespace p2plab::cli

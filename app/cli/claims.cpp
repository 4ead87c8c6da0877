// p2plab claims: what is said about point-to-point communication, and whether it holds.
#include <iostream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/contents.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/content/claim.h"
#include "app/report/terminal_document.h"

namespace p2plab::cli {

namespace {

using nlohmann::ordered_json;

ordered_json claim_json(const content::Claim& claim) {
  return {{"id", claim.id},           {"topic", claim.topic},       {"claim", twin_json(claim.claim)},
          {"who", claim.who},         {"sections", claim.sections}, {"sentences", claim.sentences},
          {"verdict", to_string(claim.verdict)}, {"declared", to_string(claim.declared())}, {"better", twin_json(claim.better)},
          {"sources", claim.sources}};
}

void print_claims(const Context& context, const content::Claims& claims) {
  const report::Terminal terminal = report::terminal(1);
  const auto language = context.text.language();
  for (const auto& topic : claims.topics()) {
    std::cout << report::coloured(topic.title.in(language), report::Ink::muted, terminal, true) << "\n";
    for (const content::Claim& claim : claims.all()) {
      if (claim.topic != topic.id) continue;
      std::cout << "  " << report::coloured(claim.id, report::Ink::accent, terminal, true) << "  "
                << context("claim.verdict_" + std::string(to_string(claim.verdict))) << "\n";
      content::Block block;
      block.inlines.push_back({claim.claim.in(language), content::Inline::plain, ""});
      std::cout << report::terminal_block(block, context.text, terminal, 4);
    }
  }
}

}  // namespace

void add_claims(CLI::App& app, Context& context) {
  auto json = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("claims", context("help.claims"));
  command->add_option("--json", *json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->footer(context("help.claims_examples"));
  command->callback([&context, json] {
    context.action = [&context, json] {
      std::vector<content::LeftOut> broken;
      const content::Claims claims = usable_claims(context, {}, &broken);
      if (json->empty()) print_claims(context, claims);
      ordered_json out = ordered_json::array();
      for (const content::Claim& claim : claims.all()) out.push_back(claim_json(claim));
      write_json(*json, {{"schema", "p2plab.claims/1"}, {"claims", std::move(out)}, {"broken", left_out_json(context, broken)}});
      return broken.empty() ? 0 : 2;
    };
  });
}

}  // namespace p2plab::cli

// p2plab claim show ID: a claim, its verdict, the better sentence, and where to look.
#include <unistd.h>

#include <iostream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/contents.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/cli/show_claim.h"

namespace p2plab::cli {

void add_claim_show(CLI::App& group, Context& context) {
  auto id = std::make_shared<std::string>(), json = std::make_shared<std::string>();
  CLI::App* command = group.add_subcommand("show", context("help.claim_show"));
  command->footer(context("help.claim_show_examples"));
  command->add_option("ID", *id, context("help.claim_id"))->required();
  command->add_option("--json", *json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->callback([&context, id, json] {
    context.action = [&context, id, json] {
      const content::Claims claims = usable_claims(context, *id);
      const content::Claim& claim = claims.at(*id);
      print_claim(context, claim, content::load_sources(context.installation.assets() / "sources.toml"), people(*json), *json == "-" ? STDERR_FILENO : STDOUT_FILENO);
      write_json(*json, claim_details(claim));
      return 0;
    };
  });
}

}  // namespace p2plab::cli

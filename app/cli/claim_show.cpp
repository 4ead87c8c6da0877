// p2plab claim show ID: a claim, its verdict, the better sentence, and where to look.
#include <unistd.h>

#include <iostream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/show_claim.h"

namespace p2plab::cli {

void add_claim_show(CLI::App& group, Context& context) {
  auto id = std::make_shared<std::string>();
  CLI::App* command = group.add_subcommand("show", context("help.claim_show"));
  command->add_option("ID", *id, context("help.claim_id"))->required();
  command->callback([&context, id] {
    context.action = [&context, id] {
      const content::Claims claims(context.installation.assets() / "claims");
      print_claim(context, claims.at(*id), content::load_sources(context.installation.assets() / "sources.toml"), std::cout, STDOUT_FILENO);
      return 0;
    };
  });
}

}  // namespace p2plab::cli

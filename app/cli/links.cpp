// p2plab links: the emulated links, and where their numbers come from.
#include "app/check/links.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"

namespace p2plab::cli {

using nlohmann::ordered_json;

void add_links(CLI::App& app, Context& context) {
  auto json = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("links", context("help.links"));
  command->add_option("--json", *json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->footer(context("help.links_examples"));
  command->callback([&context, json] {
    context.action = [&context, json] {
      const bool zh = context.text.language() == content::Language::zh;
      ordered_json list = ordered_json::array();
      if (json->empty()) std::cout << context("links.raw") << "\n";
      for (const check::Link& link : check::load_links(context.installation.assets() / "links.toml")) {
        list.push_back({{"id", link.id}, {"title", twin_json(link.title)}, {"alpha_ns", link.alpha_ns},
                        {"beta_bytes_per_s", link.bytes_per_s}, {"n_half_bytes", link.n_half_bytes()}, {"source", link.source}});
        if (!json->empty()) continue;
        std::cout << fmt::format("{:<14} α = {:>8.1f} µs   β = {:>7.2f} GB/s   n½ = {:>9.1f} KiB   {}\n{:14} {}\n", link.id,
                                 static_cast<double>(link.alpha_ns) / 1e3, link.bytes_per_s / 1e9, link.n_half_bytes() / 1024,
                                 zh ? link.title.zh : link.title.en, "", link.source);
      }
      write_json(*json, {{"schema", "p2plab.links/1"}, {"links", std::move(list)}});
      return 0;
    };
  });
}

}  // namespace p2plab::cli

// p2plab schedules: what `p2plab sim` can run, in the order in which it is taught.
#include <fmt/format.h>

#include <iostream>
#include <map>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/schedule/generator.h"

namespace p2plab::cli {

using nlohmann::ordered_json;

void add_schedules(CLI::App& app, Context& context) {
  auto json = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("schedules", context("help.schedules"));
  command->add_option("--json", *json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->footer(context("help.schedules_examples"));
  command->callback([&context, json] {
    context.action = [&context, json] {
      ordered_json list = ordered_json::array();
      for (const schedule::Generator& generator : schedule::generators()) {
        // A schedule that somebody has just added may have no line yet.
        const std::string id = "schedules." + std::string(generator.id);
        const std::map<content::Language, std::string> none{{content::Language::en, "–"}, {content::Language::zh, "–"}};
        const auto& about = context.text.has(id) ? context.text.all().find(id)->second : none;
        list.push_back({{"id", generator.id},
                        {"title", {{"en", about.at(content::Language::en)}, {"zh", about.at(content::Language::zh)}}},
                        {"chunks", generator.chunks},
                        {"min_chunks", generator.min_chunks},
                        {"max_chunks", generator.max_chunks},
                        {"splits_backward", generator.splits},
                        {"takes_memory_limit", generator.takes_limit},
                        {"microbatches_multiple_of_stages", generator.needs_multiple},
                        {"streams", generator.fill != nullptr}});
        if (json->empty()) std::cout << fmt::format("{:<18} {}\n", generator.id, about.at(context.text.language()));
      }
      write_json(*json, {{"schema", "p2plab.schedules/1"}, {"schedules", std::move(list)}});
      return 0;
    };
  });
}

}  // namespace p2plab::cli

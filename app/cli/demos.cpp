// p2plab demos: what can be run, with its knobs.
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/check/demo_manifest.h"
#include "app/check/demo_run.h"
#include "app/cli/commands.h"
#include "app/cli/contents.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/cli/show_knobs.h"

namespace p2plab::cli {

namespace {

using nlohmann::ordered_json;

ordered_json to_json(const check::Knob& knob) {
  ordered_json out{{"id", knob.id}, {"title", twin_json(knob.title)}, {"help", twin_json(knob.help)}};
  if (knob.type == check::Knob::Type::choice) {
    out["default"] = check::knob_json(knob.default_value);
    out["choices"] = ordered_json::array();
    for (const std::string& choice : knob.choices) out["choices"].push_back(check::knob_json(choice));
  } else if (knob.type == check::Knob::Type::file) {
    out["default"] = nullptr;
  } else {
    out["default"] = std::stoll(knob.default_value);
    out["minimum"] = knob.minimum;
    out["maximum"] = knob.maximum;
    out["unit"] = knob.unit;
  }
  return out;
}

ordered_json to_json(const check::DemoManifest& demo) {
  ordered_json knobs = ordered_json::array();
  for (const check::Knob& knob : demo.knobs) knobs.push_back(to_json(knob));
  return {{"id", demo.id},         {"title", twin_json(demo.title)},      {"claim", twin_json(demo.claim)},
          {"ranks", demo.ranks},   {"min_ranks", demo.min_ranks},     {"max_ranks", demo.max_ranks},  {"max_ranks_on_sim", demo.most_ranks("sim")},
          {"backends", demo.backends}, {"semantics", demo.semantics}, {"knobs", std::move(knobs)},
          {"metrics", demo.metrics}};
}

/// The backends' limits differ where the ranks of one do not compete for cores.
std::string ranks_words(const Context& context, const check::DemoManifest& demo) {
  const int sim = demo.most_ranks("sim");
  const bool on_sim = std::find(demo.backends.begin(), demo.backends.end(), "sim") != demo.backends.end();
  const char* id = demo.min_ranks == demo.max_ranks ? "demos.ranks_fixed" : on_sim && sim != demo.max_ranks ? "demos.ranks_and_sim" : "demos.ranks";
  return context(id, {{"ranks", std::to_string(demo.ranks)}, {"minimum", std::to_string(demo.min_ranks)}, {"maximum", std::to_string(demo.max_ranks)}, {"sim", std::to_string(sim)}});
}

void print(const Context& context, const check::DemoManifest& demo, std::ostream& out) {
  const content::Language language = context.text.language();
  out << demo.id << "  " << demo.title.in(language) << "\n    " << demo.claim.in(language) << "\n    "
      << ranks_words(context, demo) << "\n";
  print_knobs(context, demo.knobs, out, 4);
}

}  // namespace

void add_demos(CLI::App& app, Context& context) {
  auto json = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("demos", context("help.demos"));
  command->add_option("--json", *json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->footer(context("help.demos_examples"));
  command->callback([&context, json] {
    context.action = [&context, json] {
      std::vector<content::LeftOut> broken;
      const auto demos = usable_demos(context, {}, &broken);
      for (const auto& demo : demos) {
        if (json->empty()) print(context, demo, std::cout);
      }
      ordered_json list = ordered_json::array();
      for (const auto& demo : demos) list.push_back(to_json(demo));
      write_json(*json, {{"schema", "p2plab.demos/1"}, {"demos", std::move(list)}, {"broken", left_out_json(context, broken)}});
      return broken.empty() ? 0 : 2;
    };
  });
}

}  // namespace p2plab::cli

// p2plab claim run ID | --all: the experiment, what came of it, and a report.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/contents.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/cli/show_claim.h"
#include "app/launch/interrupt.h"
#include "app/report/claim_report.h"
#include "app/trace/atomic_file.h"
#include "app/trace/error.h"

namespace p2plab::cli {

namespace {

using nlohmann::ordered_json;

struct ClaimOptions {
  std::string id, json, html;
  check::ClaimRequest request;
  bool all = false;
};

/// A claim whose run gave no evidence: the lab failed there, and the claim has no outcome.
struct Failed {
  const content::Claim* claim;
  Error error;
};

ordered_json claim_report_json(const ClaimOptions& options, const std::vector<check::ClaimResult>& results, bool as_declared) {
  ordered_json list = ordered_json::array(), counts = ordered_json::object(), verdicts = ordered_json::object();
  for (const char* word : {"confirmed", "refuted", "documented", "not-shown-here"}) counts[word] = 0;
  for (const auto verdict : content::kClaimVerdicts) verdicts[std::string(to_string(verdict))] = 0;
  for (const check::ClaimResult& result : results) {
    list.push_back(check::to_json(result));
    for (ordered_json* count : {&counts[std::string(to_string(result.outcome))], &verdicts[std::string(to_string(result.claim->verdict))]}) *count = count->get<int>() + 1;
  }
  ordered_json out{{"schema", "p2plab.claim/1"}, {"seed", options.request.seed}, {"as_declared", as_declared}};
  if (!options.all && !list.empty()) out.update(list.front());  // one claim: its own object
  else out.update({{"counts", std::move(counts)}, {"verdicts", std::move(verdicts)}, {"claims", std::move(list)}});
  return out;
}

/// The claim's result, or nothing where the lab failed.
std::optional<check::ClaimResult> one_claim(const ClaimOptions& options, check::ClaimRunner& runner, const content::Claim& claim, std::vector<Failed>& failed) {
  try {
    return runner.run(claim, options.request);
  } catch (const Error& error) {
    if (error.exit_status() != 3) throw;
    if (!options.request.stop()) failed.push_back({&claim, error});  // Ctrl-C reaches the command that runs as well, which then has no number
    return std::nullopt;
  }
}

/// Why there are fewer results than claims; empty where there are not.
std::string what_is_missing(const Context& context, std::size_t results, const std::vector<Failed>& failed, std::size_t wanted) {
  const Params counts{{"n", std::to_string(results)}, {"all", std::to_string(wanted)}};
  if (results + failed.size() < wanted) return context("claim.interrupted", counts);
  std::string ids;
  for (const Failed& each : failed) ids += (ids.empty() ? "" : ", ") + each.claim->id;
  return failed.empty() ? "" : context("claim.without_evidence", {{"n", std::to_string(failed.size())}, {"all", std::to_string(wanted)}, {"claims", ids}});
}

int act_claim(const Context& context, ClaimOptions& options) {
  if (options.all != options.id.empty()) throw Error("claim.one_or_all");
  const content::Claims claims = usable_claims(context, options.id);
  const auto sources = content::load_sources(context.installation.assets() / "sources.toml");
  std::vector<const content::Claim*> wanted;
  if (!options.all) wanted.push_back(&claims.at(options.id));
  else for (const content::Claim& claim : claims.all())
    if (!options.request.counter || claim.counter) wanted.push_back(&claim);
  begin_results({options.json, options.html});

  const launch::Interrupt interrupt;
  options.request.pictures = !options.html.empty();
  options.request.stop = [&interrupt] { return interrupt.asked(); };
  check::ClaimRunner runner(context.installation, context.text.language());
  const int fd = options.json == "-" ? STDERR_FILENO : STDOUT_FILENO;
  std::ostream& out = people(options.json);
  std::vector<check::ClaimResult> results;
  std::vector<Failed> failed;
  for (const content::Claim* claim : wanted) {
    auto result = one_claim(options, runner, *claim, failed);
    if (interrupt.asked() || (result && result->stopped)) break;
    if (!result) {
      std::cerr << "p2plab: " << context.text(failed.back().error) << "\n";
      continue;
    }
    if (options.all) print_claim_line(context, *result, sources, out, fd);
    else print_claim_result(context, *result, sources, out, fd);
    results.push_back(std::move(*result));
  }
  const bool as_declared = std::all_of(results.begin(), results.end(), [](const auto& each) { return each.as_declared(); });
  const std::string worlds = report::claim_worlds(results, context.text);
  if (options.all) out << "\n" << report::claim_counts(results, context.text) << "\n" << context("claim.seed", {{"seed", std::to_string(options.request.seed)}}) << "\n";
  if (options.all && !worlds.empty()) out << worlds << "\n";
  const std::string missing = what_is_missing(context, results.size(), failed, wanted.size());
  if (!missing.empty() && (options.all || failed.empty())) out << missing << "\n";  // of one claim its error says it
  do_each({file_part(context, out, options.html, [&] { trace::write_file(options.html, report::claim_page(results, sources, context.text, missing)); }), [&] {
             ordered_json json = claim_report_json(options, results, as_declared && failed.empty());
             if (results.size() + failed.size() < wanted.size()) json["interrupted"] = {{"done", results.size()}, {"of", wanted.size()}};
             for (const Failed& each : failed)
               json["errors"].push_back({{"claim", each.claim->id}, {"id", each.error.text().id}, {"text", context.text(each.error)}});
             write_json(options.json, json);
           }});
  return interrupt.asked() ? 130 : !failed.empty() ? 3 : as_declared ? 0 : 1;
}

}  // namespace

void add_claim_run(CLI::App& group, Context& context) {
  auto options = std::make_shared<ClaimOptions>();
  CLI::App* command = group.add_subcommand("run", context("help.claim_run"));
  command->add_option("ID", options->id, context("help.claim_id"));
  command->add_flag("--all", options->all, context("help.claim_all"));
  command->add_flag("--counter", options->request.counter, context("help.claim_counter"));
  command->add_option("--backend", options->request.backend, context("help.claim_backend"))->type_name("sim|host");
  command->add_option("--seed", options->request.seed, context("help.seed"))->type_name("N");
  command->add_option("--json", options->json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->add_option("--html", options->html, context("help.claim_html"))->type_name("FILE")->check(file_name(context));
  command->footer(context("help.claim_examples"));
  command->callback([&context, options] { context.action = [&context, options] { return act_claim(context, *options); }; });
}

}  // namespace p2plab::cli

// p2plab lab lint DIR: a lab, or a folder of labs, proves itself.
#include <fmt/format.h>

#include <iostream>

#include "app/check/lab_lint.h"
#include "app/cli/lab_choice.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/launch/interrupt.h"

namespace p2plab::cli {

namespace {

using nlohmann::ordered_json;

std::vector<check::LabManifest> labs_in(const std::string& folder, const std::filesystem::path& ours) {
  if (std::filesystem::exists(std::filesystem::path(folder) / "lab.toml")) return {check::load_lab(folder, ours)};
  if (!std::filesystem::is_directory(folder)) throw Error("lab.lint_nothing", {{"path", folder}});
  auto labs = check::load_labs(folder, nullptr, ours);
  if (labs.empty()) throw Error("lab.lint_nothing", {{"path", folder}});
  return labs;
}

int lint(const Context& context, const std::string& folder, int jobs, const std::string& json) {
  if (jobs < 1 || jobs > 16) throw Error("lab.bad_jobs");
  const auto labs = labs_in(folder, context.installation.share() / "labs");
  begin_results({json});
  std::ostream& out = people(json);
  const launch::Interrupt interrupt;
  bool good = true;
  ordered_json list = ordered_json::array();
  for (const check::LabManifest& lab : labs) {
    ordered_json lines = ordered_json::array();
    int count = 0, bad = 0;
    const check::LintResult result = check::lint_lab(context.installation, lab, jobs, 1, [&](const check::LintLine* line) {
      if (line != nullptr) {
        ++count;
        bad += line->good ? 0 : 1;
        out << "  " << (line->good ? "✓ " : "✗ ") << line->file;
        if (!line->verdict.empty()) out << "  " << line->verdict << (line->fails.empty() ? "" : " (" + line->fails + ")") << fmt::format("  {:.1f} s", line->seconds);
        if (!line->good) out << "  " << context.text(line->what);
        out << std::endl;
      }
      return !interrupt.asked();
    });
    for (const check::LintLine& line : result.lines) lines.push_back({{"file", line.file}, {"good", line.good}, {"verdict", line.verdict}, {"fails", line.fails}, {"why", line.good ? "" : context.text(line.what)}, {"seconds", line.seconds}});
    good = good && result.good();
    out << context(result.good() ? "lab.lint_passed" : "lab.lint_failed", {{"lab", lab.id}, {"count", std::to_string(result.good() ? count : bad)}, {"seconds", fmt::format("{:.1f}", result.seconds)}}) << "\n";
    list.push_back({{"lab", lab.id}, {"good", result.good()}, {"seconds", result.seconds}, {"lines", std::move(lines)}});
    if (interrupt.asked()) break;
  }
  write_json(json, {{"schema", "p2plab.lint/1"}, {"labs", std::move(list)}});
  return interrupt.asked() ? 130 : good ? 0 : 1;
}

}  // namespace

void add_lab(CLI::App& app, Context& context) {
  CLI::App* group = app.add_subcommand("lab", context("help.lab"));
  group->require_subcommand(1);
  group->footer(context("help.lab_examples"));
  CLI::App* command = group->add_subcommand("lint", context("help.lab_lint"));
  auto folder = std::make_shared<std::string>(), json = std::make_shared<std::string>();
  auto jobs = std::make_shared<int>(2);
  command->add_option("DIR", *folder, context("help.lab_lint_dir"))->required();
  command->add_option("--jobs", *jobs, context("help.lab_lint_jobs"))->type_name("N");
  command->add_option("--json", *json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->callback([&context, folder, jobs, json] { context.action = [&context, folder, jobs, json] { return lint(context, *folder, *jobs, *json); }; });
}

}  // namespace p2plab::cli

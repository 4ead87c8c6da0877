// p2plab doctor: what this machine has, what is missing, and the command that brings it.
#include "app/check/doctor.h"

#include <iostream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/report/terminal_timeline.h"
#include "app/report/words.h"

namespace p2plab::cli {

namespace {

using nlohmann::ordered_json;
using Status = check::Diagnosis::Status;

std::string_view word(Status status) { return status == Status::ok ? "ok" : status == Status::missing ? "missing" : "absent"; }

void print(const Context& context, const check::Diagnosis& diagnosis, const report::Terminal& terminal) {
  const bool ok = diagnosis.status == Status::ok;
  const bool missing = diagnosis.status == Status::missing;
  const auto ink = ok ? report::Ink::good : missing ? report::Ink::bad : report::Ink::muted;
  std::cout << report::coloured(ok ? "✓" : missing ? "✗" : "–", ink, terminal) << " " << context("doctor.name_" + diagnosis.id) << report::colon(context.text)
            << context.text(diagnosis.finding) << "\n";
  if (diagnosis.remedy) std::cout << "    " << *diagnosis.remedy << "\n";
}

ordered_json to_json(const Context& context, const check::Diagnosis& diagnosis) {
  return {{"id", diagnosis.id},
          {"status", std::string(word(diagnosis.status))},
          {"found", context.text(diagnosis.finding)},
          {"value", diagnosis.value ? ordered_json(*diagnosis.value) : ordered_json(nullptr)},
          {"remedy", diagnosis.remedy ? ordered_json(*diagnosis.remedy) : ordered_json(nullptr)}};
}

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
  auto json = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("doctor", context("help.doctor"));
  command->add_option("--json", *json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->footer(context("help.doctor_examples"));
  command->callback([&context, json] {
    context.action = [&context, json] {
      begin_results({*json});
      const report::Terminal terminal = report::terminal(1);
      ordered_json list = ordered_json::array();
      for (const check::Diagnosis& diagnosis : check::diagnose(context.installation)) {
        if (*json != "-") print(context, diagnosis, terminal);
        list.push_back(to_json(context, diagnosis));
      }
      write_json(*json, {{"schema", "p2plab.doctor/1"}, {"version", P2PLAB_VERSION}, {"items", std::move(list)}});
      return 0;
    };
  });
}

}  // namespace p2plab::cli

// p2plab verify PROGRAM: any MPI program, judged.
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/check/demo_run.h"
#include "app/check/verify.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/cli/show_run.h"
#include "app/cli/words.h"
#include "app/launch/interrupt.h"
#include "app/report/finding_text.h"
#include "app/report/svg_timeline.h"
#include "app/trace/chrome_json.h"
#include "app/trace/perfetto.h"

namespace p2plab::cli {

namespace {

struct VerifyOptions {
  std::string program, arguments, cflags, seed = "1";
  int ranks = 2, runs = 8;
  double timeout = 60;
  std::string json, trace, svg;
};

check::VerifyRequest request_of(const VerifyOptions& options) {
  check::VerifyRequest request;
  request.program = options.program;
  if (options.ranks < 1 || options.ranks > trace::kMaxControlledRanks) throw Error("verify.bad_ranks", {{"most", std::to_string(trace::kMaxControlledRanks)}});
  if (options.runs < 1 || options.runs > 1000) throw Error("verify.bad_runs");
  if (!(options.timeout > 0 && options.timeout <= check::kMostSeconds)) throw Error("verify.bad_timeout", {{"most", std::to_string(check::kMostSeconds)}});
  request.ranks = options.ranks;
  request.runs = options.runs;
  request.timeout_s = options.timeout;
  const auto [rest, error] = std::from_chars(options.seed.data(), options.seed.data() + options.seed.size(), request.seed);
  if (error != std::errc{} || rest != options.seed.data() + options.seed.size()) throw Error("run.bad_seed", {{"value", options.seed}});
  request.arguments = words(options.arguments);
  request.cflags = words(options.cflags);
  return request;
}

void print(const Context& context, const check::VerifyRequest& request, const check::VerifyResult& result, std::ostream& out, int fd) {
  const report::Terminal terminal = report::terminal(fd);
  if (result.verdict == analysis::Verdict::build_error) out << result.compiler_text << (result.compiler_text.ends_with('\n') ? "" : "\n");
  const std::string word = context("verdict." + std::string(analysis::to_string(result.verdict)));
  const bool good = result.verdict == analysis::Verdict::pass;
  const report::Ink ink = good ? report::Ink::good : result.verdict == analysis::Verdict::infra_error ? report::Ink::unsure : report::Ink::bad;
  out << "\n" << report::coloured((good ? "✓ " : result.verdict == analysis::Verdict::infra_error ? "? " : "✗ ") + word, ink, terminal, true) << "\n";
  if (!result.why.id.empty()) out << "  " << context.text(result.why) << "\n";
  for (const analysis::Finding& finding : result.findings) {
    out << "\n";
    for (const std::string& line : report::finding_text(finding, context.text)) out << line << "\n";
  }
  const auto metric = [&](const char* name) { return result.metrics.contains(name) ? result.metrics[name].get<std::size_t>() : 0; };
  const std::string tried = std::to_string(metric("orders_tried"));
  if (good) out << "  " << context("verify.looked_at", {{"buffers", context(result.instrumented ? "verify.buffers_exact" : "verify.buffers_hashes")}, {"tried", tried}}) << "\n";
  if (const std::size_t left = metric("orders_known_left"); good && left > 0) {
    out << "  " << context("verify.orders_cut", {{"tried", tried}, {"left", std::to_string(left)}}) << "\n";
  }
  if (const std::size_t beyond = metric("orders_out_of_reach"); good && beyond > 0) {
    out << "  " << context("verify.orders_beyond", {{"count", std::to_string(beyond)}, {"most", std::to_string(trace::kMaxForced)}}) << "\n";
  }
  if (const std::size_t shorter = metric("short_messages"); shorter > 0) out << "  " << context("verify.short_messages", {{"count", std::to_string(shorter)}}) << "\n";
  out << "\n  " << report::coloured(context("verify.conditions", {{"ranks", std::to_string(request.ranks)}, {"seed", std::to_string(request.seed)}, {"runs", std::to_string(result.runs.size())}}), report::Ink::muted, terminal) << "\n";
  if (result.verdict != analysis::Verdict::build_error && !result.instrumented) out << "  " << report::coloured(context("verify.hashes_only"), report::Ink::muted, terminal) << "\n";
}

void write_files(const Context& context, const VerifyOptions& options, const check::VerifyResult& result) {
  report::PictureText around;
  around.title = std::filesystem::path(options.program).filename().string();
  around.verdict = context("verdict." + std::string(analysis::to_string(result.verdict)));
  around.verdict_ink = result.verdict == analysis::Verdict::pass ? report::Ink::good : report::Ink::bad;
  std::ostream& out = people(options.json);
  do_each({file_part(context, out, options.trace, [&] {
             std::filesystem::path(options.trace).extension() == ".json" ? trace::save_chrome_json(result.trace, options.trace)
                                                                         : trace::save_perfetto(result.trace, options.trace);
           }),
           file_part(context, out, options.svg, [&] { report::write_svg_timeline(options.svg, result.trace, context.text, around); })});
}

int act(const Context& context, const VerifyOptions& options) {
  const check::VerifyRequest request = request_of(options);
  begin_results({options.json, options.trace, options.svg});
  const int fd = options.json == "-" ? STDERR_FILENO : STDOUT_FILENO;
  std::ostream& out = people(options.json);
  const launch::Interrupt interrupt;
  LiveTimeline live(context, fd);
  check::VerifyResult result;
  try {
    result = check::verify(context.installation, request, [&](const trace::Trace& trace) {
      live.update(trace);
      return !interrupt.asked();
    });
  } catch (const Error& error) {
    if (error.exit_status() == 3) {
      result.why = error.text();
      write_json(options.json, check::to_json(request, result, &context.text));
    }
    throw;
  }
  live.clear();
  print(context, request, result, out, fd);
  nlohmann::ordered_json json = check::to_json(request, result, &context.text);
  if (!options.trace.empty()) json["trace"] = options.trace;
  do_each({[&] { write_files(context, options, result); }, [&] { write_json(options.json, json); }});
  if (interrupt.asked()) return 130;
  if (result.verdict == analysis::Verdict::pass) return 0;
  return result.verdict == analysis::Verdict::infra_error ? 3 : 1;
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand("verify", context("help.verify"));
  command->add_option("PROGRAM", options->program, context("help.verify_program"))->required();
  command->add_option("--ranks", options->ranks, context("help.verify_ranks"))->type_name("N");
  command->add_option("--args", options->arguments, context("help.verify_args"))->type_name("\"…\"");
  command->add_option("--cflags", options->cflags, context("help.verify_cflags"))->type_name("\"…\"");
  command->add_option("--seed", options->seed, context("help.seed"))->type_name("N");
  command->add_option("--runs", options->runs, context("help.verify_runs"))->type_name("N");
  command->add_option("--timeout", options->timeout, context("help.timeout"))->type_name("S");
  command->add_option("--json", options->json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->add_option("--trace", options->trace, context("help.trace"))->type_name("FILE")->check(file_name(context));
  command->add_option("--svg", options->svg, context("help.svg"))->type_name("FILE")->check(file_name(context));
  command->footer(context("help.verify_examples"));
  command->callback([&context, options] { context.action = [&context, options] { return act(context, *options); }; });
}

}  // namespace p2plab::cli

// p2plab bench: what the lab itself costs. Each member is a file bench_NAME.cpp with one function, listed here.
#include <memory>

#include "app/cli/bench.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"

namespace p2plab::cli {

namespace {

using Bench = int (*)(const content::Text& text, const BenchOptions& options);

enum class Length { own, asked };  ///< whether it measures for as long as it is told to

void add(CLI::App& group, Context& context, const std::string& name, Bench bench, Length length = Length::own) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = group.add_subcommand(name, context("help.bench_" + name));
  command->add_option("--json", options->json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  if (length == Length::asked) command->add_option("--seconds", options->seconds, context("help.bench_seconds"))->type_name("S")->check(CLI::Range(0.1, 600.0));
  command->footer(context("help.bench_member_examples", {{"name", name}}));
  command->callback([&context, options, bench] {
    context.action = [&context, options, bench] {
      begin_results({options->json});
      return bench(context.text, *options);
    };
  });
}

}  // namespace

void add_bench(CLI::App& app, Context& context) {
  CLI::App* group = app.add_subcommand("bench", context("help.bench"));
  group->require_subcommand(1);
  group->footer(context("help.bench_examples"));
  add(*group, context, "record", bench_record);
  add(*group, context, "feed", bench_feed, Length::asked);
  add(*group, context, "launch", bench_launch);
  add(*group, context, "frame", bench_frame);
  add(*group, context, "pingpong", bench_pingpong);
  add(*group, context, "probe", bench_probe);
  add(*group, context, "sim", bench_sim, Length::asked);
  add(*group, context, "nccl", bench_nccl);
  add(*group, context, "gpu", bench_gpu, Length::asked);
}

}  // namespace p2plab::cli

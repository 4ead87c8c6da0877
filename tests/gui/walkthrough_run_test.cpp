// Every step of the walkthroughs that ship, run as the guide runs it, on the virtual clock and without a window.
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "app/gui/model/difference.h"
#include "app/gui/model/model.h"
#include "app/gui/model/source.h"
#include "app/gui/model/zoom_span.h"
#include "app/report/timeline_layout.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;

namespace {

std::unique_ptr<check::DemoRun> run_of(const launch::Installation& installation, const check::DemoManifest& demo, check::RunRequest request) {
  auto run = std::make_unique<check::DemoRun>(installation, demo, std::move(request));
  while (!run->finished())
    if (!run->poll()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return run;
}

/// Has the verdict that its demo declares for these very conditions, and the conditions that the step asks for.
void check_run(const check::DemoRun& run, const Step& step) {
  INFO(check::to_json(run.request(), run.demo(), run.result()).dump(1));
  REQUIRE(run.result().promised);
  CHECK(run.result().verdict == *run.result().promised);
  CHECK(run.result().as_promised);
  const auto& ran = run.trace().run;
  if (!step.link.empty() && step.link != "raw") CHECK(ran.link == step.link);
  if (!step.semantics.empty()) CHECK(ran.semantics == step.semantics);
  if (!step.backend.empty()) CHECK(ran.backend == step.backend);
  if (step.strict) CHECK(ran.strict == *step.strict);
  if (step.ranks) CHECK(ran.ranks == *step.ranks);
}

/// What the step points at is in the run that is shown.
void check_shown(const check::DemoRun& run, const Step& step) {
  const auto& trace = run.trace();
  if (step.zoom && std::holds_alternative<ZoomSpan>(*step.zoom)) {
    INFO("span " << std::get<ZoomSpan>(*step.zoom).span);
    CHECK(find_span(trace, std::get<ZoomSpan>(*step.zoom)));
  }
  if (step.zoom && std::holds_alternative<ZoomTime>(*step.zoom)) CHECK(report::first_begin(trace) + std::get<ZoomTime>(*step.zoom).begin_ns < trace.now());
  if (step.tab == "wait-for") CHECK_FALSE(run.wait_for().stuck.empty());
  if (step.tab == "bytes") CHECK((first_difference(trace) || !changed_payloads(trace).empty()));
  if (step.tab == "numbers") CHECK_FALSE(run.result().metrics.empty());
}

/// Two pieces of the source that differ, the step's own variant as the better one.
void check_diff(const Model& model) {
  const auto compared = model.compared();
  REQUIRE(compared);
  CHECK(compared->fixed == model.variant());
  CHECK(model.demo()->fixes.contains(compared->broken));
  const Source source = read_source(model.demo()->folder / model.demo()->source);
  const auto lines = [&](const std::string& variant) { return region_text(source, find_region(source, model.demo()->regions.at(variant))); };
  CHECK_FALSE(lines(compared->fixed).empty());
  CHECK(lines(compared->broken) != lines(compared->fixed));
  CHECK(lines(compared->broken).size() < source.lines.size());
}

}  // namespace

TEST_CASE("every step of every walkthrough shows what it says: the promised verdict, the span it zooms to, the tab's content, the fix") {
  const auto installation = launch::Installation::find();
  Model model(check::load_demos(installation.demos()), load_walkthroughs(installation.assets() / "walkthroughs"));
  REQUIRE(model.walkthroughs().size() >= 3);
  for (std::size_t tour = 0; tour < model.walkthroughs().size(); ++tour) {
    std::unique_ptr<check::DemoRun> shown;
    for (const Step* step = model.start_walkthrough(tour); step; step = model.next()) {
      INFO(model.walkthrough()->id << ", step " << model.step_index() + 1 << ": " << step->say.en);
      if (step->run) {
        auto request = model.request();
        const auto& backends = model.demo()->backends;
        const bool may_choose = request.backend == "host" && std::find(backends.begin(), backends.end(), "sim") != backends.end();
        const auto asked = request;
        if (may_choose) request.backend = "sim";
        shown = run_of(installation, *model.demo(), std::move(request));
        // A message of 64 KiB is still buffered by the virtual world and no longer by MPI: what hangs on MPI alone runs there.
        if (may_choose && step->tab == "wait-for" && shown->wait_for().stuck.empty()) shown = run_of(installation, *model.demo(), asked);
        check_run(*shown, *step);
      }
      if (shown) check_shown(*shown, *step);
      if (step->diff.value_or(false)) check_diff(model);
    }
  }
}

TEST_CASE("a variant is compared with its fix, a fix with the broken variant that was chosen before it") {
  const auto installation = launch::Installation::find();
  Model model(check::load_demos(installation.demos()), {});
  using Compared = Model::Compared;
  REQUIRE(model.choose_demo("corruption"));
  CHECK(model.compared() == Compared{"unsafe", "double-buffer"});
  model.set_knob("variant", "clone");
  CHECK(model.compared() == Compared{"unsafe", "clone"});
  model.set_knob("variant", "early-read");
  model.set_knob("variant", "wait-first");
  CHECK(model.compared() == Compared{"early-read", "wait-first"});
  REQUIRE(model.choose_demo("pipeline"));
  CHECK_FALSE(model.compared());  // nothing broken was looked at
  model.set_knob("communication", "blocking");
  CHECK(model.compared() == Compared{"blocking-unfused", "blocking"});
}

// See step.h.
#include "app/cli/step.h"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <thread>

#include "app/check/lab_run.h"
#include "app/check/source_lines.h"
#include "app/check/step_control.h"
#include "app/cli/keys.h"
#include "app/content/nearest.h"
#include "app/launch/interrupt.h"
#include "app/report/finding_text.h"

namespace p2plab::cli {

namespace {

constexpr double kThinkingSeconds = 1800;  ///< people think

std::string stand_line(const Context& context, const check::Stand& stand) {
  static constexpr const char* kStates[] = {"starting", "held", "waiting", "running", "ended"};
  std::vector<std::string> ranks;
  for (const int rank : stand.waits_for) ranks.push_back(std::to_string(rank));
  const std::string last = stand.call.empty() ? "–" : stand.call + (stand.site.empty() ? "" : "  " + stand.site);
  const std::string next = stand.next.empty() ? context("lab.step_next") : context("lab.step_next_at", {{"site", stand.next}});
  return context("lab.step_" + std::string(kStates[static_cast<int>(stand.state)]), {{"rank", std::to_string(stand.rank)}, {"call", last}, {"ranks", content::join(ranks)}, {"next", next}});
}

bool any(const std::vector<check::Stand>& stands, std::initializer_list<check::Stand::State> states) {
  return std::any_of(stands.begin(), stands.end(), [&](const check::Stand& stand) { return std::find(states.begin(), states.end(), stand.state) != states.end(); });
}

/// The first of the lab's runs, with its largest size: where a standard send must wait for its receive.
check::LabCase stepped(const check::LabManifest& lab, std::uint64_t seed) {
  check::LabCase how;
  const check::LabRun& run = lab.runs.front();
  how.run = run.id;
  how.ranks = run.ranks.front();
  how.seed = seed;
  how.step = true;
  if (!run.sizes.empty()) how.bytes = *std::max_element(run.sizes.begin(), run.sizes.end());
  return how;
}

/// A run whose ranks are held.
struct Held {
  int ranks = 0;
  std::filesystem::path directory;  ///< of the job, in shared memory
  std::function<bool()> poll;       ///< false once it is over
  std::function<const trace::Trace&()> trace;
};

/// Until the run is over, or the learner has had enough: then false, and it is still there to be cancelled.
bool step_through(const Context& context, const Held& held, const launch::Interrupt& interrupt, std::ostream& out) {
  using State = check::Stand::State;
  const Keys keys;
  const bool terminal = ::isatty(STDIN_FILENO) == 1;
  check::StepControl control(held.directory);
  out << context("lab.step_keys", {{"last", std::to_string(held.ranks - 1)}}) << "\n";
  std::string shown;
  while (held.poll()) {
    const auto stands = check::stands(held.trace(), held.ranks);
    const bool settled = !any(stands, {State::starting, State::running});
    std::string now;
    for (const check::Stand& stand : stands) now += "  " + stand_line(context, stand) + "\n";
    if (settled && now != shown) out << (shown = std::move(now)) << "\n" << std::flush;
    // Whoever sits here may type at any time, also while a rank computes for long. A script that is piped in gives its next key
    // only once everybody stands still; where nobody is held any more it has nothing left to say, and what comes is waited for.
    const bool listens = terminal || (settled && any(stands, {State::held}));
    const char key = listens ? keys.next(10).value_or('\0') : '\0';
    if (!listens) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (interrupt.asked() || key == 'q') return false;
    if (key == 'c') control.release_all();
    if (key == 'a')
      for (int rank = 0; rank < held.ranks; ++rank) control.release(rank);
    if (key >= '0' && key < '0' + held.ranks) control.release(key - '0');
    if (key > ' ') std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it takes a moment to move
  }
  return true;
}

}  // namespace

int step_lab(const Context& context, const check::LabManifest& lab, const check::LabRequest& request) {
  if (lab.world != check::LabWorld::mpi) throw Error("lab.step_virtual", {{"lab", lab.id}});
  check::LabDesk desk;
  const check::LabWork work = check::find_work(lab, request.work);
  if (!work.fault.id.empty()) throw Error(work.fault.id, work.fault.params, work.missing ? 2 : 1);
  const check::LabProgram program = check::build_lab(context.installation, lab, work.file, desk);
  if (!program.built) {
    std::cout << program.compiler_text << context("lab-detail.build", {{"file", program.source.filename().string()}}) << "\n";
    return 1;
  }
  check::SourceLines lines;
  lines.show(program.source, program.source.filename().string());
  const check::LabCase how = stepped(lab, request.seed);
  const launch::Interrupt interrupt;
  const auto run = check::start_case(context.installation, lab, program, how, desk, lines);
  const Held held{how.ranks, run->directory(), [&] { return run->poll(); }, [&]() -> const trace::Trace& { return run->trace(); }};
  if (!step_through(context, held, interrupt, std::cout)) {
    run->cancel();
    return interrupt.asked() ? 130 : 0;
  }
  const check::LabSeen seen = run->take();
  std::cout << context("verdict." + std::string(to_string(seen.verdict))) << "\n";
  for (const analysis::Finding& finding : seen.findings)
    for (const std::string& line : report::finding_text(finding, context.text)) std::cout << "  " << line << "\n";
  return seen.verdict == analysis::Verdict::pass ? 0 : 1;
}

check::RunRequest stepped_request(check::RunRequest request) {
  if (request.backend == "sim") throw Error("run.step_sim");
  request.timeout_s = kThinkingSeconds;
  request.adjust = [ranks = request.ranks](launch::JobSpec& job) {
    job.orders = [ranks, before = job.orders](trace::ControlPage& page) {
      if (before) before(page);
      check::StepControl::hold(page, ranks);
    };
  };
  return request;
}

void step_demo(const Context& context, check::DemoRun& run, const launch::Interrupt& interrupt, std::ostream& out) {
  const auto poll = [&run] {
    run.poll();
    return !run.finished();
  };
  const Held held{run.request().ranks, run.directory(), poll, [&run]() -> const trace::Trace& { return run.trace(); }};
  if (!step_through(context, held, interrupt, out)) run.cancel();
}

}  // namespace p2plab::cli

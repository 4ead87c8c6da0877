// See lab_run.h.
#include "app/check/lab_run.h"

#include <algorithm>
#include <cmath>

#include "app/check/demo_run.h"
#include "app/check/lab_formula.h"
#include "app/check/sim_witness.h"
#include "app/check/source_lines.h"
#include "app/check/step_control.h"
#include "app/check/verify_judge.h"
#include "app/check/verify_run.h"
#include "app/launch/sandbox.h"

namespace p2plab::check {

namespace {

using analysis::Finding;
using analysis::Verdict;

constexpr std::uint32_t kDelayUs = 2000;      ///< longest seeded delay before a call
constexpr std::uint64_t kMostOutput = 64;     ///< times what is kept of a stream: who prints more is ended
constexpr std::uint64_t kOwnProcesses = 8;    ///< of the launcher and the sandbox, beside two for each rank

std::string filled(std::string text, const LabCase& how) {
  const auto put = [&](const std::string& name, const std::string& value) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size()) text.replace(at, name.size(), value);
  };
  put("{n}", std::to_string(how.bytes.value_or(0)));
  put("{p}", std::to_string(how.ranks));
  put("{seed}", std::to_string(how.delay));
  return text;
}

/// What a learner's program may take, and where it may write.
std::function<void(launch::JobSpec&)> adjusted(const launch::Installation& installation, const LabManifest& lab, const LabCase& how, LabDesk& desk) {
  return [=, &lab, hidden = hidden_folders(installation, lab), folder = desk.work_folder(), desk_path = desk.path()](launch::JobSpec& job) {
    job.working_directory = folder;
    job.limits.wall = how.step ? std::chrono::minutes(30) : std::chrono::milliseconds(static_cast<std::int64_t>(lab.limits.wall_s * 1000));  // people think
    job.limits.cpu = std::chrono::milliseconds(static_cast<std::int64_t>(lab.limits.cpu_s * 1000));
    job.limits.memory_bytes = lab.limits.memory_bytes;
    job.limits.processes = lab.limits.processes + kOwnProcesses + 3 * static_cast<std::uint64_t>(how.ranks);
    job.limits.file_bytes = lab.limits.file_bytes;
    job.limits.output_bytes = lab.limits.output_bytes;
    job.wrapper = launch::sandbox({installation.prefix, desk_path}, hidden, folder);
    job.bare_environment = true;
    if (!how.step) return;
    job.limits.cpu = std::chrono::milliseconds(0);
    job.orders = [orders = job.orders, ranks = how.ranks](trace::ControlPage& page) {
      if (orders) orders(page);
      StepControl::hold(page, ranks);
    };
  };
}

Finding lab_finding(std::string kind, TextRef detail) {
  Finding out;
  out.kind = std::move(kind);
  out.detail = std::move(detail);
  return out;
}

TextRef output_cut(int rank, bool standard_error, std::uint64_t printed, std::uint64_t kept) {
  return {"lab.output_cut", {{"rank", std::to_string(rank)}, {"stream", standard_error ? "stderr" : "stdout"}, {"printed", std::to_string(printed)}, {"kept", std::to_string(kept)}}};
}

/// A program that ends early, or does nothing that can be seen, leaves no evidence: that is its own doing, not the lab's.
void blame_silence(LabSeen& seen) {
  const std::string& id = seen.why.id;
  if (seen.verdict == Verdict::infra_error && (id == "why.empty" || id == "why.no_finalize" || id == "why.open_spans" || id == "verify.no_probe")) {
    seen.verdict = Verdict::fail;
    if (id != "why.no_finalize" && id != "why.open_spans") seen.why = {"lab-detail.silent", {}};
  }
}

/// Kinds of findings that say that memory was used while a request owned it, or that the outcome was left to chance.
bool is_race(const Finding& finding) { return finding.kind.ends_with("-race"); }

class MpiCase final : public LabCaseRun {
 public:
  MpiCase(const launch::Installation& installation, const LabManifest& lab, const LabProgram& program, const LabCase& how, LabDesk& desk, SourceLines& lines)
      : how_(how), lines_(lines), run_(installation, spec(installation, lab, program, how, desk), lines) {}
  bool poll() override { return run_.poll(); }
  void cancel() override { run_.cancel(); }
  const trace::Trace& trace() const override { return run_.trace(); }
  std::filesystem::path directory() const override { return run_.directory(); }
  LabSeen take() override {
    LabSeen seen;
    seen.how = how_;
    VerifyEvidence evidence = run_.take();
    if (evidence.job.end == launch::JobEnd::process_limit) {
      seen.verdict = Verdict::resource_limit;
      seen.findings = {lab_finding("resource-limit", {"lab-detail.processes", {{"limit", std::to_string(evidence.job.limit_value)}, {"measured", std::to_string(evidence.job.measured)}}})};
    } else {
      if (evidence.flood && !evidence.flood->ended) {  // labs look at no output, so what was cut of it is no fault
        seen.cut = output_cut(evidence.flood->rank, evidence.flood->standard_error, evidence.flood->bytes, evidence.flood->limit);
        evidence.flood.reset();
      }
      RunJudgement judged = judge_run(evidence, lines_);
      seen.verdict = judged.verdict;
      seen.why = std::move(judged.why);
      seen.findings = std::move(judged.findings);
      const bool polled = seen.verdict == Verdict::livelock;  // what it polled for is all there is to tell
      std::erase_if(seen.findings, [&](const Finding& finding) { return !is_proven(finding) && !(polled && finding.kind == "livelock"); });
      if (std::any_of(seen.findings.begin(), seen.findings.end(), is_race) && seen.verdict == Verdict::fail) seen.verdict = Verdict::race;
      if (how_.strict) saved_by_buffers(seen);
      blame_silence(seen);
    }
    seen.output = std::move(evidence.output);
    seen.trace = std::make_shared<const trace::Trace>(std::move(evidence.trace));
    return seen;
  }

 private:
  /// What hangs only where every send is synchronous was saved by buffers: the plain case has passed before.
  static void saved_by_buffers(LabSeen& seen) {
    if (seen.verdict != Verdict::deadlock) return;
    seen.verdict = Verdict::unsafe;
    for (Finding& finding : seen.findings) {
      if (finding.kind != "deadlock") continue;
      finding.kind = "unsafe-buffering";
      const std::string& id = finding.detail.id;
      finding.detail.id = "finding-detail.unsafe-buffering" + (id.starts_with("finding-detail.deadlock-") ? id.substr(id.rfind('-')) : std::string());
    }
  }

  static VerifyRunSpec spec(const launch::Installation& installation, const LabManifest& lab, const LabProgram& program, const LabCase& how, LabDesk& desk) {
    VerifyRunSpec spec;
    spec.program = how.access ? program.access : program.plain;
    for (const std::string& word : lab.run(how.run)->arguments) spec.arguments.push_back(filled(word, how));
    spec.ranks = how.ranks;
    spec.seed = how.seed;
    spec.timeout_s = lab.limits.wall_s;
    spec.polling_ns = std::min(kPollingNs, static_cast<trace::Ns>(spec.timeout_s * 5e8));
    spec.most_output = kMostOutput * lab.limits.output_bytes;
    spec.orders.strict = how.strict ? 1 : 0;
    spec.orders.access = how.access ? 1 : 0;
    spec.orders.hashes = how.access ? 0 : 1;
    spec.orders.delay_us = how.delay > 0 ? kDelayUs : 0;
    spec.adjust = adjusted(installation, lab, how, desk);
    return spec;
  }

  LabCase how_;
  SourceLines& lines_;
  VerifyRun run_;
};

class SimCase final : public LabCaseRun {
 public:
  SimCase(const launch::Installation& installation, const LabManifest& lab, const std::filesystem::path& program, const LabCase& how, int ranks, LabDesk& desk, const std::string& backend = "sim")
      : how_(how), ranks_(ranks), run_(std::make_shared<DemoRun>(installation, manifest(lab, how, backend), request(installation, lab, program, how, ranks, desk, backend))) {
    for (const auto& [kind, time] : lab.run(how.run)->lasts) lasts_[kind] = std::llround(evaluate(time, values_of(lab, how)));
  }
  bool poll() override {
    run_->poll();
    return !run_->finished();
  }
  void cancel() override { run_->cancel(); }
  const trace::Trace& trace() const override { return run_->trace(); }
  LabSeen take() override {
    LabSeen seen;
    seen.how = how_;
    const RunResult& result = run_->result();
    seen.verdict = result.verdict;
    seen.findings = result.findings;
    seen.why = result.why;
    blame_silence(seen);
    const auto trace = std::make_shared<trace::Trace>(run_->take_trace());
    if (seen.verdict == Verdict::pass && run_->witness() != nullptr) {
      const bool nccl = run_->request().semantics == "nccl";
      if (auto odd = contradiction(*trace, *run_->witness(), nccl, lasts_)) {
        seen.verdict = Verdict::fail;
        seen.gate = "trace";
        seen.why = std::move(*odd);
      } else {  // what was sent is the hub's to say
        for (const auto& [send, contents] : contents_of(*trace, *run_->witness(), nccl)) trace->hashes(send) = {contents, 0, true, false};
      }
    }
    seen.trace = trace;
    for (int rank = 0; rank < ranks_; ++rank) {
      seen.output.push_back(run_->output(rank, false).text());
      for (const bool standard_error : {true, false}) {
        const launch::RankOutput& output = run_->output(rank, standard_error);
        const std::uint64_t kept = output.head.size() + output.tail.size();
        if (output.cut_bytes > 0 && seen.cut.id.empty()) seen.cut = output_cut(rank, standard_error, kept + output.cut_bytes, kept);
      }
    }
    return seen;
  }

 private:
  /// The knobs of the [[run]] as a demo would have them.
  static DemoManifest manifest(const LabManifest& lab, const LabCase& how, const std::string& backend) {
    DemoManifest demo;
    demo.id = lab.id;
    demo.title = lab.title;
    demo.max_ranks = demo.sim_max_ranks = 256;
    demo.backends = {backend};
    demo.semantics = {"mpi", "nccl"};
    demo.sim_link = "raw";
    for (const auto& [id, value] : lab.run(how.run)->knobs) {
      Knob knob;
      knob.id = id;
      knob.type = Knob::Type::choice;
      knob.default_value = filled(value, how);
      knob.choices = {knob.default_value};
      demo.knobs.push_back(std::move(knob));
    }
    return demo;
  }
  static RunRequest request(const launch::Installation& installation, const LabManifest& lab, const std::filesystem::path& program, const LabCase& how, int ranks, LabDesk& desk, const std::string& backend) {
    const LabRun& run = *lab.run(how.run);
    RunRequest request;
    request.demo = lab.id;
    request.ranks = ranks;
    request.backend = backend;
    request.semantics = run.semantics;
    request.link = backend == "sim" ? run.link : "raw";
    request.links = lab.links;
    request.strict = how.strict;
    request.seed = how.seed;
    request.timeout_s = lab.limits.wall_s;
    request.program = program;
    request.adjust = adjusted(installation, lab, how, desk);
    return request;
  }

  LabCase how_;
  int ranks_;
  std::map<trace::Kind, schedule::Ns> lasts_;
  std::shared_ptr<DemoRun> run_;
};

}  // namespace

std::vector<LabCase> cases_of(const LabManifest& lab, const LabRun& run, std::uint64_t seed) {
  int delays_before = 0;
  for (const LabRun& earlier : lab.runs) {
    if (earlier.id == run.id) break;
    delays_before += earlier.delays;
  }
  std::vector<LabCase> cases;
  std::vector<std::optional<std::int64_t>> sizes;
  for (const std::int64_t size : run.sizes) sizes.emplace_back(size);
  if (sizes.empty()) sizes.emplace_back();
  for (const bool strict : {false, true}) {
    if (strict && !run.strict) continue;
    for (const auto& size : sizes)
      for (const int ranks : run.ranks) cases.push_back({.run = run.id, .ranks = ranks, .bytes = size, .strict = strict, .seed = seed});
  }
  for (int delay = delays_before + 1; delay <= delays_before + run.delays; ++delay) {
    const auto k = static_cast<std::size_t>(delay - 1);
    cases.push_back({.run = run.id, .ranks = run.ranks[k % run.ranks.size()], .bytes = sizes[k % sizes.size()], .strict = run.strict && delay % 2 == 1,
                     .delay = delay, .seed = seed + static_cast<std::uint64_t>(delay)});
  }
  if (run.access) cases.push_back({.run = run.id, .ranks = run.ranks.front(), .bytes = sizes.front(), .access = true, .seed = seed});
  return cases;
}

LabValues values_of(const LabManifest& lab, const LabCase& how) {
  LabValues values = lab.values;
  for (const auto& [name, value] : lab.run(how.run)->knobs)
    if (const auto number = parse_amount(filled(value, how))) values[name] = static_cast<double>(*number);
  values["p"] = how.ranks;
  values["n"] = static_cast<double>(how.bytes.value_or(0));
  return values;
}

std::unique_ptr<LabCaseRun> start_case(const launch::Installation& installation, const LabManifest& lab, const LabProgram& program, const LabCase& how, LabDesk& desk, SourceLines& lines) {
  if (lab.world == LabWorld::mpi) return std::make_unique<MpiCase>(installation, lab, program, how, desk, lines);
  return std::make_unique<SimCase>(installation, lab, program.plain, how, how.ranks, desk);
}

std::unique_ptr<LabCaseRun> start_real(const launch::Installation& installation, const LabManifest& lab, const LabProgram& program, const LabCase& how, LabDesk& desk) {
  return std::make_unique<SimCase>(installation, lab, program.plain, how, how.ranks, desk, "host");
}

std::unique_ptr<LabCaseRun> start_reference(const launch::Installation& installation, const LabManifest& lab, const LabProgram& program, const LabCase& how, LabDesk& desk) {
  return std::make_unique<SimCase>(installation, lab, *program.reference, how, 1, desk);
}

}  // namespace p2plab::check

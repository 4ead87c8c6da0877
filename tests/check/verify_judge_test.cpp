// One run of a program, judged from hand-made evidence.
#include "app/check/verify_judge.h"

#include <csignal>

#include "tests/analysis/hand_made.h"
#include "tests/support/catch.h"

using namespace p2plab;

namespace {

/// Two ranks that came to MPI_Finalize; rank 1 ended with status 1.
check::VerifyEvidence ended_with_status(trace::Trace trace, bool inside_finalize) {
  check::VerifyEvidence evidence;
  evidence.trace = std::move(trace);
  evidence.attached = 2;
  evidence.initialized = {true, true};
  evidence.finished = {true, true};
  evidence.finalized = {true, !inside_finalize};
  evidence.job.end = launch::JobEnd::finished;
  evidence.job.ranks = {{0, 0, {}}, {1, 1, {}}};
  return evidence;
}

std::vector<std::string> kinds_of(const check::VerifyEvidence& evidence) {
  check::SourceLines lines;
  std::vector<std::string> kinds;
  for (const auto& finding : check::judge_run(evidence, lines).findings) kinds.push_back(finding.kind);
  return kinds;
}

trace::Trace with_a_lost_message() {
  hand_made::Run run(2);
  run.returned(run.post(0, trace::Kind::send, 1, 0, 10), 11);
  return std::move(run.trace);
}

}  // namespace

TEST_CASE("A rank that MPI ends inside MPI_Finalize over what is left over is no finding of its own") {
  CHECK(kinds_of(ended_with_status(with_a_lost_message(), true)) == std::vector<std::string>{"unmatched-message"});
}

TEST_CASE("An exit status that the program chose stands beside what is left over") {
  CHECK(kinds_of(ended_with_status(with_a_lost_message(), false)) == std::vector<std::string>{"unmatched-message", "wrong-exit"});
}

TEST_CASE("A profiling layer of another build leaves no verdict, and is named") {
  check::VerifyEvidence evidence = ended_with_status(hand_made::Run(2).trace, false);
  evidence.other_build = "/opt/lab/libp2plab-probe.so";
  check::SourceLines lines;
  const check::RunJudgement judgement = check::judge_run(evidence, lines);
  CHECK(judgement.verdict == analysis::Verdict::infra_error);
  CHECK(judgement.why.id == "job.other_build");
}

TEST_CASE("A receive that is complete, of which no rank recorded a send, leaves no verdict, and what seems left over is not told") {
  hand_made::Run run(2);
  run.returned(run.post(0, trace::Kind::send, 1, 0, 10), 11);
  run.complete(run.post(0, trace::Kind::receive, 1, 5, 12), 20);
  check::VerifyEvidence evidence = ended_with_status(std::move(run.trace), false);
  evidence.job.ranks = {{0, 0, {}}, {1, 0, {}}};
  check::SourceLines lines;
  const check::RunJudgement judgement = check::judge_run(evidence, lines);
  CHECK(judgement.findings.empty());
  CHECK(judgement.verdict == analysis::Verdict::infra_error);
  CHECK(judgement.why.id == "verify.unseen_send");
}

TEST_CASE("A rank that ends inside MPI_Finalize with nothing left over is a finding") {
  CHECK(kinds_of(ended_with_status(hand_made::Run(2).trace, true)) == std::vector<std::string>{"wrong-exit"});
}

TEST_CASE("A run that was ended for its number of processes names the limit and what was counted") {
  check::VerifyEvidence evidence = ended_with_status(hand_made::Run(2).trace, false);
  evidence.finished = {false, false};
  evidence.finalized = {false, false};
  evidence.job = {};
  evidence.job.end = launch::JobEnd::process_limit;
  evidence.job.limit = "processes";
  evidence.job.limit_value = 72;
  evidence.job.measured = 73;
  check::SourceLines lines;
  const check::RunJudgement judgement = check::judge_run(evidence, lines);
  CHECK(judgement.verdict == analysis::Verdict::resource_limit);
  REQUIRE(judgement.findings.size() == 1);
  CHECK(judgement.findings[0].detail.id == "verify-detail.limit-processes");
  CHECK(judgement.findings[0].detail.params == Params{{"limit", "72"}, {"measured", "73"}});
}

TEST_CASE("Ranks that poll in vain until the limit ends them are a proven livelock, and a possible one before") {
  check::VerifyEvidence evidence = ended_with_status(hand_made::Run(2).trace, false);
  evidence.finished = {false, false};
  evidence.finalized = {false, false};
  evidence.livelock.emplace();
  evidence.livelock->kind = "livelock";
  evidence.livelock->certainty = analysis::Certainty::possible;
  evidence.job = {};
  check::SourceLines lines;

  evidence.job.end = launch::JobEnd::wall_limit;
  evidence.job.limit = "wall";
  const check::RunJudgement limited = check::judge_run(evidence, lines);
  CHECK(limited.verdict == analysis::Verdict::livelock);
  REQUIRE(limited.findings.size() == 1);
  CHECK((limited.findings[0].kind == "livelock" && check::is_proven(limited.findings[0])));

  evidence.job.end = launch::JobEnd::cancelled;
  evidence.ended_polling = true;
  const check::RunJudgement ended = check::judge_run(evidence, lines);
  CHECK(ended.verdict == analysis::Verdict::livelock);
  REQUIRE(ended.findings.size() == 1);
  CHECK_FALSE(check::is_proven(ended.findings[0]));
}

namespace {

check::VerifyEvidence ended_by(std::optional<int> signal_of_rank_1, std::optional<int> launcher, bool finished) {
  check::VerifyEvidence evidence = ended_with_status(hand_made::Run(2).trace, false);
  evidence.finished = {finished, finished};
  evidence.finalized = {finished, finished};
  evidence.job.exit_status = launcher;
  evidence.job.ranks = {{0, finished ? 0 : std::optional<int>{}, finished ? std::optional<int>{} : SIGKILL}};
  if (signal_of_rank_1) evidence.job.ranks.push_back({1, {}, signal_of_rank_1});
  return evidence;
}

analysis::Finding only_finding(const check::VerifyEvidence& evidence) {
  check::SourceLines lines;
  const auto findings = check::judge_run(evidence, lines).findings;
  REQUIRE(findings.size() == 1);
  return findings.front();
}

std::string param(const analysis::Finding& finding, const std::string& name) {
  for (const auto& [known, value] : finding.detail.params)
    if (known == name) return value;
  return {};
}

}  // namespace

TEST_CASE("A rank that a signal has ended is named with it, whichever signal it was and whenever it came") {
  CHECK(param(only_finding(ended_by(SIGTERM, 15, true)), "name") == "SIGTERM");  // behind MPI_Finalize
  CHECK(param(only_finding(ended_by(SIGSEGV, 11, false)), "name") == "SIGSEGV");
  check::VerifyEvidence group = ended_by({}, 15, false);
  group.job.ranks.clear();
  CHECK(only_finding(group).detail.id == "verify-detail.crash-group");
  CHECK(param(only_finding(group), "name") == "SIGTERM");
  CHECK(param(only_finding(group), "ranks") == "0, 1");
  check::VerifyEvidence early = ended_by(SIGSEGV, 11, false);
  early.initialized = {false, false};
  CHECK(only_finding(early).detail.id == "verify-detail.crash-early-silent");
}

TEST_CASE("The limit of a file's size is a limit where there is one, and a signal like any other where there is none") {
  check::VerifyEvidence evidence = ended_by(SIGXFSZ, 25, false);
  CHECK(only_finding(evidence).kind == "crash");
  evidence.file_limit = 4096;
  CHECK(only_finding(evidence).kind == "resource-limit");
  CHECK(param(only_finding(evidence), "limit") == "4096 B");
}

TEST_CASE("Where records were lost nothing is proven by what is missing among them, and there is no verdict") {
  hand_made::Run run(2);
  run.returned(run.post(0, trace::Kind::send, 1, 0, 10), 11);  // its receive was lost
  trace::ThreadSample full;
  full.dropped = 3;
  run.trace.threads().push_back(full);
  check::VerifyEvidence evidence = ended_with_status(std::move(run.trace), false);
  evidence.job.ranks = {{0, 0, {}}, {1, 0, {}}};
  check::SourceLines lines;
  const check::RunJudgement judgement = check::judge_run(evidence, lines);
  CHECK(judgement.findings.empty());
  CHECK(judgement.verdict == analysis::Verdict::infra_error);
  CHECK(judgement.why.id == "why.dropped");
}

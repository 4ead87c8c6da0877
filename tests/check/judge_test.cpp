// From what was seen of a run to its verdict; no evidence, no pass.
#include "app/check/judge.h"

#include "app/check/call_words.h"
#include "app/check/metrics.h"
#include "tests/check/fixture.h"
#include "tests/support/catch.h"

using namespace check_fixture;
using analysis::Verdict;

namespace {

/// Judges a run of the fixed variant, which promises a pass.
check::RunResult judged(const trace::Trace& trace, const launch::JobStatus& job, int finished = 2,
                        const std::function<void(check::Evidence&)>& change = {}) {
  check::Evidence evidence{trace, job, {}, 0, finished, false, [](int) { return std::string("last words"); }};
  if (change) change(evidence);
  return check::judge(toy(), toy_request({{"variant", "fixed"}}), evidence);
}

}  // namespace

TEST_CASE("a complete run with nothing wrong passes, as promised") {
  const Traced run;
  const auto result = judged(run.trace, well());
  CHECK(result.verdict == Verdict::pass);
  CHECK(result.as_promised);
  CHECK(result.says.en == "always passes");
  CHECK(result.findings.empty());
}

TEST_CASE("without evidence there is no pass") {
  const Traced run;
  SECTION("a rank never finalized") {
    const auto result = judged(run.trace, well(), 1);
    CHECK(result.verdict == Verdict::infra_error);
    CHECK(result.why.id == "why.no_finalize");
    CHECK_FALSE(result.as_promised);
  }
  SECTION("nothing was recorded") { CHECK(judged(trace::Trace(), well()).verdict == Verdict::infra_error); }
  SECTION("records were lost") {
    Traced lossy;
    trace::ThreadSample thread;
    thread.dropped = 3;
    lossy.trace.threads().push_back(thread);
    const auto result = judged(lossy.trace, well());
    CHECK(result.verdict == Verdict::infra_error);
    CHECK(result.why.id == "why.dropped");
  }
  SECTION("an operation never ended") {
    Traced open;
    trace::Span span;
    span.track = open.trace.track(0, open.trace.intern("host"));
    open.trace.begin(span);
    CHECK(judged(open.trace, well()).why.id == "why.open_spans");
  }
  SECTION("the learner stopped it") {
    const auto result = judged(run.trace, well(), 2, [](auto& e) { e.cancelled = true; });
    CHECK(result.verdict == Verdict::not_run);
    CHECK_FALSE(result.as_promised);
  }
}

TEST_CASE("a proven deadlock is the verdict, whatever ended the ranks afterwards") {
  const Traced run;
  launch::JobStatus job = well();
  job.end = launch::JobEnd::cancelled;
  const auto result = judged(run.trace, job, 0, [](check::Evidence& e) {
    analysis::Finding finding;
    finding.kind = "deadlock";
    e.deadlock = finding;
    e.detect_ns = 12'000'000;
  });
  CHECK(result.verdict == Verdict::deadlock);
  CHECK(result.metrics["detect_ns"] == 12'000'000);
  REQUIRE(result.findings.size() == 1);
  CHECK_FALSE(result.as_promised);  // the fixed variant promised a pass
}

TEST_CASE("a crash names the rank that began it, its signal and its last words") {
  const Traced run;
  launch::JobStatus job = well();
  job.ranks[0] = {0, {}, 9};  // killed because rank 1 had failed
  job.ranks[1] = {1, {}, 11};
  const auto result = judged(run.trace, job, 0);
  CHECK(result.verdict == Verdict::crash);
  REQUIRE(result.findings.size() == 1);
  const auto& finding = result.findings[0];
  CHECK(finding.kind == "crash");
  CHECK(finding.sites[0].rank == 1);
  CHECK(finding.detail.id == "why.signal");
  CHECK(finding.detail.params == Params{{"rank", "1"}, {"signal", "11"}, {"name", "SIGSEGV"}, {"last", "last words"}});
}

TEST_CASE("last words are the program's own, not the banner of mpiexec") {
  CHECK(check::last_words("first\nwhy it failed\r\n\n=====\n=   BAD TERMINATION\n=====\nYOUR APPLICATION TERMINATED WITH THE EXIT STRING: x\n") ==
        "why it failed");
  CHECK(check::last_words("one line") == "one line");
  CHECK(check::last_words("Caught signal 11\n==== backtrace (tid: 5) ====\n 0  /lib/libc.so.6(+0x42520) [0x7f52b8c42520]\n=====\n") == "Caught signal 11");
  CHECK(check::last_words("=====\n").empty());
  CHECK(check::last_words("").empty());
}

TEST_CASE("a run that was cut has no figures of a whole step") {
  Traced run;
  run.metric(0, "grad_error", 0);
  run.metric(0, "eager_limit_bytes", 4096);
  CHECK(judged(run.trace, well()).metrics["grad_error"] == 0);
  launch::JobStatus cut = well();
  cut.end = launch::JobEnd::wall_limit;
  for (const auto& result : {judged(run.trace, well(), 1), judged(run.trace, cut), judged(run.trace, well(), 2, [](auto& e) { e.cancelled = true; })}) {
    CHECK(result.metrics["grad_error"].is_null());
    CHECK(result.metrics["eager_limit_bytes"] == 4096);
  }
}

TEST_CASE("a rank that ends with another status than 0 fails the run") {
  const Traced run;
  launch::JobStatus job = well();
  job.ranks[1].status = 3;
  const auto result = judged(run.trace, job);
  CHECK(result.verdict == Verdict::fail);
  CHECK(result.findings.at(0).kind == "wrong-exit");
}

TEST_CASE("a rank that failed while the others waited for it is the cause, not the end that the lab made of it") {
  const Traced run;
  launch::JobStatus job = well();
  job.end = launch::JobEnd::cancelled;
  job.ranks[0] = {0, {}, 9};
  job.ranks[1].status = 3;
  const auto result = judged(run.trace, job, 0, [](auto& e) { e.left_waiting = true; });
  CHECK(result.verdict == Verdict::fail);
  CHECK(result.findings.at(0).kind == "wrong-exit");
  CHECK(result.findings.at(0).sites.at(0).rank == 1);
  CHECK(judged(run.trace, job, 0).verdict == Verdict::not_run);
}

TEST_CASE("a limit is a resource limit, with its value and what was measured") {
  const Traced run;
  launch::JobStatus job = well();
  job.end = launch::JobEnd::wall_limit;
  job.limit = "wall";
  job.limit_value = 1000;
  job.measured = 1003;
  const auto result = judged(run.trace, job, 0);
  CHECK(result.verdict == Verdict::resource_limit);
  CHECK(result.findings.at(0).detail.id == "why.limit-wall");
  CHECK(result.findings.at(0).detail.params == Params{{"limit", "1 s"}, {"measured", "1.003 s"}});
}

TEST_CASE("a run that was ended for its number of processes names the limit and what was counted") {
  const Traced run;
  launch::JobStatus job = well();
  job.end = launch::JobEnd::process_limit;
  job.limit = "processes";
  job.limit_value = 72;
  job.measured = 73;
  const auto result = judged(run.trace, job, 0);
  CHECK(result.verdict == Verdict::resource_limit);
  CHECK(result.findings.at(0).detail.id == "why.limit-processes");
  CHECK(result.findings.at(0).detail.params == Params{{"limit", "72"}, {"measured", "73"}});
}

TEST_CASE("a buffer that changed between post and completion is a send-buffer race, even when the bytes arrived intact") {
  Traced run;
  run.trace.hashes(run.send) = {1, 2, true, true};
  const auto result = judged(run.trace, well());
  CHECK(result.verdict == Verdict::corrupt);
  CHECK(result.metrics["hash_mismatches"] == 1);
  const auto& finding = result.findings.at(0);
  CHECK(finding.kind == "send-buffer-race");
  CHECK(finding.sites.at(0).rank == 0);
  CHECK(finding.sites.at(0).line == 12);
}

TEST_CASE("of intact bytes out of a changed buffer the text says just that, not that they are corrupt") {
  Traced run;
  run.trace.hashes(run.send) = {1, 2, true, true};
  run.metric(1, "corrupt_bytes", 0);
  const auto intact = judged(run.trace, well());
  CHECK(intact.verdict == Verdict::corrupt);
  CHECK(check::verdict_id(intact) == "verdict.corrupt-intact");
  CHECK(intact.findings.at(0).detail.id == "why.intact");
  CHECK(check::verdict_id(check::over_runs({intact, intact})) == "verdict.corrupt-intact");
  run.metric(1, "corrupt_bytes", 3);
  const auto wrong = judged(run.trace, well());
  CHECK(check::verdict_id(wrong) == "verdict.corrupt");
  CHECK(wrong.findings.at(0).detail.id == "finding-detail.send-buffer-race");
  CHECK(check::verdict_id(check::over_runs({intact, wrong})) == "verdict.corrupt");
}

TEST_CASE("findings name calls in the words of the field: MPI's, or NCCL's") {
  Traced run;
  run.trace.hashes(run.send) = {1, 2, true, true};
  CHECK(judged(run.trace, well()).findings.at(0).sites.at(0).call == "MPI_Isend");
  run.trace.run.semantics = "nccl";
  CHECK(judged(run.trace, well()).findings.at(0).sites.at(0).call == "ncclSend");

  trace::Trace trace;
  const auto word = [&](trace::Kind kind, const char* name, int request = trace::kNone) {
    trace::Span span;
    span.track = trace.track(0, trace.intern("host"));
    span.kind = kind;
    span.name = trace.intern(name);
    span.request = request;
    return check::call_word(trace, trace.begin(span));
  };
  using trace::Kind;
  CHECK(word(Kind::send, "send") == "MPI_Send");
  CHECK(word(Kind::receive, "recv") == "MPI_Recv");
  CHECK(word(Kind::send, "sendrecv") == "MPI_Sendrecv");
  CHECK(word(Kind::receive, "batch_isend_irecv") == "MPI_Irecv");
  CHECK(word(Kind::wait, "wait", 3) == "MPI_Wait");
  CHECK(word(Kind::wait, "wait") == "wait");  // for a stream, which MPI does not know
  CHECK(word(Kind::wait, "wait_all") == "MPI_Waitall");
  CHECK(word(Kind::collective, "all_reduce") == "MPI_Allreduce");
  CHECK(word(Kind::send, "MPI_Bsend") == "MPI_Bsend");
  CHECK(word(Kind::other, "send") == "send");  // the learner's own annotation
  CHECK(check::comm_word(trace, "WORLD") == "MPI_COMM_WORLD");
  CHECK(check::comm_word(trace, "row 1") == "row 1");
  trace.run.semantics = "nccl";
  CHECK(word(Kind::send, "batch_isend_irecv") == "ncclGroupEnd");
  CHECK(word(Kind::collective, "barrier") == "barrier");
  CHECK(check::comm_word(trace, "WORLD") == "WORLD");
}

TEST_CASE("real compute on fewer cores than ranks warns that the numbers are distorted") {
  auto request = toy_request();
  CHECK(check::warnings(request, 1, {}).empty());
  request.compute = "real";
  CHECK(check::warnings(request, 2, {}).empty());
  REQUIRE(check::warnings(request, 1, {}).size() == 1);
  CHECK(check::warnings(request, 1, {})[0].params == Params{{"ranks", "2"}, {"cores", "1"}});
}

TEST_CASE("ranks that share a GPU warn that their bandwidth is no link's") {
  const auto request = toy_request();
  REQUIRE(check::warnings(request, 2, {{"ranks_on_gpu", 2}}).size() == 1);
  CHECK(check::warnings(request, 2, {{"ranks_on_gpu", 2}})[0].id == "warning.shared_gpu");
}

TEST_CASE("a receiver that ends with other bytes although the sender kept still is a receive-buffer race") {
  Traced run;
  run.trace.hashes(run.send) = {1, 1, true, true};
  run.trace.hashes(run.receive) = {0, 5, false, true};
  CHECK(judged(run.trace, well()).findings.at(0).kind == "recv-buffer-race");
  Traced early;
  early.metric(1, "corrupt_bytes", 17);
  const auto result = judged(early.trace, well());
  CHECK(result.verdict == Verdict::corrupt);
  CHECK(result.findings.at(0).kind == "recv-buffer-race");
  CHECK(result.findings.at(0).sites.at(0).rank == 1);
}

TEST_CASE("equal hashes are no finding") {
  Traced run;
  run.trace.hashes(run.send) = {7, 7, true, true};
  run.trace.hashes(run.receive) = {0, 7, true, true};
  const auto result = judged(run.trace, well());
  CHECK(result.verdict == Verdict::pass);
  CHECK(result.metrics["hash_mismatches"] == 0);
}

TEST_CASE("gradients that differ from a single process fail the run") {
  Traced run;
  run.metric(0, "grad_error", 9e-6);
  CHECK(judged(run.trace, well()).verdict == Verdict::pass);
  run.metric(1, "grad_error", 2e-5);
  const auto result = judged(run.trace, well());
  CHECK(result.verdict == Verdict::fail);
  CHECK(result.why.id == "why.gradient");
}

TEST_CASE("the first promise whose conditions all hold is the one that counts") {
  const auto demo = toy();
  const auto said = [&](check::RunRequest request, std::optional<double> eager) {
    const check::Promise* promise = check::promise_for(demo, request, eager);
    return promise == nullptr ? std::string("none") : promise->says.en;
  };
  auto request = toy_request({{"bytes", "64K"}});
  CHECK(said(request, 65536) == "small passes");
  CHECK(said(request, 65535) == "large hangs");
  CHECK(said(request, std::nullopt) == "none");  // neither above nor below what nobody has measured
  request.strict = true;
  CHECK(said(request, 65536) == "strict hangs");
  CHECK(said(toy_request({{"variant", "fixed"}}), 1) == "always passes");
}

TEST_CASE("what no promise covers is not as promised") {
  auto demo = toy();
  demo.promises.clear();
  const Traced run;
  const launch::JobStatus job = well();
  const check::Evidence evidence{run.trace, job, {}, 0, 2, false, {}};
  const auto result = check::judge(demo, toy_request({{"variant", "fixed"}}), evidence);
  CHECK(result.verdict == Verdict::pass);
  CHECK_FALSE(result.as_promised);
  CHECK_FALSE(result.promised.has_value());
}

TEST_CASE("over several runs each metric becomes median, least, most and count, lists element by element") {
  using json = nlohmann::ordered_json;
  const json all = check::over_runs(std::vector<json>{json{{"t_ns", 30}, {"r", 0.5}, {"peak", {4, 3}}, {"none", nullptr}},
                                                     json{{"t_ns", 10}, {"r", 0.1}, {"peak", {4, 1}}, {"none", nullptr}},
                                                     json{{"t_ns", 20}, {"r", 0.2}, {"peak", {2, 2}}, {"none", nullptr}}});
  CHECK(all["t_ns"] == json{{"median", 20}, {"min", 10}, {"max", 30}, {"n", 3}});
  CHECK(all["r"]["median"] == 0.2);
  CHECK(all["peak"]["median"] == json{4, 2});
  CHECK(all["peak"]["min"] == json{2, 1});
  CHECK(all["none"]["median"].is_null());
  CHECK(all["none"]["n"] == 0);
}

TEST_CASE("over several runs a table is spread name by name, and a name that one run lacks counts only the others") {
  using json = nlohmann::ordered_json;
  const json all = check::over_runs(std::vector<json>{json{{"idle_by_cause", {{"warm_up", 30}, {"drain", 5}}}}, json{{"idle_by_cause", {{"warm_up", 10}}}},
                                                     json{{"idle_by_cause", nullptr}}});
  CHECK(all["idle_by_cause"]["warm_up"] == json{{"median", 20}, {"min", 10}, {"max", 30}, {"n", 2}});
  CHECK(all["idle_by_cause"]["drain"] == json{{"median", 5}, {"min", 5}, {"max", 5}, {"n", 1}});
}

TEST_CASE("a knob that is a number is a number in JSON, also among choices; a word stays a word") {
  CHECK(check::knob_json("32") == 32);
  CHECK(check::knob_json("-1") == -1);
  CHECK(check::knob_json("off").is_string());
  CHECK(check::knob_json("1f1b").is_string());
  CHECK(check::knob_json("64K").is_string());
  auto request = toy_request({{"variant", "fixed"}});
  const auto saved = check::to_json(request, toy(), check::RunResult{});
  CHECK(saved["knobs"]["rounds"] == 3);
  CHECK(check::request_from(saved).knobs == request.knobs);
}

TEST_CASE("runs that were stopped give no verdict, and say how many were done") {
  const Traced run;
  const auto good = judged(run.trace, well());
  const auto stopped = judged(run.trace, well(), 0, [](auto& e) { e.cancelled = true; });
  const auto result = check::over_runs({good, good, stopped}, 20);
  CHECK(result.verdict == Verdict::not_run);
  CHECK_FALSE(result.as_promised);
  CHECK(result.why.id == "why.stopped");
  CHECK(result.why.params == Params{{"done", "2"}, {"wanted", "20"}});
  CHECK(check::over_runs({stopped}, 20).why.params == Params{{"done", "0"}, {"wanted", "20"}});
  CHECK(check::over_runs({good, good}, 2).verdict == Verdict::pass);
}

TEST_CASE("runs of one request that disagree are unstable and never as promised") {
  const Traced run;
  const auto good = judged(run.trace, well());
  const auto bad = judged(run.trace, well(), 1);
  CHECK(check::over_runs({good, good}).verdict == Verdict::pass);
  CHECK(check::over_runs({good, good}).as_promised);
  const auto mixed = check::over_runs({good, bad, good});
  CHECK(mixed.verdict == Verdict::unstable);
  CHECK_FALSE(mixed.as_promised);
}

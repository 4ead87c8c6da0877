// See verify_judge.h.
#include "app/check/verify_judge.h"

#include <string.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <sstream>
#include <tuple>

#include "app/analysis/attached_buffer.h"
#include "app/analysis/buffers.h"
#include "app/analysis/operations.h"
#include "app/analysis/signatures.h"
#include "app/analysis/site.h"

namespace p2plab::check {

namespace {

using analysis::Certainty;
using analysis::Finding;
using analysis::Site;
using analysis::Verdict;

/// "id|name=value|name=value" as a rank writes it.
TextRef detail_of(const std::string& text) {
  TextRef out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t bar = std::min(text.find('|', at), text.size());
    const std::string part = text.substr(at, bar - at);
    at = bar + 1;
    if (out.id.empty()) {
      out.id = "verify-detail." + part;
    } else if (const std::size_t equals = part.find('='); equals != std::string::npos) {
      out.params.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    }
  }
  return out;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, '|');) parts.push_back(std::move(part));
  return parts;
}

void add_once(std::vector<Site>& sites, const Site& site) {
  const bool known = std::any_of(sites.begin(), sites.end(), [&](const Site& other) { return other.rank == site.rank && other.file == site.file && other.line == site.line; });
  if (!known) sites.push_back(site);
}

/// The communicator's name for people: what tells partitioned messages from others is no part of it.
std::string plain_comm(std::string name) { return name.substr(0, name.find('#')); }

struct RunJudge {
  const VerifyEvidence& evidence;
  SourceLines& lines;
  RunJudgement out;
  std::vector<trace::SpanId> unseen_send;  ///< receives that are complete, though no rank recorded a send to them

  const trace::Trace& trace() const { return evidence.trace; }
  bool have(std::initializer_list<std::string_view> kinds) const {
    return std::any_of(out.findings.begin(), out.findings.end(), [&](const Finding& finding) {
      return is_proven(finding) && std::find(kinds.begin(), kinds.end(), finding.kind) != kinds.end();
    });
  }
  bool explained() const {
    return std::any_of(out.findings.begin(), out.findings.end(), [](const Finding& finding) { return is_proven(finding) && is_cause(finding); });
  }
  void add(Finding finding) { out.findings.push_back(std::move(finding)); }
  void add(std::string kind, TextRef detail, std::vector<Site> sites) {
    Finding finding;
    finding.kind = std::move(kind);
    finding.detail = std::move(detail);
    finding.sites = std::move(sites);
    add(std::move(finding));
  }

  bool all_finished() const { return std::find(evidence.finished.begin(), evidence.finished.end(), false) == evidence.finished.end(); }

  // ---- what ranks saw themselves

  Site site_of(const trace::Reported& reported) const {
    Site site;
    site.rank = reported.rank;
    site.call = trace().name(reported.call);
    std::tie(site.file, site.line) = analysis::split_site(trace().name(reported.site));
    site.peer = reported.peer;
    site.tag = reported.tag;
    site.comm = trace().name(reported.comm);
    site.bytes = reported.bytes;
    return site;
  }

  /// "MPI_Isend|@module+0x12": the call that owns the buffer; "|peer|tag|bytes" follow where its own are known.
  std::optional<Site> second_site(const trace::Reported& reported) {
    const std::vector<std::string> parts = split(trace().name(reported.other));
    if (parts.size() < 2) return std::nullopt;
    Site site = site_of(reported);
    site.call = parts[0];
    std::tie(site.file, site.line) = analysis::split_site(lines(parts[1]));
    if (parts.size() == 5) {
      site.peer = std::stoi(parts[2]);
      site.tag = std::stoi(parts[3]);
      site.bytes = std::stoull(parts[4]);
    }
    return site;
  }

  /// Reports of the same defect agree in this: of a race in the call that owns the buffer; of buffers that overlap in the call
  /// that comes second; of all else in its place and what is wrong there.
  std::string identity(const trace::Reported& reported, const std::string& kind, const TextRef& detail) const {
    const std::string& place = trace().name(reported.site);
    if (!kind.ends_with("-buffer-race")) return kind + "\n" + place + "\n" + detail.id;
    const std::vector<std::string> owner = split(trace().name(reported.other));
    return kind + "\n" + (detail.id == "verify-detail.overlap" || owner.size() < 2 ? place : owner[0] + "|" + owner[1]);
  }

  /// One defect is one finding: what many ranks, or one rank again and again, report of the same line counts up.
  void take_reported(std::initializer_list<std::string_view> kinds, const std::set<std::pair<int, std::int32_t>>& without = {}) {
    std::vector<std::pair<std::string, std::size_t>> known;
    for (const trace::Reported& reported : trace().reported()) {
      const std::string& kind = trace().name(reported.kind);
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) continue;
      if (reported.request >= 0 && without.count({reported.rank, reported.request}) != 0) continue;
      const TextRef detail = detail_of(trace().name(reported.detail));
      const std::string key = identity(reported, kind, detail);
      const auto it = std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.first == key; });
      if (it != known.end()) {
        Finding& finding = out.findings[it->second];
        ++finding.count;
        const bool seen = std::any_of(finding.sites.begin(), finding.sites.end(), [&](const Site& site) { return site.rank == reported.rank; });
        if (!seen) finding.sites.push_back(site_of(reported));
        if (auto second = second_site(reported); second && detail.id == "verify-detail.overlap") add_once(finding.sites, *second);
        if (reported.certain) finding.certainty = Certainty::proven;
        continue;
      }
      Finding finding;
      finding.kind = kind;
      finding.certainty = reported.certain ? Certainty::proven : Certainty::possible;
      finding.detail = detail;
      finding.sites.push_back(site_of(reported));
      if (auto second = second_site(reported)) finding.sites.push_back(*second);
      known.emplace_back(key, out.findings.size());
      add(std::move(finding));
    }
  }

  // ---- the steps

  /// Where records were lost nothing follows from one that is missing, nor from what seems to match.
  bool whole() const { return trace().dropped() == 0; }

  void causes() {
    if (whole() && evidence.collective) add(*evidence.collective);
    if (whole())
      for (Finding& finding : analysis::message_findings(trace())) add(std::move(finding));
    const bool truncated = have({"size-mismatch", "type-mismatch", "collective-mismatch"});
    if (!truncated) take_reported({"size-mismatch", "invalid-argument", "collective-mismatch"});
    if (!have({"invalid-argument"}) && whole()) {
      for (Finding& finding : analysis::attached_buffer_findings(trace())) add(std::move(finding));
    }
    take_reported({"send-buffer-race", "recv-buffer-race"});
    if (!have({"send-buffer-race", "recv-buffer-race", "size-mismatch", "type-mismatch"})) {
      for (Finding& finding : analysis::buffer_findings(trace())) add(std::move(finding));
    }
  }

  void hang() {
    if (!evidence.deadlock || explained()) return;
    Finding finding = *evidence.deadlock;
    name_unreceived(finding);
    add(std::move(finding));
  }

  /// A rank waits for a message, and the one it waits for has sent it another: often that was the one meant.
  void name_unreceived(Finding& finding) const {
    if (trace().run.strict) return;
    analysis::Operations operations;
    operations.update(trace());
    const std::vector<trace::SpanId> unmatched = operations.unmatched(trace());
    for (const Site& site : finding.sites) {
      if (site.span == trace::kNoIndex || site.peer == trace::kNone || site.tag == trace::kNone) continue;
      for (const trace::SpanId id : unmatched) {
        const trace::Span& send = trace().span(id);
        if (send.kind != trace::Kind::send || send.peer != site.rank || trace().tracks()[send.track].rank != site.peer) continue;
        if (send.tag == site.tag && trace().name(send.comm) == site.comm) continue;
        const bool left = finding.detail.id != "finding-detail.deadlock";
        finding.detail = {left ? "finding-detail.deadlock-left-unreceived" : "finding-detail.deadlock-unreceived",
                          {{"rank", std::to_string(site.rank)}, {"peer", std::to_string(site.peer)}, {"tag", std::to_string(site.tag)},
                           {"comm", plain_comm(site.comm)}, {"sent_tag", std::to_string(send.tag)}, {"sent_comm", plain_comm(trace().name(send.comm))}}};
        return;
      }
    }
  }

  static bool is_aftermath(const launch::RankExit& end) { return end.signal == SIGKILL || end.signal == SIGTERM; }

  Site last_call(int rank) const {
    Site site;
    site.rank = rank;
    for (std::size_t i = trace().spans().size(); i-- > 0;) {
      const auto id = static_cast<trace::SpanId>(i);
      const trace::Span& span = trace().span(id);
      if (trace().tracks()[span.track].rank != rank || (span.flags & trace::kInFlight) != 0) continue;
      return analysis::operation_site(trace(), id);
    }
    return site;
  }

  /// How a rank ended, with its last words if it had any.
  TextRef end_of(int rank, const std::string& how, Params params) const {
    params.emplace_back("rank", std::to_string(rank));
    const bool spoke = rank >= 0 && static_cast<std::size_t>(rank) < evidence.last_words.size() && !evidence.last_words[static_cast<std::size_t>(rank)].empty();
    if (spoke) params.emplace_back("last", evidence.last_words[static_cast<std::size_t>(rank)]);
    return {"verify-detail." + how + (spoke ? "" : "-silent"), std::move(params)};
  }

  static bool holds(const std::vector<bool>& flags, int rank) { return static_cast<std::size_t>(rank) < flags.size() && flags[static_cast<std::size_t>(rank)]; }

  /// All ranks that ended with a status other than 0, or else all that never came to MPI_Finalize: one finding.
  void bad_ends(const std::vector<launch::RankExit>& ends) {
    std::vector<launch::RankExit> with_status, too_early;
    for (const launch::RankExit& end : ends) {
      if (end.signal) continue;
      if (end.status.value_or(0) != 0) {
        with_status.push_back(end);
      } else if (!holds(evidence.finished, end.rank)) {
        too_early.push_back(end);
      }
    }
    std::vector<launch::RankExit>& bad = with_status.empty() ? too_early : with_status;
    if (bad.empty()) return;
    std::sort(bad.begin(), bad.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
    const bool nobody = std::find(evidence.initialized.begin(), evidence.initialized.end(), true) == evidence.initialized.end();
    std::string ranks, statuses;
    std::vector<Site> sites;
    for (const launch::RankExit& end : bad) {
      ranks += (ranks.empty() ? "" : ", ") + std::to_string(end.rank);
      statuses += (statuses.empty() ? "" : ", ") + ("rank " + std::to_string(end.rank) + ": " + std::to_string(end.status.value_or(0)));
      sites.push_back(last_call(end.rank));
    }
    const launch::RankExit& first = bad.front();
    TextRef detail;
    if (with_status.empty() && nobody) {
      detail = {"verify-detail.no-mpi", {}};
      sites.clear();
    } else if (with_status.empty()) {
      const bool never = !holds(evidence.initialized, first.rank);
      detail = bad.size() > 1 ? TextRef{"verify-detail.no-finalize-several", {{"n", std::to_string(bad.size())}, {"ranks", ranks}}}
                              : end_of(first.rank, never ? "no-init" : "no-finalize", {});
    } else {
      detail = bad.size() > 1 ? TextRef{"verify-detail.status-several", {{"n", std::to_string(bad.size())}, {"ends", statuses}}}
                              : end_of(first.rank, "status", {{"status", std::to_string(*first.status)}});
    }
    add("wrong-exit", std::move(detail), std::move(sites));
    out.findings.back().count = static_cast<int>(bad.size());
  }

  /// Ended by MPI inside MPI_Finalize. MPICH 4.2 does that to a rank with messages that nobody received: what is left over is then
  /// the cause, and the exit its effect.
  bool fell_in_finalize(const launch::RankExit& end) const {
    const auto rank = static_cast<std::size_t>(end.rank);
    return rank < evidence.finished.size() && evidence.finished[rank] && !evidence.finalized.at(rank);
  }

  /// How the ranks ended by themselves.
  void exits() {
    if (explained() || have({"deadlock"})) return;
    if (ended_by_us()) return;
    std::vector<launch::RankExit> ends = evidence.job.ranks;
    if (all_finished() && have({"unmatched-message", "request-leak", "resource-leak"})) {
      ends.erase(std::remove_if(ends.begin(), ends.end(), [this](const auto& end) { return fell_in_finalize(end); }), ends.end());
    }
    std::stable_sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) { return is_aftermath(a) < is_aftermath(b); });
    for (const launch::RankExit& end : ends) {
      if (end.signal && !is_aftermath(end)) return by_signal(end.rank, *end.signal);
    }
    if (take_abort()) return;
    const std::size_t before = out.findings.size();
    bad_ends(ends);
    if (out.findings.size() > before) return;
    // SIGKILL and SIGTERM from nobody of ours: the program did it to itself.
    const auto killed = std::find_if(ends.begin(), ends.end(), [](const auto& end) { return end.signal.has_value(); });
    if (killed != ends.end() && ends.size() == evidence.job.ranks.size()) return by_signal(killed->rank, *killed->signal);
    if (!all_finished()) killed_with_watcher();
  }

  static std::string name_of(int signal) {
    const char* name = sigabbrev_np(signal);
    return name == nullptr ? "?" : "SIG" + std::string(name);
  }

  void by_signal(int rank, int signal) {
    if (signal == SIGXFSZ && evidence.file_limit != 0) {
      const std::string limit = std::to_string(evidence.file_limit) + " B";
      return add("resource-limit", {"verify-detail.limit-file", {{"rank", std::to_string(rank)}, {"limit", limit}, {"measured", limit}}}, {last_call(rank)});
    }
    add("crash", end_of(rank, holds(evidence.initialized, rank) ? "crash" : "crash-early", {{"signal", std::to_string(signal)}, {"name", name_of(signal)}}), {last_call(rank)});
  }

  /// A signal to a whole group of processes ends the one that watches over a rank, too: then only mpiexec, which ends with the
  /// signal's number, knows of it.
  void killed_with_watcher() {
    const int signal = evidence.job.exit_status.value_or(0);
    if (signal <= 0 || signal > 31) return;
    std::string ranks;
    std::vector<Site> sites;
    for (int rank = 0; rank < static_cast<int>(evidence.finished.size()); ++rank) {
      const auto& known = evidence.job.ranks;
      if (holds(evidence.finished, rank) || std::any_of(known.begin(), known.end(), [&](const auto& end) { return end.rank == rank; })) continue;
      ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
      sites.push_back(last_call(rank));
    }
    if (!sites.empty()) add("crash", {"verify-detail.crash-group", {{"ranks", ranks}, {"signal", std::to_string(signal)}, {"name", name_of(signal)}}}, std::move(sites));
  }

  bool take_abort() {
    const std::size_t before = out.findings.size();
    take_reported({"wrong-exit"});
    return out.findings.size() > before;
  }

  bool ended_by_us() const { return evidence.job.end != launch::JobEnd::finished; }

  void limits() {
    if (explained() || have({"deadlock", "crash"})) return;
    std::string unit;
    switch (evidence.job.end) {
      case launch::JobEnd::wall_limit:
      case launch::JobEnd::cpu_limit:
        unit = " ms";
        break;
      case launch::JobEnd::memory_limit:
        unit = " B";
        break;
      case launch::JobEnd::process_limit:
        break;
      case launch::JobEnd::cancelled:
        evidence.ended_polling ? polled() : flooded();
        return;
      default:
        return;
    }
    if (evidence.job.end == launch::JobEnd::wall_limit && evidence.livelock) return polled_to_the_end();
    std::vector<Site> sites;
    for (int rank = 0; rank < static_cast<int>(evidence.finished.size()); ++rank) sites.push_back(last_call(rank));
    // All ranks leave MPI_Init together, so one that hangs before it holds the others in it.
    const bool early = std::none_of(evidence.initialized.begin(), evidence.initialized.end(), [](bool out) { return out; });
    add("resource-limit",
        {"verify-detail.limit-" + evidence.job.limit + (early ? "-early" : ""), {{"limit", std::to_string(evidence.job.limit_value) + unit}, {"measured", std::to_string(evidence.job.measured) + unit}}},
        std::move(sites));
  }

  /// Ranks that poll can leave by a clock of their own: what they poll for cannot come, but that they would go on is not known.
  void polled() {
    if (evidence.livelock) add(*evidence.livelock);
  }

  /// They went on until the limit (DESIGN, `livelock`).
  void polled_to_the_end() {
    Finding finding = *evidence.livelock;
    finding.certainty = analysis::Certainty::proven;
    add(std::move(finding));
  }

  /// More was printed than is kept.
  void flooded() {
    if (!evidence.flood) return;
    const VerifyEvidence::Flood& flood = *evidence.flood;
    add("resource-limit",
        {flood.ended ? "verify-detail.limit-output" : "verify-detail.output", {{"rank", std::to_string(flood.rank)}, {"stream", flood.standard_error ? "stderr" : "stdout"},
                                  {"limit", std::to_string(flood.limit) + " B"}, {"measured", std::to_string(flood.bytes) + " B"}}},
        {last_call(flood.rank)});
  }

  /// What is left over once every rank has come to its end.
  void leftovers() {
    if (!all_finished()) return;
    if (explained() && !have({"send-buffer-race", "recv-buffer-race"})) return;
    if (!whole()) return take_reported({"request-leak", "resource-leak"});
    analysis::Operations operations;
    operations.update(trace());
    std::set<std::pair<int, std::int32_t>> lost;
    std::vector<trace::SpanId> sends;
    const std::set<trace::SpanId> withdrawn(trace().withdrawn().begin(), trace().withdrawn().end());
    const std::vector<trace::SpanId> unmatched = operations.unmatched(trace());
    for (const trace::SpanId id : unmatched) {
      if (has_come(id, withdrawn)) unseen_send.push_back(id);
    }
    for (const trace::SpanId id : unmatched) {
      const trace::Span& span = trace().span(id);
      if (!unseen_send.empty() || span.kind != trace::Kind::send || withdrawn.count(id) != 0) continue;
      sends.push_back(id);
      lost.insert({trace().tracks()[span.track].rank, span.request});
    }
    const auto taken = std::stable_partition(sends.begin(), sends.end(), [&](trace::SpanId id) { return operations.partner(id) == trace::kNoIndex; });
    for (Finding& finding : analysis::finding_of(trace(), "unmatched-message", {sends.begin(), taken})) add(std::move(finding));
    for (Finding& finding : analysis::finding_of(trace(), "unmatched-message", {taken, sends.end()})) {
      finding.detail.id = "finding-detail.unmatched-message-taken";
      for (auto send = taken; send != sends.end(); ++send) finding.sites.push_back(analysis::operation_site(trace(), operations.partner(*send)));
      add(std::move(finding));
    }
    take_reported({"request-leak", "resource-leak"}, lost);
  }

  /// A receive that is complete.
  bool has_come(trace::SpanId id, const std::set<trace::SpanId>& withdrawn) const {
    const trace::Span& span = trace().span(id);
    if (span.kind != trace::Kind::receive || span.open() || withdrawn.count(id) != 0) return false;
    // The span of a receive whose request was freed ends with the request, not with the message.
    return std::none_of(trace().notes().begin(), trace().notes().end(), [&](const trace::Note& note) {
      return trace().name(note.name) == "request-freed" && note.rank == trace().rank_of(id) && note.number == span.request;
    });
  }

  /// Messages that nobody recorded: where some are missing, what seems left over may have been received by a call unseen.
  bool blind() {
    if (!unseen_send.empty()) {
      const Site site = analysis::operation_site(trace(), unseen_send.front());
      return no_verdict({"verify.unseen_send", {{"rank", std::to_string(site.rank)}, {"call", site.call}, {"file", site.file}, {"line", std::to_string(site.line)}}});
    }
    for (const trace::Note& note : trace().notes()) {
      if (trace().name(note.name) == "unwatched") {
        return no_verdict({"verify.unwatched", {{"rank", std::to_string(note.rank)}, {"comm", plain_comm(trace().name(note.text))}}});
      }
      if (trace().name(note.name) == "unmapped") return no_verdict({"verify.unmapped", {{"rank", std::to_string(note.rank)}, {"most", trace().name(note.text)}}});
    }
    return false;
  }

  bool incomplete() {
    if (evidence.cancelled) return no_verdict({"verify.interrupted", {}});
    if (!evidence.other_build.empty()) return no_verdict({"job.other_build", {{"program", evidence.other_build}}});
    if (evidence.job.end == launch::JobEnd::lost) return no_verdict({"job_end.lost", {}});
    if (!out.findings.empty() && std::any_of(out.findings.begin(), out.findings.end(), is_proven)) return false;
    const int ranks = static_cast<int>(evidence.finished.size());
    if (evidence.attached < ranks) return no_verdict({"verify.no_probe", {{"missing", std::to_string(ranks - evidence.attached)}, {"ranks", std::to_string(ranks)}}});
    if (const auto lost = trace().dropped(); lost > 0) return no_verdict({"why.dropped", {{"count", std::to_string(lost)}}});
    if (evidence.overlong != 0) return no_verdict({"verify.overlong", {{"spans", std::to_string(evidence.overlong)}}});
    if (!all_finished() && !evidence.ended_polling) {
      const auto missing = std::count(evidence.finished.begin(), evidence.finished.end(), false);
      return no_verdict({"why.no_finalize", {{"missing", std::to_string(missing)}, {"ranks", std::to_string(ranks)}}});
    }
    if (blind()) return true;
    flooded();
    return false;
  }

  bool no_verdict(TextRef why) {
    out.verdict = Verdict::infra_error;
    out.why = std::move(why);
    return true;
  }

  void judge() {
    causes();
    hang();
    limits();
    leftovers();
    exits();
    for (Finding& finding : out.findings) {
      for (Site& site : finding.sites) site.comm = plain_comm(site.comm);
    }
    if (incomplete()) return;
    const bool bad = std::any_of(out.findings.begin(), out.findings.end(), is_proven);
    out.verdict = !bad                        ? (evidence.ended_polling ? Verdict::livelock : Verdict::pass)
                  : have({"deadlock"})        ? Verdict::deadlock
                  : have({"crash"})           ? Verdict::crash
                  : have({"livelock"})        ? Verdict::livelock
                  : have({"resource-limit"})  ? Verdict::resource_limit
                                              : Verdict::fail;
  }
};

}  // namespace

bool is_proven(const Finding& finding) { return finding.certainty == Certainty::proven; }

bool is_cause(const Finding& finding) {
  static const std::set<std::string> kCauses = {"invalid-argument", "collective-mismatch", "type-mismatch", "size-mismatch",
                                                "send-buffer-race", "recv-buffer-race", "message-race"};
  return kCauses.count(finding.kind) != 0;
}

RunJudgement judge_run(const VerifyEvidence& evidence, SourceLines& lines) {
  RunJudge judge{evidence, lines, {}, {}};
  judge.judge();
  return std::move(judge.out);
}

}  // namespace p2plab::check

// See verify_races.h.
#include "app/check/verify_races.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "app/analysis/operations.h"
#include "app/analysis/site.h"

namespace p2plab::check {

namespace {

using analysis::Finding;
using trace::ForcedMatch;
using trace::kNoIndex;
using trace::kNone;
using trace::Span;
using trace::SpanId;
using trace::Trace;

/// A receive or probe of any source; its number counts them in each rank.
bool is_wildcard(const Span& span) {
  const bool receives = span.kind == trace::Kind::receive && (span.flags & trace::kInFlight) != 0;
  return (receives || span.kind == trace::Kind::wait) && span.sequence >= 0 && span.comm != 0;
}


std::map<SpanId, trace::Received> received_by(const Trace& trace) {
  std::map<SpanId, trace::Received> out;
  for (const trace::Received& received : trace.received()) out.emplace(received.receive, received);
  return out;
}

SpanId find_wildcard(const Trace& trace, int rank, int number) {
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const auto id = static_cast<SpanId>(i);
    if (is_wildcard(trace.span(id)) && trace.span(id).sequence == number && trace.rank_of(id) == rank) return id;
  }
  return kNoIndex;
}

/// The rank within the communicator, which is what the program calls a source.
int comm_rank(const Trace& trace, trace::NameId comm, int world) {
  const std::vector<int>* members = trace.members(comm);
  if (members == nullptr) return world;
  const auto it = std::find(members->begin(), members->end(), world);
  return it == members->end() ? kNone : static_cast<int>(it - members->begin());
}

}  // namespace

std::vector<std::vector<ForcedMatch>> alternatives(const Trace& trace, const std::vector<ForcedMatch>& forced, std::size_t* beyond) {
  analysis::Operations operations;
  operations.update(trace);
  const auto known = received_by(trace);
  std::map<std::pair<trace::NameId, int>, std::vector<SpanId>> sends;  // by communicator and destination
  std::map<int, std::vector<SpanId>> taken;                            // wildcards with their message, by rank
  const auto received_at = [&](SpanId send) {                          // the post of its receive; what nobody received was there to the end
    const SpanId partner = operations.partner(send);
    return partner == kNoIndex ? std::numeric_limits<trace::Ns>::max() : trace.span(partner).begin;
  };
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const auto id = static_cast<SpanId>(i);
    const Span& span = trace.span(id);
    if (span.kind == trace::Kind::send && (span.flags & trace::kInFlight) != 0) sends[{span.comm, span.peer}].push_back(id);
    if (is_wildcard(span) && known.count(id) != 0) taken[trace.rank_of(id)].push_back(id);
  }
  for (auto& [rank, wildcards] : taken) {
    std::stable_sort(wildcards.begin(), wildcards.end(), [&](SpanId a, SpanId b) { return trace.span(a).sequence < trace.span(b).sequence; });
  }
  std::map<std::pair<trace::NameId, int>, std::map<std::pair<int, int>, trace::Ns>> last;  // received_at of their latest, by source and tag
  for (const auto& [to, list] : sends) {
    for (const SpanId send : list) {
      trace::Ns& at = last[to][{trace.rank_of(send), trace.span(send).tag}];
      at = std::max(at, received_at(send));
    }
  }
  const auto others_at = [&](const Span& wild, int rank, int peer) {
    std::set<int> sources;
    for (const auto& [from, at] : last[{wild.comm, rank}]) {
      if (from.first != peer && (wild.tag == kNone || from.second == wild.tag) && at >= wild.begin) sources.insert(from.first);
    }
    return sources.size();
  };
  std::vector<std::vector<ForcedMatch>> out, later;
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const auto id = static_cast<SpanId>(i);
    const Span& wild = trace.span(id);
    const auto got = known.find(id);
    if (!is_wildcard(wild) || got == known.end()) continue;
    const int rank = trace.rank_of(id);
    const bool behind = std::any_of(forced.begin(), forced.end(), [&](const ForcedMatch& f) { return f.rank == rank && f.wildcard >= wild.sequence; });
    if (behind) continue;
    // What this rank's wildcards took before is kept as it was, so that only this choice is another.
    std::vector<ForcedMatch> prefix;
    std::copy_if(forced.begin(), forced.end(), std::back_inserter(prefix), [&](const ForcedMatch& f) { return f.rank != rank; });
    for (const SpanId earlier : taken[rank]) {
      const Span& span = trace.span(earlier);
      if (span.sequence >= wild.sequence || prefix.size() >= trace::kMaxForced) break;
      prefix.push_back({rank, span.sequence, comm_rank(trace, span.comm, known.at(earlier).peer)});
    }
    if (prefix.size() >= trace::kMaxForced) {
      if (beyond != nullptr) *beyond += others_at(wild, rank, got->second.peer);
      continue;
    }
    std::map<int, bool> sources;  // and whether the send was there before the wildcard was done
    for (const SpanId candidate : sends[{wild.comm, rank}]) {
      const Span& send = trace.span(candidate);
      if (wild.tag != kNone && send.tag != wild.tag) continue;
      const int source = trace.rank_of(candidate);
      if (source == got->second.peer) continue;
      if (received_at(candidate) < wild.begin) continue;
      bool& early = sources[source];
      early = early || send.begin < wild.end;
    }
    for (auto it = sources.rbegin(); it != sources.rend(); ++it) {  // the order that is farthest from the usual one first
      const auto [source, early] = *it;
      const int inside = comm_rank(trace, wild.comm, source);
      if (inside == kNone) continue;
      std::vector<ForcedMatch> choice = prefix;
      choice.push_back({rank, wild.sequence, inside});
      (early ? out : later).push_back(std::move(choice));
    }
  }
  out.insert(out.end(), later.begin(), later.end());
  return out;
}

bool is_possible(const VerifyEvidence& evidence, const std::vector<ForcedMatch>& forced) {
  const auto known = received_by(evidence.trace);
  const auto& notes = evidence.trace.notes();
  return std::all_of(forced.begin(), forced.end(), [&](const ForcedMatch& match) {
    const SpanId id = find_wildcard(evidence.trace, match.rank, match.wildcard);
    if (id != kNoIndex) return known.count(id) != 0;
    return std::none_of(notes.begin(), notes.end(), [&](const trace::Note& note) {
      return note.rank == match.rank && evidence.trace.name(note.name) == "forced-look" && note.number == match.wildcard;
    });
  });
}

namespace {

/// What the rest of the world sees of a run: the lines that are printed and the contents that are sent, in no order,
/// because a program in which any order is fine may print and hand out its work as the messages come. What a wildcard
/// takes is the race's own input (an answer may say who gave it) and no part of it.
struct Outcome {
  std::multiset<std::string> printed;
  std::multiset<std::uint64_t> sent;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(const VerifyEvidence& evidence) {
  Outcome out;
  for (const std::string& output : evidence.output) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) out.printed.insert(std::move(line));
  }
  analysis::Operations operations;
  operations.update(evidence.trace);
  const auto& hashes = evidence.trace.all_hashes();
  for (std::size_t i = 0; i < evidence.trace.spans().size(); ++i) {
    const auto id = static_cast<SpanId>(i);
    const auto hash = hashes.find(id);
    if (hash == hashes.end() || !hash->second.has_post || evidence.trace.span(id).kind != trace::Kind::send) continue;
    const SpanId partner = operations.partner(id);
    if (partner != kNoIndex && is_wildcard(evidence.trace.span(partner))) continue;
    out.sent.insert(hash->second.post);
  }
  return out;
}

std::multiset<std::string> without_numbers(const std::multiset<std::string>& lines) {
  std::multiset<std::string> out;
  for (const std::string& line : lines) {
    std::string words;
    for (const char c : line) {
      if (std::isdigit(static_cast<unsigned char>(c)) == 0) words += c;
    }
    out.insert(std::move(words));
  }
  return out;
}

/// Without what differs from run to run by itself.
Outcome without(Outcome outcome, const Noise& noise) {
  if (noise.in_numbers) outcome.printed = without_numbers(outcome.printed);
  if (noise.in_words) outcome.printed.clear();
  if (noise.in_messages) outcome.sent.clear();
  return outcome;
}

/// What each wildcard got, by the wildcard's rank and number.
std::map<std::pair<int, int>, trace::Received> choices(const Trace& trace) {
  std::map<std::pair<int, int>, trace::Received> out;
  for (const trace::Received& received : trace.received()) {
    const Span& span = trace.span(received.receive);
    if (is_wildcard(span)) out.emplace(std::pair{trace.rank_of(received.receive), span.sequence}, received);
  }
  return out;
}

/// Receives of any source on different lines have got each other's contents, and the program has not asked whose they are. On one
/// line, where a loop adds up or fills a table, no order is meant.
bool swapped_unseen(const Trace& first, const Trace& second, const ToldApart& told_apart) {
  const auto contents = [](const Trace& trace) {
    std::map<std::pair<int, int>, std::pair<std::uint64_t, trace::NameId>> out;  // with the line
    for (const auto& [id, hash] : trace.all_hashes()) {
      const Span& span = trace.span(id);
      if (hash.has_done && is_wildcard(span)) out.emplace(std::pair{trace.rank_of(id), span.sequence}, std::pair{hash.done, span.site});
    }
    return out;
  };
  const auto before = contents(first), after = contents(second);
  return std::any_of(before.begin(), before.end(), [&](const auto& wildcard) {
    const auto& [which, one] = wildcard;
    const auto now = after.find(which);
    if (now == after.end() || now->second.first == one.first || told_apart.source.count(which) != 0 || told_apart.tag.count(which) != 0) return false;
    return std::any_of(before.begin(), before.end(), [&](const auto& other) {
      return other.first.first == which.first && other.second.second != one.second && other.second.first == now->second.first;
    });
  });
}

/// True when a wildcard got something else in the second run, and the program can tell by the status what it got: what differs
/// after that may be what the program wants.
bool chose_knowingly(const Trace& first, const Trace& second, const ToldApart& told_apart) {
  const auto before = choices(first), after = choices(second);
  return std::any_of(before.begin(), before.end(), [&](const auto& wildcard) {
    const auto& [which, one] = wildcard;
    const auto other = after.find(which);
    if (other == after.end() || one.peer == other->second.peer) return false;
    return told_apart.source.count(which) != 0 || (told_apart.tag.count(which) != 0 && one.tag != other->second.tag);
  });
}

const Finding* worst(const RunJudgement& judgement) {
  const auto it = std::find_if(judgement.findings.begin(), judgement.findings.end(), is_proven);
  return it == judgement.findings.end() ? nullptr : &*it;
}

Finding race(const VerifyEvidence& first, const std::vector<ForcedMatch>& forced, const std::string& how, const Params& more) {
  // The first choice that is another than the first run's is the one that decides.
  const auto took = received_by(first.trace);
  const auto differs = [&](const ForcedMatch& match) {
    const SpanId id = find_wildcard(first.trace, match.rank, match.wildcard);
    const auto got = took.find(id);
    return got != took.end() && comm_rank(first.trace, first.trace.span(id).comm, got->second.peer) != match.source;
  };
  const auto deciding = std::find_if(forced.begin(), forced.end(), differs);
  const ForcedMatch& last = deciding == forced.end() ? forced.back() : *deciding;
  Finding finding;
  finding.kind = "message-race";
  const SpanId wild = find_wildcard(first.trace, last.rank, last.wildcard);
  finding.detail = {"verify-detail." + how, more};
  if (wild == kNoIndex) return finding;
  finding.sites.push_back(analysis::operation_site(first.trace, wild));
  const auto known = received_by(first.trace);
  const auto got = known.find(wild);
  const std::vector<int>* members = first.trace.members(first.trace.span(wild).comm);
  const int other = members == nullptr ? last.source : members->at(static_cast<std::size_t>(last.source));
  finding.detail.params.emplace_back("rank", std::to_string(last.rank));
  finding.detail.params.emplace_back("first", got == known.end() ? "?" : std::to_string(got->second.peer));
  finding.detail.params.emplace_back("second", std::to_string(other));
  // The two sends that raced: each rank's first that fits and that no earlier receive has taken.
  analysis::Operations operations;
  operations.update(first.trace);
  const Span& receive = first.trace.span(wild);
  for (const int source : {got == known.end() ? kNone : got->second.peer, other}) {
    for (std::size_t i = 0; i < first.trace.spans().size(); ++i) {
      const auto id = static_cast<SpanId>(i);
      const Span& send = first.trace.span(id);
      if (send.kind != trace::Kind::send || (send.flags & trace::kInFlight) == 0 || send.peer != last.rank) continue;
      if (first.trace.rank_of(id) != source || send.comm != receive.comm || (receive.tag != kNone && send.tag != receive.tag)) continue;
      const SpanId partner = operations.partner(id);
      if (partner != kNoIndex && first.trace.span(partner).begin < receive.begin) continue;
      finding.sites.push_back(analysis::operation_site(first.trace, id));
      break;
    }
  }
  return finding;
}

}  // namespace

Noise noise_between(const VerifyEvidence& first, const VerifyEvidence& again) {
  const Outcome one = outcome(first), other = outcome(again);
  Noise out;
  out.in_messages = one.sent != other.sent;
  out.in_words = without_numbers(one.printed) != without_numbers(other.printed);
  out.in_numbers = !out.in_words && one.printed != other.printed;
  return out;
}

std::vector<ForcedMatch> choices_of(const Trace& trace) {
  std::vector<ForcedMatch> out;
  for (const trace::Received& received : trace.received()) {
    const Span& span = trace.span(received.receive);
    if (!is_wildcard(span)) continue;
    const int inside = comm_rank(trace, span.comm, received.peer);
    if (inside != kNone) out.push_back({trace.rank_of(received.receive), span.sequence, inside});
  }
  return out;
}

namespace {

/// Of one rank, the operations in the order in which they were found complete by calls that give what is complete.
std::vector<SpanId> completions(const Trace& trace, int rank) {
  std::vector<SpanId> found;
  std::vector<std::pair<trace::Ns, trace::Ns>> waits;  // of calls that wait for all of their own, joined
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const auto id = static_cast<SpanId>(i);
    const Span& span = trace.span(id);
    if (trace.rank_of(id) != rank) continue;
    const bool transfers = span.kind == trace::Kind::send || span.kind == trace::Kind::receive;
    const bool in_flight = (span.flags & trace::kInFlight) != 0;
    if (in_flight && transfers && !span.open()) found.push_back(id);
    if (!in_flight && (span.flags & (trace::kBlocking | trace::kAny)) == trace::kBlocking) waits.emplace_back(span.begin, span.end);
  }
  std::sort(waits.begin(), waits.end());
  std::size_t last = 0;
  for (const auto& wait : waits) {
    if (last == 0 || wait.first > waits[last - 1].second) {
      waits[last++] = wait;
    } else {
      waits[last - 1].second = std::max(waits[last - 1].second, wait.second);
    }
  }
  waits.resize(last);
  // What such a call has completed came in some order that the program does not see.
  std::erase_if(found, [&](SpanId done) {
    const trace::Ns end = trace.span(done).end;
    const auto behind = std::upper_bound(waits.begin(), waits.end(), std::pair{end, std::numeric_limits<trace::Ns>::max()});
    return behind != waits.begin() && std::prev(behind)->second >= end;
  });
  std::stable_sort(found.begin(), found.end(), [&](SpanId a, SpanId b) { return trace.span(a).end < trace.span(b).end; });
  return found;
}

struct Swap {
  int rank = 0;
  SpanId first = kNoIndex, second = kNoIndex;  ///< of the second run: what the first run had here, and what this one has
};

/// Requests are counted in each rank, so the same number is the same operation as long as both runs do the same.
std::optional<Swap> swap_between(const Trace& one, const Trace& other) {
  for (int rank = 0; rank < other.ranks(); ++rank) {
    const std::vector<SpanId> before = completions(one, rank), after = completions(other, rank);
    const auto [here, there] = std::mismatch(before.begin(), before.end(), after.begin(), after.end(), [&](SpanId a, SpanId b) { return one.span(a).request == other.span(b).request; });
    if (here == before.end() || there == after.end()) continue;
    for (std::size_t i = 0; i < other.spans().size(); ++i) {
      const auto id = static_cast<SpanId>(i);
      const Span& same = other.span(id);
      const Span& had = one.span(*here);
      const bool meant = (same.flags & trace::kInFlight) != 0 && same.request == had.request && same.kind == had.kind && same.peer == had.peer && same.tag == had.tag;
      // Both were under way when one of them was found complete.
      if (meant && other.rank_of(id) == rank && same.begin < other.span(*there).end) return Swap{rank, id, *there};
    }
  }
  return std::nullopt;
}

}  // namespace

bool completed_alike(const VerifyEvidence& first, const VerifyEvidence& second) { return !swap_between(first.trace, second.trace); }

std::optional<Finding> other_completion(const VerifyEvidence& good, const VerifyEvidence& bad, const RunJudgement& bad_judgement) {
  const Finding* end = worst(bad_judgement);
  if (end == nullptr || (end->kind != "wrong-exit" && end->kind != "crash")) return std::nullopt;
  const std::optional<Swap> swap = swap_between(good.trace, bad.trace);
  if (!swap) return std::nullopt;
  const Trace& trace = bad.trace;
  const Span& had = trace.span(swap->first);
  const Span& has = trace.span(swap->second);
  const auto peer = [](const Span& span) { return span.peer == kNone ? std::string("?") : std::to_string(span.peer); };
  Finding finding;
  finding.kind = "message-race";
  finding.detail = {"verify-detail.completion-order", {{"rank", std::to_string(swap->rank)}, {"first", peer(had)}, {"second", peer(has)}, {"end", end->kind}}};
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {  // the call that told
    const auto id = static_cast<SpanId>(i);
    const Span& call = trace.span(id);
    if (call.kind != trace::Kind::wait || (call.flags & trace::kInFlight) != 0 || trace.rank_of(id) != swap->rank || (!call.open() && call.end < has.end)) continue;
    finding.sites.push_back(analysis::operation_site(trace, id));
    break;
  }
  finding.sites.push_back(analysis::operation_site(trace, swap->first));
  finding.sites.push_back(analysis::operation_site(trace, swap->second));
  return finding;
}

std::optional<Finding> compare_outcomes(const VerifyEvidence& first, const RunJudgement& first_judgement, const VerifyEvidence& second,
                                        const RunJudgement& second_judgement, const std::vector<ForcedMatch>& forced, const ToldApart& told_apart,
                                        const std::optional<Noise>& noise) {
  if (second_judgement.verdict == analysis::Verdict::infra_error) return std::nullopt;
  const Finding* before = worst(first_judgement);
  const Finding* after = worst(second_judgement);
  if ((before == nullptr) != (after == nullptr)) {
    const Finding* bad = before != nullptr ? before : after;
    return race(first, forced, "race-verdict", {{"end", bad->kind}});
  }
  if (before != nullptr) return std::nullopt;  // both end badly: the same defect, however it shows
  const Noise known = noise.value_or(Noise{});
  const bool alike = without(outcome(first), known) == without(outcome(second), known);
  if (alike && !swapped_unseen(first.trace, second.trace, told_apart)) return std::nullopt;
  if (!alike && !chose_knowingly(first.trace, second.trace, told_apart)) return race(first, forced, "race-data", {});
  Finding finding = race(first, forced, alike ? "race-kept" : "race-told", {});
  finding.certainty = analysis::Certainty::possible;
  return finding;
}

}  // namespace p2plab::check

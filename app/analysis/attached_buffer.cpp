// See attached_buffer.h.
#include "app/analysis/attached_buffer.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "app/analysis/site.h"

namespace p2plab::analysis {

namespace {

using trace::Ns;
using trace::Span;
using trace::SpanId;

/// What one rank does about its buffer, in the order in which it does it.
struct BufferedRank {
  struct Pending {
    SpanId send;
    std::uint64_t need;
  };
  std::uint64_t size = 0, overhead = 0;  ///< of the attached buffer, and of each message in it; 0: none is attached
  std::vector<Pending> pending;
};

struct BufferedCheck {
  const trace::Trace& trace;
  std::unordered_map<SpanId, Ns> received_from;  ///< by send: when its receive was posted
  std::map<int, BufferedRank> ranks;
  std::vector<Finding> findings;

  bool is(const Span& span, std::string_view call) const { return trace.name(span.name).starts_with(call); }

  void attach(BufferedRank& rank, const Span& span) const {
    rank = {};
    const std::string& overhead = trace.name(span.detail);
    std::from_chars(overhead.data(), overhead.data() + overhead.size(), rank.overhead);
    if (rank.overhead > 0) rank.size = span.bytes;
  }

  void send(BufferedRank& rank, SpanId id, const Span& span) {
    // All ranks read the same clock.
    std::erase_if(rank.pending, [&](const BufferedRank::Pending& earlier) {
      const auto posted = received_from.find(earlier.send);
      return posted != received_from.end() && posted->second <= span.begin + trace.run.clock_error_ns;
    });
    rank.pending.push_back({id, span.bytes + rank.overhead});
    std::uint64_t needed = 0;
    for (const auto& message : rank.pending) needed += message.need;
    if (needed <= rank.size || rank.pending.size() == 1) return;  // one that does not fit by itself MPI refuses
    Finding finding;
    finding.kind = "invalid-argument";
    finding.sites = {operation_site(trace, id)};
    finding.detail = {"finding-detail.attached-buffer",
                      {{"messages", std::to_string(rank.pending.size())}, {"needed", std::to_string(needed)}, {"size", std::to_string(rank.size)}, {"overhead", std::to_string(rank.overhead)}}};
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& known) {
      return known.sites[0].rank == finding.sites[0].rank && known.sites[0].file == finding.sites[0].file && known.sites[0].line == finding.sites[0].line;
    });
    if (same == findings.end()) findings.push_back(std::move(finding));
    else ++same->count;
  }

  void look_at(SpanId id) {
    const Span& span = trace.span(id);
    BufferedRank& rank = ranks[trace.rank_of(id)];
    const bool in_flight = (span.flags & trace::kInFlight) != 0;
    if (!in_flight && is(span, "MPI_Buffer_attach")) attach(rank, span);
    else if (!in_flight && is(span, "MPI_Buffer_detach")) rank = {};
    else if (in_flight && rank.size > 0 && (is(span, "MPI_Bsend") || is(span, "MPI_Ibsend"))) send(rank, id, span);
  }
};

}  // namespace

std::vector<Finding> attached_buffer_findings(const trace::Trace& trace) {
  std::vector<SpanId> spans;
  BufferedCheck check{trace, {}, {}, {}};
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const auto id = static_cast<SpanId>(i);
    if (check.is(trace.span(id), "MPI_Buffer_") || check.is(trace.span(id), "MPI_Bsend") || check.is(trace.span(id), "MPI_Ibsend")) spans.push_back(id);
  }
  if (spans.size() < 2) return {};
  std::stable_sort(spans.begin(), spans.end(), [&](SpanId a, SpanId b) { return trace.span(a).begin < trace.span(b).begin; });
  for (const trace::Message& message : trace.messages()) check.received_from[message.send] = trace.span(message.receive).begin;
  for (const SpanId id : spans) check.look_at(id);
  return std::move(check.findings);
}

}  // namespace p2plab::analysis

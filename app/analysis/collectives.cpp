// The text of a collective (Span::detail) is described in demos/probe/collective.h.
#include "app/analysis/collectives.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "app/analysis/signatures.h"
#include "app/analysis/site.h"

namespace p2plab::analysis {

using trace::NameId;
using trace::SpanId;

namespace {

/// "MPI_INT*16/32": a signature, and bytes for everyone or for each rank in order.
struct Amounts {
  bool given = false;
  std::string signature;
  std::vector<std::uint64_t> bytes;
  std::uint64_t of(std::size_t rank) const { return bytes.size() == 1 ? bytes[0] : rank < bytes.size() ? bytes[rank] : 0; }
};

struct CallText {
  std::string root, operation;
  Amounts equal, gives, takes;
  std::map<int, std::vector<Amounts>> to, from;  ///< by the other's rank in the world, where each pair has its own
};

Amounts amounts(std::string_view text) {
  Amounts out;
  const std::size_t star = text.find('*');
  if (star == std::string_view::npos) return out;
  out.given = true;
  out.signature = text.substr(0, star);
  for (std::size_t at = star + 1; at < text.size();) {
    const std::size_t slash = std::min(text.find('/', at), text.size());
    std::uint64_t bytes = 0;
    std::from_chars(text.data() + at, text.data() + slash, bytes);
    out.bytes.push_back(bytes);
    at = slash + 1;
  }
  return out;
}

CallText call_text(std::string_view text) {
  CallText out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::string_view part = text.substr(at, end - at);
    at = end + 1;
    if (part.empty()) continue;
    const std::string_view value = part.substr(1);
    switch (part[0]) {
      case 'r': out.root = value; break;
      case 'o': out.operation = value; break;
      case 'e': out.equal = amounts(value); break;
      case 'g': out.gives = amounts(value); break;
      case 't': out.takes = amounts(value); break;
      case 'S':
      case 'R': {
        int rank = -1;
        const std::size_t colon = std::min(value.find(':'), value.size());
        std::from_chars(value.data(), value.data() + colon, rank);
        (part[0] == 'S' ? out.to : out.from)[rank].push_back(amounts(value.substr(std::min(colon + 1, value.size()))));
        break;
      }
      default: break;
    }
  }
  return out;
}

struct Entrant {
  int rank;
  SpanId span;
  CallText text;
};

/// What differs between two ranks; an empty id if nothing does.
TextRef difference(const trace::Trace& trace, const Entrant& a, const Entrant& b, const std::vector<int>& members) {
  const std::string& first = trace.name(trace.span(a.span).name);
  const std::string& second = trace.name(trace.span(b.span).name);
  if (first != second) return {"finding-detail.collective-order", {{"first", first}, {"second", second}}};
  if (a.text.root != b.text.root) return {"finding-detail.collective-root", {{"call", first}, {"first", a.text.root}, {"second", b.text.root}}};
  if (a.text.operation != b.text.operation) {
    return {"finding-detail.collective-op", {{"call", first}, {"first", a.text.operation}, {"second", b.text.operation}}};
  }
  const auto compare = [&](const Amounts& x, std::uint64_t n, const Amounts& y, std::uint64_t m) -> TextRef {
    const bool types = n > 0 && m > 0 && compare_signatures(x.signature, y.signature, std::min(n, m)) == Match::different;
    if (types) return {"finding-detail.collective-type", {{"call", first}, {"first", x.signature}, {"second", y.signature}}};
    if (n != m) return {"finding-detail.collective-count", {{"call", first}, {"first", std::to_string(n)}, {"second", std::to_string(m)}}};
    return {};
  };
  if (a.text.equal.given && b.text.equal.given) {
    TextRef found;
    for (std::size_t i = 0; i < std::max(a.text.equal.bytes.size(), b.text.equal.bytes.size()) && found.id.empty(); ++i)
      found = compare(a.text.equal, a.text.equal.of(i), b.text.equal, b.text.equal.of(i));
    return found;
  }
  const auto place = [&](int rank) {
    return static_cast<std::size_t>(std::find(members.begin(), members.end(), rank) - members.begin());
  };
  // With a root only the root's side speaks with the others; without one everybody speaks with everybody.
  const auto between = [&](const Entrant& giver, const Entrant& taker) -> TextRef {
    const auto to = giver.text.to.find(taker.rank), from = taker.text.from.find(giver.rank);
    // Several parts between two ranks: which is which is the topology's matter.
    if (to != giver.text.to.end() && from != taker.text.from.end() && to->second.size() == 1 && from->second.size() == 1)
      return compare(to->second[0], to->second[0].of(0), from->second[0], from->second[0].of(0));
    const bool rooted = !giver.text.root.empty();
    if (rooted && std::to_string(giver.rank) != giver.text.root && std::to_string(taker.rank) != giver.text.root) return {};
    if (!giver.text.gives.given || !taker.text.takes.given) return {};
    return compare(giver.text.gives, giver.text.gives.of(place(taker.rank)), taker.text.takes, taker.text.takes.of(place(giver.rank)));
  };
  TextRef found = between(a, b);
  if (found.id.empty()) found = between(b, a);
  return found;
}

}  // namespace

struct CollectiveCheck::Impl {
  std::size_t next_span = 0;
  std::map<std::pair<NameId, std::int32_t>, std::vector<Entrant>> open;  ///< until all members are there
  bool told = false;

  static std::vector<int> members_of(const trace::Trace& trace, NameId comm) {
    if (const std::vector<int>* members = trace.members(comm)) return *members;
    std::vector<int> all;
    for (int rank = 0; rank < trace.ranks(); ++rank) all.push_back(rank);
    return all;
  }

  std::optional<Finding> enter(const trace::Trace& trace, SpanId id) {
    const trace::Span& span = trace.span(id);
    const std::vector<int> members = members_of(trace, span.comm);
    auto& entrants = open[{span.comm, span.sequence}];
    Entrant fresh{trace.tracks()[span.track].rank, id, call_text(trace.name(span.detail))};
    for (const Entrant& other : entrants) {
      TextRef detail = difference(trace, other, fresh, members);
      if (detail.id.empty()) continue;
      Finding finding;
      finding.kind = "collective-mismatch";
      finding.sites = {operation_site(trace, other.span), operation_site(trace, id)};
      finding.detail = std::move(detail);
      return finding;
    }
    entrants.push_back(std::move(fresh));
    if (entrants.size() == members.size()) open.erase({span.comm, span.sequence});
    return std::nullopt;
  }
};

CollectiveCheck::CollectiveCheck() : impl_(std::make_unique<Impl>()) {}
CollectiveCheck::~CollectiveCheck() = default;
CollectiveCheck::CollectiveCheck(CollectiveCheck&&) noexcept = default;

std::optional<Finding> CollectiveCheck::update(const trace::Trace& trace) {
  for (; impl_->next_span < trace.spans().size() && !impl_->told; ++impl_->next_span) {
    const auto id = static_cast<SpanId>(impl_->next_span);
    const trace::Span& span = trace.span(id);
    if (span.kind != trace::Kind::collective || span.sequence < 0 || (span.flags & trace::kInFlight) != 0) continue;
    if (auto finding = impl_->enter(trace, id)) {
      impl_->told = true;
      return finding;
    }
  }
  return std::nullopt;
}

}  // namespace p2plab::analysis

// See signatures.h.
#include "app/analysis/signatures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <string>

#include "app/analysis/site.h"

namespace p2plab::analysis {

namespace {

struct ElementType {
  std::string_view name;
  std::uint64_t size;
  std::string_view family;  ///< elements of one family and size are the same bits
};

// Sizes on x86-64 Linux, the lab's platform.
constexpr std::array kElementTypes = {
    ElementType{"MPI_CHAR", 1, "char"}, ElementType{"MPI_SIGNED_CHAR", 1, "signed"}, ElementType{"MPI_UNSIGNED_CHAR", 1, "unsigned"},
    ElementType{"MPI_BYTE", 1, "byte"}, ElementType{"MPI_WCHAR", 4, "wchar"}, ElementType{"MPI_SHORT", 2, "signed"},
    ElementType{"MPI_UNSIGNED_SHORT", 2, "unsigned"}, ElementType{"MPI_INT", 4, "signed"}, ElementType{"MPI_UNSIGNED", 4, "unsigned"},
    ElementType{"MPI_LONG", 8, "signed"}, ElementType{"MPI_UNSIGNED_LONG", 8, "unsigned"}, ElementType{"MPI_FLOAT", 4, "float"},
    ElementType{"MPI_DOUBLE", 8, "float"}, ElementType{"MPI_LONG_DOUBLE", 16, "float"}, ElementType{"MPI_LONG_LONG", 8, "signed"},
    ElementType{"MPI_UNSIGNED_LONG_LONG", 8, "unsigned"}, ElementType{"MPI_INT8_T", 1, "signed"}, ElementType{"MPI_INT16_T", 2, "signed"},
    ElementType{"MPI_INT32_T", 4, "signed"}, ElementType{"MPI_INT64_T", 8, "signed"}, ElementType{"MPI_UINT8_T", 1, "unsigned"},
    ElementType{"MPI_UINT16_T", 2, "unsigned"}, ElementType{"MPI_UINT32_T", 4, "unsigned"}, ElementType{"MPI_UINT64_T", 8, "unsigned"},
    ElementType{"MPI_C_BOOL", 1, "bool"}, ElementType{"MPI_CXX_BOOL", 1, "bool"}, ElementType{"MPI_C_FLOAT_COMPLEX", 8, "complex"},
    ElementType{"MPI_C_DOUBLE_COMPLEX", 16, "complex"}, ElementType{"MPI_C_LONG_DOUBLE_COMPLEX", 32, "complex"},
    ElementType{"MPI_CXX_FLOAT_COMPLEX", 8, "complex"}, ElementType{"MPI_CXX_DOUBLE_COMPLEX", 16, "complex"},
    ElementType{"MPI_CXX_LONG_DOUBLE_COMPLEX", 32, "complex"}, ElementType{"MPI_AINT", 8, "signed"}, ElementType{"MPI_OFFSET", 8, "signed"},
    ElementType{"MPI_COUNT", 8, "signed"}, ElementType{"MPI_PACKED", 1, "packed"}, ElementType{"MPI_FLOAT_INT", 8, "pair"},
    ElementType{"MPI_DOUBLE_INT", 12, "pair"}, ElementType{"MPI_LONG_INT", 12, "pair"}, ElementType{"MPI_2INT", 8, "pair"},
    ElementType{"MPI_SHORT_INT", 6, "pair"}, ElementType{"MPI_LONG_DOUBLE_INT", 20, "pair"}};

const ElementType* element_type(std::string_view name) {
  const auto it = std::find_if(kElementTypes.begin(), kElementTypes.end(), [&](const ElementType& type) { return type.name == name; });
  return it == kElementTypes.end() ? nullptr : &*it;
}

/// A fixed-width name and the C type behind it are one element, though the standard matches by name.
bool fixed_width(std::string_view name) { return name.ends_with("_T") || name == "MPI_AINT" || name == "MPI_OFFSET" || name == "MPI_COUNT"; }

Match compare_elements(std::string_view a, std::string_view b) {
  if (a == b || a == "MPI_PACKED" || b == "MPI_PACKED") return Match::same;
  const ElementType* x = element_type(a);
  const ElementType* y = element_type(b);
  if (x == nullptr || y == nullptr) return Match::same;  // not known here: nothing can be said
  const bool same_bits = x->family == y->family && x->size == y->size;
  return same_bits && (fixed_width(a) || fixed_width(b) || x->family == "bool" || x->family == "complex") ? Match::alike : Match::different;
}

struct ElementRun {
  std::string_view name;
  std::uint64_t count, size;
};

std::vector<ElementRun> runs_of(std::string_view text) {
  std::vector<ElementRun> runs;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view part = text.substr(at, comma - at);
    at = comma + 1;
    const std::size_t colon = std::min(part.find(':'), part.size());
    ElementRun run{part.substr(0, colon), 1, 0};
    if (colon < part.size()) std::from_chars(part.data() + colon + 1, part.data() + part.size(), run.count);
    const ElementType* type = element_type(run.name);
    if (type == nullptr || run.count == 0) return {};
    run.size = type->size;
    runs.push_back(run);
  }
  return runs;
}

/// Walks the repeated runs, element by element or many at once.
struct Walk {
  const std::vector<ElementRun>& runs;
  std::size_t at = 0;
  std::uint64_t left;
  explicit Walk(const std::vector<ElementRun>& all) : runs(all), left(all[0].count) {}
  void advance(std::uint64_t elements) {
    left -= elements;
    if (left != 0) return;
    at = (at + 1) % runs.size();
    left = runs[at].count;
  }
};

}  // namespace

Match compare_signatures(std::string_view a, std::string_view b, std::uint64_t bytes) {
  if (a == b || a.empty() || b.empty()) return Match::same;
  const auto first = runs_of(a), second = runs_of(b);
  if (first.empty() || second.empty()) return Match::same;
  if (first.size() == 1 && first[0].name == "MPI_PACKED") return Match::same;
  if (second.size() == 1 && second[0].name == "MPI_PACKED") return Match::same;
  Match result = Match::same;
  const bool one_each = first.size() == 1 && second.size() == 1;
  Walk x(first), y(second);
  constexpr int kSteps = 100'000;  // far beyond any period of both; a bound for hostile texts
  for (int step = 0; bytes > 0 && step < kSteps; ++step) {
    const ElementRun& p = first[x.at];
    const ElementRun& q = second[y.at];
    const Match match = compare_elements(p.name, q.name);
    if (match == Match::different) return match;
    if (match == Match::alike) result = match;
    if (one_each) break;
    const std::uint64_t elements = std::min(x.left, y.left);
    const std::uint64_t walked = elements * std::max<std::uint64_t>(p.size, 1);
    if (walked >= bytes) break;
    bytes -= walked;
    x.advance(elements);
    y.advance(elements);
  }
  return result;
}

namespace {

struct MessageCheck {
  const trace::Trace& trace;
  std::vector<Finding> findings;
  std::set<std::pair<std::string, std::pair<trace::NameId, trace::NameId>>> told;
  /// By rank and request: the call that gave a matched probe's message (MPI_Mprobe) its buffer and type.
  std::map<std::pair<int, std::int32_t>, trace::SpanId> matched_receives;

  void collect_matched_receives() {
    for (std::size_t i = 0; i < trace.spans().size(); ++i) {
      const trace::Span& span = trace.spans()[i];
      if (span.kind != trace::Kind::receive || (span.flags & trace::kInFlight) != 0 || span.request < 0) continue;
      const std::string& call = trace.name(span.name);
      if (call.starts_with("MPI_Mrecv") || call.starts_with("MPI_Imrecv")) {
        matched_receives[{trace.tracks()[span.track].rank, span.request}] = static_cast<trace::SpanId>(i);
      }
    }
  }
  /// The same message, received by the call that says as what.
  trace::Message as_received(trace::Message message) const {
    const trace::Span& receive = trace.span(message.receive);
    const auto it = matched_receives.find({trace.tracks()[receive.track].rank, receive.request});
    if (it != matched_receives.end()) message.receive = it->second;
    return message;
  }

  void add(const char* kind, Certainty certainty, const trace::Message& message, TextRef detail) {
    const auto key = std::make_pair(std::string(kind), std::make_pair(trace.span(message.send).site, trace.span(message.receive).site));
    if (!told.insert(key).second) {
      for (Finding& finding : findings) {
        if (finding.kind == kind && finding.sites[0].span != trace::kNoIndex && trace.span(finding.sites[0].span).site == key.second.first) ++finding.count;
      }
      return;
    }
    Finding finding;
    finding.kind = kind;
    finding.certainty = certainty;
    finding.sites = {operation_site(trace, message.send), operation_site(trace, message.receive)};
    finding.detail = std::move(detail);
    findings.push_back(std::move(finding));
  }

  void look_at(const trace::Message& message) {
    const trace::Span& send = trace.span(message.send);
    const trace::Span& receive = trace.span(message.receive);
    const std::string& sent = trace.name(send.detail);
    const std::string& wanted = trace.name(receive.detail);
    const Match match = compare_signatures(sent, wanted, std::min(send.bytes, receive.bytes));
    if (match != Match::same) {
      add("type-mismatch", match == Match::different ? Certainty::proven : Certainty::possible, message,
          {"finding-detail.type-mismatch", {{"sent", sent}, {"received", wanted}}});
      if (match == Match::different) return;  // the sizes follow from the types
    }
    // A ready send promises that its receive is posted (MPI 4.1, section 3.4); all ranks read the same clock.
    const std::string& call = trace.name(send.name);
    const bool ready = call.starts_with("MPI_Rsend") || call.starts_with("MPI_Irsend");
    if (ready && receive.begin > send.begin + trace.run.clock_error_ns) {
      add("invalid-argument", Certainty::proven, message, {"verify-detail.not-ready", {}});
    }
    if (send.bytes > receive.bytes) {
      add("size-mismatch", Certainty::proven, message,
          {"finding-detail.size-mismatch", {{"sent", std::to_string(send.bytes)}, {"received", std::to_string(receive.bytes)}}});
    }
  }
};

}  // namespace

std::vector<Finding> message_findings(const trace::Trace& trace) {
  MessageCheck check{trace, {}, {}, {}};
  check.collect_matched_receives();
  std::set<trace::SpanId> known;  // wildcards whose message is known
  for (const trace::Received& received : trace.received()) known.insert(received.receive);
  for (const trace::Message& message : trace.messages()) {
    const trace::Span& receive = trace.span(message.receive);
    const bool wildcard = receive.peer == trace::kNone || receive.tag == trace::kNone;
    if (wildcard && known.count(message.receive) == 0) continue;
    check.look_at(check.as_received(message));
  }
  return std::move(check.findings);
}

}  // namespace p2plab::analysis

// From spans to sites: the first of each rank stands for its siblings.
#include "app/analysis/site.h"

#include <algorithm>
#include <tuple>

namespace p2plab::analysis {

Site operation_site(const trace::Trace& trace, trace::SpanId id) {
  const trace::Span& span = trace.span(id);
  Site site;
  site.rank = trace.tracks()[span.track].rank;
  site.call = trace.name(span.name);
  std::tie(site.file, site.line) = split_site(trace.name(span.site));
  site.peer = span.peer;
  site.tag = span.tag;
  site.comm = trace.name(span.comm);
  site.bytes = span.bytes;
  site.span = id;
  return site;
}

std::vector<Finding> finding_of(const trace::Trace& trace, std::string kind, const std::vector<trace::SpanId>& spans) {
  if (spans.empty()) return {};
  Finding finding;
  finding.detail = {"finding-detail." + kind, {{"count", std::to_string(spans.size())}}};
  finding.kind = std::move(kind);
  finding.count = static_cast<int>(spans.size());
  for (const trace::SpanId span : spans) {
    const Site site = operation_site(trace, span);
    const auto same = [&](const Site& other) { return other.rank == site.rank; };
    if (std::none_of(finding.sites.begin(), finding.sites.end(), same)) finding.sites.push_back(site);
  }
  return {std::move(finding)};
}

}  // namespace p2plab::analysis

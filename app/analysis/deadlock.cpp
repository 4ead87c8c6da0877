// The finding "deadlock", and the sites of a stuck set.
#include "app/analysis/deadlock.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "app/analysis/stuck.h"

namespace p2plab::analysis {

using trace::kNoIndex;
using trace::kNone;
using trace::Span;
using trace::Trace;
using trace::TrackId;

namespace {

struct Standing {
  const WaitNode* node = nullptr;
  const Requirement* need = nullptr;  ///< what it waits for in vain
};

// The need that leads to the next track of the cycle, else the first that cannot be met.
Standing standing(const WaitForGraph& graph, TrackId track, TrackId next) {
  const WaitNode* node = node_of(graph, track);
  if (node == nullptr) return {};
  for (const Requirement& need : node->needs) {
    if (std::find(need.tracks.begin(), need.tracks.end(), next) != need.tracks.end()) return {node, &need};
  }
  return {node, unsatisfiable_need(graph, *node)};
}

Site site_of(const Trace& trace, const Standing& at) {
  Site site;
  site.rank = trace.tracks()[at.node->track].rank;
  site.span = at.node->span;
  if (at.node->span != kNoIndex) {
    const Span& call = trace.span(at.node->span);
    site.call = trace.name(call.name);
    std::tie(site.file, site.line) = split_site(trace.name(call.site));
  }
  if (at.need != nullptr && at.need->operation != kNoIndex) {
    const Span& operation = trace.span(at.need->operation);
    site.peer = operation.peer;
    site.tag = operation.tag;
    site.comm = trace.name(operation.comm);
    site.bytes = operation.bytes;
    site.receives = operation.kind == trace::Kind::receive;
  }
  return site;
}

// A rank is shown by the call that speaks to another rank, not by the host's wait for its own lane.
bool speaks(const Standing& at) { return at.need != nullptr && at.need->operation != kNoIndex; }

int rank_of(const Trace& trace, TrackId track) { return trace.tracks()[track].rank; }

/// The tracks of the cycle and, where one of them waits for whoever comes first, all who could: they do not come either, and
/// what they wait for belongs to the proof.
class Knot {
 public:
  Knot(const Trace& trace, const WaitForGraph& graph) : trace_(trace), graph_(graph) {
    for (const TrackId track : graph.cycle) add(track);
    for (std::size_t i = 0; i < tracks.size(); ++i) follow(tracks[i]);
  }
  std::vector<TrackId> tracks;
  bool grown() const { return tracks.size() > graph_.cycle.size(); }

 private:
  void add(TrackId track) {
    tracks.push_back(track);
    ranks_.insert(rank_of(trace_, track));
  }
  void follow(TrackId track) {
    const WaitNode* node = node_of(graph_, track);
    if (node == nullptr) return;
    const bool in_cycle = std::find(graph_.cycle.begin(), graph_.cycle.end(), track) != graph_.cycle.end();
    for (const Requirement& need : node->needs) {
      const bool any_source = need.operation != kNoIndex && need.peer_rank == kNone;
      if (!node->any && !any_source && in_cycle) continue;  // it waits for the next one
      for (const TrackId other : need.tracks) {
        const WaitNode* there = node_of(graph_, other);
        if (there != nullptr && there->span != kNoIndex && ranks_.count(rank_of(trace_, other)) == 0) add(other);
      }
      if (!node->any) break;
    }
  }

  const Trace& trace_;
  const WaitForGraph& graph_;
  std::set<int> ranks_;
};

/// What nobody is left to bring about.
const Requirement* hopeless(const WaitForGraph& graph) {
  for (const WaitNode& node : graph.nodes) {
    const Requirement* need = unsatisfiable_need(graph, node);
    if (need != nullptr && need->tracks.empty()) return need;
  }
  return nullptr;
}

TextRef without_cycle(const WaitForGraph& graph, const Site& first) {
  const Requirement* need = hopeless(graph);
  const std::string rank = std::to_string(first.rank);
  if (need != nullptr && need->peer_rank != kNone) return {"finding-detail.deadlock-left", {{"rank", rank}, {"left", std::to_string(need->peer_rank)}}};
  const bool begun = need == nullptr || need->operation != kNoIndex;
  return {begun ? "finding-detail.deadlock-nobody" : "finding-detail.deadlock-unposted", {{"rank", rank}}};
}

/// A cycle has no first rank; the lowest makes the report the same every time.
std::vector<Site> from_the_lowest(std::vector<Site> sites) {
  const auto lowest = std::min_element(sites.begin(), sites.end(), [](const Site& a, const Site& b) { return a.rank < b.rank; });
  std::rotate(sites.begin(), lowest, sites.end());
  return sites;
}

/// "0, 1, 2"
std::string ranks_of(const std::vector<Site>& sites) {
  std::string out;
  for (const Site& site : sites) out += (out.empty() ? "" : ", ") + std::to_string(site.rank);
  return out;
}

/// "0 → 0, 1 → 1"
std::string selves(const std::vector<Site>& sites) {
  std::string out;
  for (const Site& site : sites) out += (out.empty() ? "" : ", ") + std::to_string(site.rank) + " → " + std::to_string(site.rank);
  return out;
}

}  // namespace

std::vector<Site> stuck_sites(const Trace& trace, const WaitForGraph& graph) {
  std::vector<Standing> all;
  if (graph.cycle.empty()) {
    for (const TrackId track : graph.stuck) {
      const Standing at = standing(graph, track, kNoIndex);
      if (at.node != nullptr && at.need != nullptr && at.need->tracks.empty() && at.node->span != kNoIndex) all.push_back(at);
    }
  }
  if (graph.cycle.size() == 1) {  // each such rank waits for itself, and none of them for another
    for (const TrackId track : graph.stuck) {
      const Standing at = standing(graph, track, track);
      const bool self = at.need != nullptr && std::find(at.need->tracks.begin(), at.need->tracks.end(), track) != at.need->tracks.end();
      if (self && at.node->span != kNoIndex) all.push_back(at);
    }
  }
  if (all.empty()) {
    if (const Knot knot(trace, graph); knot.grown()) {
      for (const TrackId track : knot.tracks) all.push_back(standing(graph, track, kNoIndex));
    }
  }
  if (all.empty()) {
    for (std::size_t i = 0; i < graph.cycle.size(); ++i) {
      all.push_back(standing(graph, graph.cycle[i], graph.cycle[(i + 1) % graph.cycle.size()]));
    }
  }
  if (all.empty()) {  // they wait for lanes that nobody will give work to any more: each shows where it stands
    for (const TrackId track : graph.stuck) {
      const Standing at = standing(graph, track, kNoIndex);
      if (at.node != nullptr && at.node->span != kNoIndex) all.push_back(at);
    }
  }

  std::vector<Standing> chosen;
  for (const Standing& at : all) {
    if (at.node == nullptr) continue;
    const int rank = trace.tracks()[at.node->track].rank;
    const auto same = std::find_if(chosen.begin(), chosen.end(), [&](const Standing& other) {
      return trace.tracks()[other.node->track].rank == rank;
    });
    if (same == chosen.end()) {
      chosen.push_back(at);
    } else if (!speaks(*same) && speaks(at)) {
      *same = at;
    }
  }
  std::vector<Site> sites;
  for (const Standing& at : chosen) sites.push_back(site_of(trace, at));
  if (graph.cycle.size() != 1 && !Knot(trace, graph).grown()) return from_the_lowest(std::move(sites));
  std::sort(sites.begin(), sites.end(), [](const Site& a, const Site& b) { return a.rank < b.rank; });
  return sites;
}

std::string cycle_text(const std::vector<Site>& sites) {
  std::string text;
  for (const Site& site : sites) text += std::to_string(site.rank) + " → ";
  return sites.empty() ? text : text + std::to_string(sites.front().rank);
}

Finding deadlock_finding(const Trace& trace, const WaitForGraph& graph) {
  Finding finding;
  finding.kind = "deadlock";
  finding.sites = stuck_sites(trace, graph);
  if (graph.cycle.size() == 1) {
    finding.detail = {"finding-detail.deadlock-self", {{"cycle", selves(finding.sites)}}};
  } else if (!graph.cycle.empty() && Knot(trace, graph).grown()) {
    finding.detail = {"finding-detail.deadlock-knot", {{"ranks", ranks_of(finding.sites)}}};
  } else if (!graph.cycle.empty()) {
    finding.detail = {"finding-detail.deadlock", {{"cycle", cycle_text(finding.sites)}}};
  } else if (!finding.sites.empty()) {
    finding.detail = without_cycle(graph, finding.sites[0]);
  }
  return finding;
}

}  // namespace p2plab::analysis

// What the trace of each demo, as it is set up by default, must hold: a picture alone can be full and wrong.
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/check/demo_manifest.h"
#include "app/gui/model/difference.h"
#include "app/report/timeline_layout.h"
#include "app/trace/trace.h"
#include "tests/support/catch.h"

namespace p2plab::window_test {

struct MustHave {
  std::set<trace::Kind> everywhere, somewhere;  ///< kinds of spans, on every rank and on some rank
  std::vector<std::string> spans;               ///< labels or names, each of them on some rank
};

inline const std::map<std::string, MustHave>& must_have() {
  using enum trace::Kind;
  static const std::map<std::string, MustHave> all{
      {"deadlock", {{send}, {}, {"send"}}},
      {"corruption", {{}, {send, receive, compute}, {"isend", "irecv", "produce 1"}}},
      {"pipeline", {{forward, backward, send, receive, optimizer}, {}, {"measured step", "F0", "F7", "B0", "B7"}}},
      {"latency-bandwidth", {{send, receive}, {}, {"send", "recv"}}},
      {"matching", {{send, receive}, {}, {"batch_isend_irecv"}}},
      {"moe", {{send, receive, compute}, {}, {"experts", "batch_isend_irecv"}}},
      {"overlap", {{send, receive, compute, wait}, {}, {"isend", "irecv", "wait_all", "compute"}}},
      {"p2p-vs-collective", {{send, receive, collective}, {}, {"all_reduce", "sendrecv", "ring"}}},
      {"parameter-server", {{send, receive}, {}, {"sendrecv", "irecv"}}},
      {"prefetch", {{copy, compute}, {}, {"load", "serial", "prefetch"}}},
      {"schedules", {{forward, backward, weight, send, receive}, {}, {"1f1b", "gpipe", "W0"}}},
      {"straggler", {{compute, collective}, {}, {"slow step", "all_reduce"}}},
      {"tensor-parallel", {{forward, backward, weight, collective}, {}, {"X A", "dX", "reduce_scatter"}}},
      {"topology", {{wait}, {send, receive}, {"batch_isend_irecv"}}},
      {"why-not-allreduce", {{forward, backward, collective}, {}, {"1f1b-p2p m1", "all_reduce"}}},
  };
  return all;
}

inline void check_trace(const trace::Trace& trace, const check::DemoManifest& demo) {
  CHECK(trace.run.demo == demo.id);
  CHECK(trace.run.backend == demo.backends.front());
  REQUIRE(trace.run.ranks == demo.ranks);
  std::map<int, std::set<trace::Kind>> kinds;
  std::set<std::string> labels;
  std::set<trace::Kind> some;
  std::set<int> in_send;
  for (const auto& track : trace.tracks())
    for (const auto id : track.spans) {
      const auto& span = trace.span(id);
      kinds[track.rank].insert(span.kind);
      some.insert(span.kind);
      labels.insert(report::label(trace, span));
      labels.insert(trace.name(span.name));
      if (span.kind == trace::Kind::send && span.open()) in_send.insert(track.rank);
    }
  REQUIRE(kinds.size() == static_cast<std::size_t>(demo.ranks));
  CHECK(kinds.begin()->first == 0);
  CHECK(kinds.rbegin()->first == demo.ranks - 1);
  REQUIRE(must_have().contains(demo.id));  // a new demo says what it must leave
  const auto& wanted = must_have().at(demo.id);
  for (const auto& [rank, has] : kinds) {
    INFO("rank " << rank);
    CHECK(std::includes(has.begin(), has.end(), wanted.everywhere.begin(), wanted.everywhere.end()));
  }
  CHECK(std::includes(some.begin(), some.end(), wanted.somewhere.begin(), wanted.somewhere.end()));
  for (const auto& span : wanted.spans) {
    INFO("span " << span);
    CHECK(labels.contains(span));
  }
  if (demo.id == "deadlock") CHECK(in_send.size() == 2);  // each rank still stands in its send
  if (demo.id == "corruption") CHECK_FALSE(p2plab::gui::changed_payloads(trace).empty());
}

}  // namespace p2plab::window_test

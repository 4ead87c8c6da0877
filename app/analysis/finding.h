// Verdicts and findings: ids with parameters; CONTRACTS.md has the list. Their text is looked up in zh or en.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/trace/error.h"
#include "app/trace/trace.h"

namespace p2plab::analysis {

enum class Verdict {
  pass, fail, corrupt, build_error, deadlock, livelock, crash, resource_limit, unsafe, race, unstable, not_run, infra_error,
};
/// The word of CONTRACTS.md: "pass", "build-error", ….
std::string_view to_string(Verdict verdict);

enum class Certainty { proven, possible };

/// One rank's part in a finding.
struct Site {
  int rank = 0;
  std::string call;  ///< as the trace names it: "send", "MPI_Send"
  std::string file;
  int line = 0;
  int peer = trace::kNone;
  int tag = trace::kNone;
  std::string comm;
  std::uint64_t bytes = 0;
  trace::SpanId span = trace::kNoIndex;  ///< to show it in the timeline; not part of the JSON,
  bool receives = false;                 ///< nor this: what the call waits for is a receive
};

struct Finding {
  std::string kind;  ///< "deadlock", "unsafe-buffering", "send-buffer-race", …
  Certainty certainty = Certainty::proven;
  std::vector<Site> sites;  ///< one per rank involved, in cycle order
  int count = 1;
  TextRef detail;
};

/// "dir/file.cpp:12" into file and line; line 0 when there is none.
std::pair<std::string, int> split_site(std::string_view site);

}  // namespace p2plab::analysis

#include "demos/straggler/waits.h"

#include <algorithm>

std::vector<int> partners(std::string_view variant, int rank, int ranks, bool held) {
  std::vector<int> out;
  if (variant == "all-reduce") {
    for (int other = 0; other < ranks; ++other)
      if (other != rank) out.push_back(other);
  } else if (variant == "broadcast") {
    for (int other = 0; other < ranks; ++other)
      if (other != rank && (held || other == 0)) out.push_back(other);
  } else if (variant == "chain") {
    if (rank > 0) out.push_back(rank - 1);
    if (held && rank + 1 < ranks) out.push_back(rank + 1);
  } else if ((rank ^ 1) < ranks) {
    out.push_back(rank ^ 1);
  }
  return out;
}

Split split(std::string_view variant, int rank, const std::vector<Stay>& stays, bool held) {
  const Stay& own = stays[static_cast<std::size_t>(rank)];
  std::int64_t ready = own.enter;
  for (const int other : partners(variant, rank, static_cast<int>(stays.size()), held)) ready = std::max(ready, stays[static_cast<std::size_t>(other)].enter);
  ready = std::min(ready, own.leave);  // what an instant measured on another core can be off by
  return {ready - own.enter, own.leave - ready};
}

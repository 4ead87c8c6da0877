// A number of a rank that changes with time, derived from its spans: written into trace files for other tools to draw.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/trace/clock.h"

namespace p2plab::trace {

struct Counter {
  int rank = 0;
  std::string name;                            ///< "activations in flight"
  std::vector<std::pair<Ns, double>> values;   ///< by time; each holds until the next
};

}  // namespace p2plab::trace

// Partitioned operations (MPI 4.0, chapter 4): a message whose parts are made ready, and arrive, one by one.
#pragma once
#include "demos/probe/requests.h"

namespace p2plab::probe {

/// The start of a partitioned request that is not active.
int start_partitioned(const CallSite& where, Request& request);

}  // namespace p2plab::probe
